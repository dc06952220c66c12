import { ApiError } from '@petstore-platform/server-runtime';
import { sql } from 'kysely';
import { read, write } from './api.ts';
import { BOOK } from './books.ts';
import { sales } from './sales.ts';

export const STORE = ['id', 'name', 'city', 'capacity', 'state'] as const;

/** The ETag depends on each field that `updateStore` and `replaceStoreName` change. */
const STORE_WITH_ETAG = [...STORE, sql<string>`format('"%s-%s"', name, state)`.as('etag')] as const;

const headers = { ETag: 'etag' } as const;

const conflict = ({ body }: { body: { name?: string | undefined } }) => `There is a store named ${body.name}`;

const missing = (storeId: number) => ({ missing: `There is no store ${storeId}` });

const listStores = read('listStores', { city: true }, ({ query: { city } }, db, { page }) =>
  page(db.selectFrom('stores').select(STORE), { by: 'id', direction: 'desc', where: { city } }),
);

const listStoreBooks = read('listStoreBooks', { format: true, title: true }, ({ path, query }, db, { page }) =>
  page(db.selectFrom('books').select(BOOK), {
    by: ['title', 'id'],
    where: { store_id: path.storeId, format: query.format, title: { startsWith: query.title } },
  }),
);

const createStore = write(
  'createStore',
  { name: true, city: true, capacity: true },
  ({ body: { name, city, capacity = null } }, db, { row }) =>
    row(db.insertInto('stores').values({ name, city, capacity }).returning(STORE)),
  { conflict },
);

const getStore = read('getStore', ({ path: { storeId } }, db, { row }) =>
  row(db.selectFrom('stores').select(STORE).where('id', '=', storeId), missing(storeId)),
);

const updateStore = write(
  'updateStore',
  { name: true, capacity: true, state: true },
  async ({ path: { storeId }, body }, db, { row }) => {
    const store = await db
      .selectFrom('stores')
      .select('state')
      .where('id', '=', storeId)
      .forUpdate()
      .executeTakeFirst();
    if (!store) throw new ApiError(404, `There is no store ${storeId}`);
    if (store.state === 'closed' && body.state !== 'closed')
      throw new ApiError(409, 'A closed store stays closed', { code: 'store_closed' });
    const { name, capacity, state } = body;
    const update = db.updateTable('stores').set({ name, capacity, state }).where('id', '=', storeId);
    return row(update.returning(STORE_WITH_ETAG), { headers });
  },
  { conflict },
);

const replaceStoreName = write(
  'replaceStoreName',
  { name: true },
  ({ path: { storeId }, body: { name } }, db, { row }) => {
    const update = db.updateTable('stores').set(({ ref }) => ({ name: name ?? ref('name') }));
    return row(update.where('id', '=', storeId).returning(STORE_WITH_ETAG), { headers, ...missing(storeId) });
  },
  { conflict },
);

const deleteStore = write('deleteStore', ({ path: { storeId } }, db, { row }) =>
  row(db.deleteFrom('stores').where('id', '=', storeId), missing(storeId)),
);

const getStock = read('getStock', { format: true }, ({ path: { storeId }, query }, db, { row }) =>
  row(
    db
      .selectFrom('stores')
      .leftJoin('books', (join) => {
        const ofStore = join.onRef('books.store_id', '=', 'stores.id');
        return query.format ? ofStore.on('books.format', '=', query.format) : ofStore;
      })
      .select(({ fn }) => ['stores.name as store', fn.count<number>('books.id').as('books')])
      .where('stores.id', '=', storeId)
      .groupBy('stores.name'),
    missing(storeId),
  ),
);

export const stores = {
  ...sales,
  listStores,
  listStoreBooks,
  createStore,
  getStore,
  updateStore,
  replaceStoreName,
  deleteStore,
  getStock,
};
