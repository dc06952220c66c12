import { ApiError } from '@repo/server-runtime';
import { sql } from 'kysely';
import { change, create, get, list, read, rowJson, transaction } from './api.ts';
import { bookJson } from './books.ts';
import { sales } from './sales.ts';

export const storeJson = rowJson('Store', {
  id: 'id',
  name: 'name',
  city: 'city',
  capacity: 'capacity',
  state: 'state',
});

/** The ETag depends on each field that `updateStore` and `replaceStoreName` change. */
const etag = sql<string>`format('"%s-%s"', stores.name, stores.state)`.as('etag');

const taken = ({ body }: { body: { name?: string | undefined } }) => `There is a store named ${body.name}`;

const missing = ({ path }: { path: { storeId: number } }) => `There is no store ${path.storeId}`;

const listStores = list('listStores', {
  from: 'stores',
  order: 'id',
  direction: 'desc',
  filters: { city: 'city' },
  item: storeJson,
});

const listStoreBooks = list('listStoreBooks', {
  from: 'books',
  order: ['title', 'id'],
  filters: { storeId: 'store_id', format: 'format', title: { column: 'title', match: 'prefix' } },
  item: bookJson,
});

const createStore = create('createStore', {
  into: 'stores',
  values: { name: 'name', city: 'city', capacity: 'capacity' },
  item: storeJson,
  conflict: taken,
});

const getStore = get('getStore', {
  from: 'stores',
  by: 'id',
  key: ({ path }) => path.storeId,
  item: storeJson,
  missing,
});

const updateStore = transaction(
  'updateStore',
  { name: true, capacity: true, state: true },
  async ({ path, body }, db) => {
    const store = await db
      .selectFrom('stores')
      .select('state')
      .where('id', '=', path.storeId)
      .forUpdate()
      .executeTakeFirst();
    if (!store) throw new ApiError(404, missing({ path }));
    if (store.state === 'closed' && body.state !== 'closed')
      throw new ApiError(409, 'A closed store stays closed', { code: 'store_closed' });
    const { json, etag: ETag } = await db
      .updateTable('stores')
      .set({ name: body.name, capacity: body.capacity, state: body.state })
      .where('id', '=', path.storeId)
      .returning([storeJson('stores').as('json'), etag])
      .executeTakeFirstOrThrow();
    return { status: 200, headers: { ETag }, body: json };
  },
  { conflict: taken },
);

const replaceStoreName = change('replaceStoreName', {
  uses: { name: true },
  new: { id_of_store: 'stores.id', new_name: 'stores.name' },
  row: ({ path, body }) => ({ id_of_store: path.storeId, new_name: body.name }),
  change: (db) =>
    db
      .updateTable('stores')
      .from('new')
      .set((eb) => ({ name: eb.fn.coalesce('new.new_name', 'stores.name') }))
      .whereRef('stores.id', '=', 'new.id_of_store')
      .returning(['new.position', etag])
      .returningAll('stores'),
  status: 200,
  headers: { ETag: 'etag' },
  body: storeJson,
  failures: { 404: missing, 409: taken },
});

const deleteStore = change('deleteStore', {
  new: { id_of_store: 'stores.id' },
  row: ({ path }) => ({ id_of_store: path.storeId }),
  change: (db) =>
    db.deleteFrom('stores').using('new').whereRef('stores.id', '=', 'new.id_of_store').returning('new.position'),
  status: 204,
  failures: { 404: missing },
});

const getStock = read('getStock', { format: true }, async ({ path, query }, db) => {
  const row = await db
    .selectFrom('stores')
    .leftJoin('books', (join) => {
      const own = join.onRef('books.store_id', '=', 'stores.id');
      return query.format ? own.on('books.format', '=', query.format) : own;
    })
    .select(({ fn }) => ['stores.name as store', fn.count<number>('books.id').as('books')])
    .where('stores.id', '=', path.storeId)
    .groupBy('stores.name')
    .executeTakeFirst();
  if (!row) throw new ApiError(404, missing({ path }));
  return { status: 200, body: row };
});

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
