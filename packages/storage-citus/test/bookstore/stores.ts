/** Operations on stores whose authors do not think of distribution. */
import { change, create, get, list } from '../../../server-runtime/test/bookstore/api.ts';
import { bookJson } from '../../../server-runtime/test/bookstore/books.ts';
import { stores as plain, storeJson } from '../../../server-runtime/test/bookstore/stores.ts';

const missing = ({ path }: { path: { storeId: number } }) => `There is no store ${path.storeId}`;

const listStores = list('listStores', { from: 'stores', order: 'id', filters: { city: 'city' }, item: storeJson });

/** Postgres fills `state`, which the response shows, and `opened_at`. */
const createStore = create('createStore', {
  into: 'stores',
  values: { name: 'name', city: 'city', capacity: 'capacity' },
  item: storeJson,
});

const getStore = get('getStore', {
  from: 'stores',
  by: 'id',
  key: ({ path }) => path.storeId,
  item: storeJson,
  missing,
});

/** Changes columns that no list filters by. */
const updateStore = change('updateStore', {
  uses: { name: true, capacity: true, state: true },
  new: { id_of_store: 'stores.id', new_name: 'stores.name', new_state: 'stores.state' },
  row: ({ path, body }) => ({ id_of_store: path.storeId, new_name: body.name, new_state: body.state }),
  change: (db) =>
    db
      .updateTable('stores')
      .from('new')
      .set((eb) => ({
        name: eb.fn.coalesce('new.new_name', 'stores.name'),
        state: eb.fn.coalesce('new.new_state', 'stores.state'),
      }))
      .whereRef('stores.id', '=', 'new.id_of_store')
      .returning('new.position')
      .returningAll('stores'),
  status: 200,
  headers: { ETag: 'name' },
  body: storeJson,
  failures: { 404: missing },
});

/** Also sets the city to the new name: lists filter by it. */
const replaceStoreName = change('replaceStoreName', {
  uses: { name: true },
  new: { id_of_store: 'stores.id', new_city: 'stores.city' },
  row: ({ path, body }) => ({ id_of_store: path.storeId, new_city: body.name }),
  change: (db) => ({
    moved: db
      .updateTable('stores as s')
      .from('new')
      .set((eb) => ({ city: eb.fn.coalesce('new.new_city', 's.city'), capacity: 42 }))
      .whereRef('s.id', '=', 'new.id_of_store')
      // This returns neither the id nor the city of the row.
      .returning(['new.position', 's.name as moved_name', 's.capacity', 's.state', 'new.id_of_store', 'new.new_city']),
    change: db
      .selectFrom('moved' as never)
      .select([
        'position',
        'id_of_store as id',
        'moved_name as name',
        'new_city as city',
        'capacity',
        'state',
      ] as never[]),
  }),
  status: 200,
  headers: { ETag: 'name' },
  body: storeJson,
  failures: { 404: missing },
});

/** Books by title would be spread over the nodes. */
const listStoreBooks = list('listStoreBooks', {
  from: 'books',
  order: 'id',
  filters: { storeId: 'store_id', format: 'format', title: false },
  item: bookJson,
});

/** The other operations are written as for one Postgres. `getStock` reads both tables, so it is refused at run time. */
export const stores = { ...plain, listStores, listStoreBooks, createStore, getStore, updateStore, replaceStoreName };
