/** Correct programs of many forms, beside those of the bookstore and of docs/: `tsc` reports each that does not compile. */
import { ApiError, defineService } from '@petstore-platform/server-runtime';
import { compiled, read, write } from '@repo/bookstore/api';
import { BOOK, books } from '@repo/bookstore/books';
import { contract } from '@repo/bookstore/generated/contract';
import { STORE, stores } from '@repo/bookstore/stores';
import { sql } from 'kysely';

const uses = { title: true, storeId: true, format: true } as const;
const fields = ['id', 'title', 'store_id as storeId'] as const;

/** Bodies that are made by hand: a literal, a value that is computed before, and one without its optional fields. */
const getBook = read('getBook', async ({ path: { bookId } }) => ({
  status: 200,
  body: { id: bookId, title: '', storeId: 1, format: 'ebook' },
}));
const listBooks = read('listBooks', { format: true }, async (_, db) => {
  const found = await db.selectFrom('books').select(fields).execute();
  return { status: 200, body: found.map(({ id, title, storeId }) => ({ id, title, storeId })) };
});

/** Answers of two kinds, and one that is always a failure. */
const getStore = read('getStore', async ({ path: { storeId } }, db, { row }) => {
  if (storeId === 0) return { status: 200, body: { id: 0, name: '', city: '', state: 'open' } };
  return row(db.selectFrom('stores').select(STORE).where('id', '=', storeId));
});
const deleteStore = write('deleteStore', () => {
  throw new ApiError(409, 'Stores stay');
});

/** Columns that are computed, joined, or of a step of `with`; an optional field may be null, or have a narrower type. */
const getStock = read('getStock', { format: true }, ({ path: { storeId } }, db, { row }) =>
  row(
    db
      .with('counted', (step) =>
        step
          .selectFrom('books')
          .select(({ fn }) => ['store_id', fn.countAll<number>().as('books')])
          .groupBy('store_id'),
      )
      .selectFrom('stores')
      .innerJoin('counted', 'counted.store_id', 'stores.id')
      .select(['stores.name as store', 'counted.books'])
      .where('stores.id', '=', storeId),
    { missing: 'There is none' },
  ),
);
const listStoreBooks = read('listStoreBooks', { format: true, title: true }, ({ path, query }, db, { page }) =>
  page(
    db
      .selectFrom('books')
      .innerJoin('stores', 'stores.id', 'books.store_id')
      .select(['books.id', 'books.title', 'stores.id as storeId', sql<'ebook'>`'ebook'`.as('format')])
      .where('stores.state', '!=', 'closed'),
    { by: ['title', 'id'], direction: 'desc', where: { store_id: path.storeId, format: query.format } },
  ),
);

/** A write from a query. */
const createFirst = write('createBook', uses, ({ body: { title, storeId } }, db, { row }) => {
  const store = db
    .selectFrom('stores')
    .select(['id', sql<string>`${title}`.as('title')])
    .where('id', '=', storeId);
  return row(
    db
      .insertInto('books')
      .columns(['store_id', 'title'])
      .expression(store)
      .returning([...fields, sql<null>`null`.as('format')]),
  );
});

const changed = { getBook, listBooks, getStore, deleteStore, getStock, listStoreBooks };
const base = { name: 'x', contract, migrations: {}, addressPlan: 'free' } as const;
export const services = [
  defineService({ ...base, handlers: { ...books, ...stores, ...changed } }),
  defineService({ ...base, handlers: { ...books, ...stores, createBook: createFirst }, addressPlan: 'pro' }),
];

/** A page of a query that is compiled once. */
const all = compiled((db) => db.selectFrom('books').select(BOOK));
read('listBooks', { format: true }, (_, db, { page }) =>
  page(all(db), { by: ['title', 'id'], where: { format: 'ebook' } }),
);
