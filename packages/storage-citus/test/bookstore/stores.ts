/** Operations on stores whose authors do not think of distribution. */
import { read, write } from '@repo/bookstore/api';
import { BOOK } from '@repo/bookstore/books';
import { stores as plain, STORE } from '@repo/bookstore/stores';

const missing = (storeId: number) => ({ missing: `There is no store ${storeId}` });

const listStores = read('listStores', { city: true }, ({ query: { city } }, db, { page }) =>
  page(db.selectFrom('stores').select(STORE), { by: 'id', where: { city } }),
);

/** Changes columns that no list filters by. */
const updateStore = write(
  'updateStore',
  { name: true, capacity: true, state: true },
  ({ path: { storeId }, body: { name, state } }, db, { row }) => {
    const update = db.updateTable('stores').set({ name, state }).where('id', '=', storeId);
    return row(update.returning([...STORE, 'name as etag']), { headers: { ETag: 'etag' }, ...missing(storeId) });
  },
);

/** Sets the city to the new name: lists filter by it. */
const replaceStoreName = write(
  'replaceStoreName',
  { name: true },
  ({ path: { storeId }, body: { name: city } }, db, { row }) => {
    const update = db.updateTable('stores as s').set({ city, capacity: 42 }).where('s.id', '=', storeId);
    return row(update.returning([...STORE, 'name as etag']), { headers: { ETag: 'etag' }, ...missing(storeId) });
  },
);

/** Books by title would be spread over the nodes. */
const listStoreBooks = read('listStoreBooks', { format: true, title: true }, ({ path, query }, db, { page }) =>
  page(db.selectFrom('books').select(BOOK), { by: 'id', where: { store_id: path.storeId, format: query.format } }),
);

/** The other operations are written as for one Postgres. `getStock` reads both tables, so it is refused at run time. */
export const stores = { ...plain, listStores, listStoreBooks, updateStore, replaceStoreName };
