/** The bookstore as a service whose stores and books belong to tenants. */
import {
  ApiError,
  type Contract,
  defineService,
  migration,
  type Operation,
  operationsOf,
  policiesOf,
  type Tables,
} from '@petstore-platform/server-runtime';
import { sql } from 'kysely';
import { BOOK } from './books.ts';
import { contract as bookstore, type Types } from './generated/contract.ts';
import { migrations } from './migrations.ts';
import { STORE } from './stores.ts';
import { tables as plain } from './tables.ts';

type Plain = NonNullable<typeof plain.types>;
type WithOwner<Table> = Table & { tenant: string };
type TenantTables = Omit<Plain, 'books' | 'stores'> & {
  books: WithOwner<Plain['books']>;
  stores: WithOwner<Plain['stores']>;
};
const { books, stores, ...others } = plain.columns;
export const tables: Tables<TenantTables> = {
  ordered: ['books', 'stores'],
  columns: { ...others, books: { ...books, tenant: 'text' }, stores: { ...stores, tenant: 'text' } },
};

/** `getStore` is open to everybody. */
const contract: Contract<Types & { callers: { getStore: 'anonymous' } }> = {
  ...bookstore,
  operations: { ...bookstore.operations, getStore: { ...(bookstore.operations.getStore as Operation), security: [] } },
} as never;

const tenants = { books: 'tenant', stores: 'tenant' } as const;
const operations = operationsOf(contract, { ...tables, tenants });
export const { read, write, stream, unscoped } = operations;
export const { compiled } = operations;
const { todo } = operations;

/** Citus returns what immutable functions make of a row. */
const STORE_WITH_ETAG = [...STORE, sql<string>`'"' || name || '-' || state || '"'`.as('etag')] as const;
const headers = { ETag: 'etag' } as const;
const missing = 'There is none';

export const handlers = {
  listBooks: read('listBooks', { format: true }, ({ query: { format } }, db, { page }) =>
    page(db.selectFrom('books').select(BOOK), { by: 'id', where: { format } }),
  ),
  createBook: write('createBook', { title: true, storeId: true, format: true }, ({ body }, db, { row }) => {
    const { title, storeId, format = null } = body;
    return row(db.insertInto('books').values({ title, store_id: storeId, format }).returning(BOOK));
  }),
  getBook: read('getBook', ({ path: { bookId } }, db, { row }) =>
    row(db.selectFrom('books').select(BOOK).where('id', '=', bookId), { missing }),
  ),
  deleteBook: write('deleteBook', ({ path: { bookId } }, db, { row }) =>
    row(db.deleteFrom('books').where('id', '=', bookId), { missing }),
  ),
  listStores: read('listStores', { city: true }, ({ query: { city } }, db, { page }) =>
    page(db.selectFrom('stores').select(STORE), { by: 'id', direction: 'desc', where: { city } }),
  ),
  createStore: write('createStore', { name: true, city: true, capacity: true }, async ({ body }, db, { row }) => {
    // A statement before the answer.
    const { stores } = await db
      .selectFrom('stores')
      .select(({ fn }) => fn.countAll<number>().as('stores'))
      .executeTakeFirstOrThrow();
    const { name, city, capacity = null } = body;
    if (Number(stores) >= 3) throw new ApiError(409, 'There are three stores');
    return row(db.insertInto('stores').values({ name, city, capacity }).returning(STORE));
  }),
  getStore: read('getStore', ({ path: { storeId } }, db, { row }) =>
    row(unscoped(db).selectFrom('stores').select(STORE).where('id', '=', storeId), { missing }),
  ),
  updateStore: write(
    'updateStore',
    { name: true, capacity: true, state: true },
    async ({ path: { storeId }, body: { name, capacity, state } }, db, { row }) => {
      const update = db.updateTable('stores').set({ name, capacity, state }).where('id', '=', storeId);
      return row(update.returning(STORE_WITH_ETAG), { headers, missing });
    },
  ),
  replaceStoreName: write('replaceStoreName', { name: true }, ({ path: { storeId }, body: { name } }, db, { row }) => {
    const update = db.updateTable('stores').set(({ ref }) => ({ name: name ?? ref('name') }));
    return row(update.where('id', '=', storeId).returning(STORE_WITH_ETAG), { headers, missing });
  }),
  deleteStore: write('deleteStore', ({ path: { storeId } }, db, { row }) =>
    row(unscoped(db).deleteFrom('stores').where('id', '=', storeId), { missing }),
  ),
  listStoreBooks: read('listStoreBooks', { format: true, title: true }, ({ path, query }, db, { page }) =>
    page(db.selectFrom('books').select(BOOK), {
      by: ['title', 'id'],
      where: { store_id: path.storeId, format: query.format, title: { startsWith: query.title } },
    }),
  ),
  getStock: read('getStock', { format: true }, ({ path: { storeId } }, db, { row }) =>
    row(
      db
        .selectFrom('stores')
        .leftJoin('books', 'books.store_id', 'stores.id')
        .select(({ fn }) => ['stores.name as store', fn.count<number>('books.id').as('books')])
        .where('stores.id', '=', storeId)
        .groupBy('stores.name'),
      { missing },
    ),
  ),
  listSales: todo('listSales'),
  createSale: todo('createSale'),
  getSale: todo('getSale'),
  labelSale: todo('labelSale'),
};

export const service = defineService({
  name: 'bookstore',
  contract,
  handlers,
  migrations: {
    ...migrations,
    '900-owners': migration(
      `alter table books add tenant text not null;
      alter table stores add tenant text not null, drop constraint stores_name_key, add unique (tenant, name);
      ${policiesOf('bookstore', tenants)}`,
      `drop policy owner on books; drop policy owner on stores;
      alter table books drop tenant, disable row level security; alter table stores drop tenant, disable row level security`,
    ),
  },
  addressPlan: 'free',
});
