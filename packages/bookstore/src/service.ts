import { defineService } from '@petstore-platform/server-runtime';
import { books } from './books.ts';
import { contract } from './generated/contract.ts';
import { migrations } from './migrations.ts';
import { stores } from './stores.ts';

export const service = defineService({
  name: 'bookstore',
  contract,
  handlers: { ...books, ...stores },
  migrations,
  addressPlan: 'free',
});
