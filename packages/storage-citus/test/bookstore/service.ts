import { defineService, migration } from '@petstore-platform/server-runtime';
import { books } from '@repo/bookstore/books';
import { contract } from '@repo/bookstore/generated/contract';
import { migrations } from '@repo/bookstore/migrations';
import { citusBlocks } from '../../src/index.ts';
import { stores } from './stores.ts';

/** The bookstore, without the constraints that Citus cannot check. */
export const service = defineService({
  name: 'bookstore',
  contract,
  handlers: { ...books, ...stores },
  migrations: {
    ...migrations,
    '003-distributed': migration(
      'alter table stores drop constraint stores_name_key, add check (capacity < 1000)',
      'alter table stores add unique (name), drop constraint stores_capacity_check',
    ),
  },
  addressPlan: 'free',
  distributed: [
    citusBlocks({ table: 'books', filters: ['format', 'store_id'] }),
    citusBlocks({ table: 'stores', filters: ['city'] }),
  ],
});
