import { defineService } from '@repo/server-runtime';
import { createBook, deleteBook, getBook, listBooks, migrations } from './books.ts';
import { contract } from './generated/contract.ts';
import { stores } from './stores.ts';

export const service = defineService({
  name: 'bookstore',
  contract,
  handlers: { ...stores, listBooks, createBook, getBook, deleteBook },
  migrations,
  addressPlan: 'free',
});
