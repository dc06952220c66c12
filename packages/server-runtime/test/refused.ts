/** Mistakes that must not compile: `tsc` reports each line below that it accepts. */
import {
  defineService,
  type HandlerTools,
  type JsonText,
  operationsOf,
  type Refined,
  type Value,
} from '@petstore-platform/server-runtime';
import { compiled, read, write } from '@repo/bookstore/api';
import { BOOK, books } from '@repo/bookstore/books';
import { contract } from '@repo/bookstore/generated/contract';
import type { Format } from '@repo/bookstore/generated/operations';
import type { GeneratedTables } from '@repo/bookstore/generated/tables';
import { STORE, stores } from '@repo/bookstore/stores';
import type { tables } from '@repo/bookstore/tables';
import * as tenanted from '@repo/bookstore/tenanted';
import { type Kysely, sql } from 'kysely';

const base = { name: 'x', contract, migrations: {}, addressPlan: 'free' } as const;
const handlers = { ...books, ...stores };
const { getBook: _, ...incomplete } = handlers;
const none = async () => null as never;
declare const builder: Kysely<NonNullable<typeof tables.types>>;
const uses = { title: true, storeId: true, format: true } as const;
const changes = { name: true, capacity: true, state: true } as const;
const body = { id: 1, name: '', city: '', state: 'open' } as const;

defineService({ ...base, handlers });
// @ts-expect-error -- an operation without a handler
defineService({ ...base, handlers: incomplete });
// @ts-expect-error -- a handler without an operation
defineService({ ...base, handlers: { ...handlers, burnBook: books.getBook } });
// @ts-expect-error -- a handler that neither `read` nor `write` has made
defineService({ ...base, handlers: { ...handlers, createBook: () => none } });
// @ts-expect-error -- the handler of another operation
defineService({ ...base, handlers: { ...handlers, getBook: books.listBooks } });
// @ts-expect-error -- a plan that the contract does not have
defineService({ ...base, handlers, addressPlan: 'gold' });

const titles = compiled((db) => db.selectFrom('books').select('title'));
const sorted = compiled((db) => db.selectFrom('books').select(BOOK));
read('listBooks', { format: true }, (_, db, { page, row }) => {
  const books = db.selectFrom('books').select(BOOK);
  // @ts-expect-error -- a page by a column of no table of its query
  page(books, { by: 'isbn' });
  // @ts-expect-error -- a filter by a value that the column cannot have
  page(books, { by: 'id', where: { store_id: 'x' } });
  // @ts-expect-error -- the beginning of a number
  page(books, { by: 'id', where: { store_id: { startsWith: '1' } } });
  // @ts-expect-error -- the items of another list
  page(db.selectFrom('stores').select(STORE), { by: 'id' });
  // @ts-expect-error -- a compiled query without the fields of the contract
  page(titles(db), { by: 'id' });
  // @ts-expect-error -- an order by a column that the table does not have
  page(sorted(db), { by: 'isbn' });
  // @ts-expect-error -- a row where the contract has a list
  row(books);
  return page(books, { by: 'id' });
});
// @ts-expect-error -- a query parameter that is not named
read('listBooks', {}, none);
// @ts-expect-error -- a field that the page has
read('listBooks', { format: true, limit: true }, none);
// @ts-expect-error -- a field that the request does not have
read('listBooks', { formt: true }, none);
// @ts-expect-error -- fields that are not named at all
read('listBooks', (_, db, { page }) => page(db.selectFrom('books').select(BOOK), { by: 'id' }));
// @ts-expect-error -- a field of the body of a stream that is not named
tenanted.stream('createBook', { title: true, format: true }, none);
// @ts-expect-error -- a page of an operation without `limit` and `cursor`
read('getBook', (_, db, { page }) => page(db.selectFrom('books').select(BOOK), { by: 'id' }));
// @ts-expect-error -- a value that a compiled query needs
compiled((db, value: Value<{ id: number }>) => db.selectFrom('books').where('id', '=', value('id')))(builder);

read('getBook', (_, db, { row, rows }) => {
  const books = db.selectFrom('books');
  // @ts-expect-error -- a field of the contract without a column
  row(books.select(['id', 'title', 'store_id as storeId']));
  // @ts-expect-error -- a column that is no field
  row(books.select([...BOOK, 'store_id']));
  // @ts-expect-error -- a column that the table does not have
  row(books.select(['isbn', ...BOOK]));
  // @ts-expect-error -- rows where the contract has an object
  rows(books.select(BOOK));
  return row(books.select(BOOK));
});
read('getStock', { format: true }, (_, db, { row }) => {
  const sales = db.selectFrom('sales');
  // @ts-expect-error -- a column of another type
  row(db.selectFrom('books').select(['title as store', 'title as books']));
  // @ts-expect-error -- a column that may be null for a field that is required
  row(sales.select(['buyer_city as store', 'id as books']));
  // @ts-expect-error -- a decimal for a number, which would be rounded
  row(sales.select(['buyer_name as store', 'price as books']));
  // @ts-expect-error -- a header that the contract does not declare
  row(sales.select(['buyer_name as store', 'id as books', 'cashier']), { headers: { ETag: 'cashier' } });
  return row(sales.select(['buyer_name as store', 'id as books']));
});
type Body<Value> = { status: 200; body: Value | JsonText<Value> };
declare const text: HandlerTools<Body<string>>;
declare const numbers: HandlerTools<Body<number[]>>;
declare const map: HandlerTools<Body<{ id: number; [other: string]: number | string }>>;
const title = builder.selectFrom('books').select('title');
// @ts-expect-error -- a row for a body that is a text
text.row(title);
// @ts-expect-error -- rows for a list of numbers
numbers.rows(title);
// @ts-expect-error -- a column for a field that an open object does not name
map.row(title.select('id'));
map.row(builder.selectFrom('books').select('id'));

write('createBook', uses, none);
// @ts-expect-error -- a safe operation
write('getBook', none);
// @ts-expect-error -- a field of the body that is not named
write('createBook', { title: true, storeId: true }, none);
// @ts-expect-error -- fields that are not named
write('createBook', none);
// @ts-expect-error -- a body that the contract does not declare
write('createBook', uses, async () => ({ status: 201, body: { id: 1 } }));
// @ts-expect-error -- a header that is not named
write('createSale', { soldAt: true, due: true, price: true, buyer: true, titles: true, labels: true }, none);

write('updateStore', changes, async () => ({ status: 200, headers: { ETag: '' }, body }));
// @ts-expect-error -- without a header that the contract requires
write('updateStore', changes, async () => ({ status: 200, body }));
// @ts-expect-error -- a header that the contract does not declare
write('updateStore', changes, async () => ({ status: 200, headers: { ETag: '', Age: '' }, body }));
// @ts-expect-error -- any header, where it declares none
write('deleteBook', async () => ({ status: 204, headers: { Age: '1' } }));
// @ts-expect-error -- a row without a header that the contract requires
write('updateStore', changes, (_, db, { row }) => row(db.updateTable('stores').set({ name: '' }).returning(STORE)));
write('updateStore', changes, (_, db, { row }) => {
  const update = db.updateTable('stores').set({ name: '' });
  return row(update.returning([...STORE, sql<string>`'x'`.as('etag')]), { headers: { ETag: 'etag' } });
});

read('getStock', { format: true }, none);
read('getStock', { format: true }, async () => ({
  status: 200,
  headers: { 'Last-Modified': '' },
  body: { store: '', books: 1 },
}));
// @ts-expect-error -- a header that the contract does not declare
read('getStock', { format: true }, async () => ({ status: 200, headers: { ETag: '' }, body: { store: '', books: 1 } }));
// @ts-expect-error -- an unsafe operation
read('createBook', uses, none);
// @ts-expect-error -- a read that writes
read('getBook', async (_, db) => await db.deleteFrom('books').execute());
// @ts-expect-error -- a body that the contract does not declare
read('getBook', async () => ({ status: 200, body: { id: 1 } }));

// @ts-expect-error -- the values of a column that the table does not have
export type Misspelled = Refined<GeneratedTables, { books: { fromat: Format } }>;
// @ts-expect-error -- the values of a column of no table
export type Misplaced = Refined<GeneratedTables, { book: { format: Format } }>;

const book = { id: 1, title: '', storeId: 1 };
// @ts-expect-error -- a status that the contract does not declare
write('createBook', uses, async () => ({ status: 200, body: book }));
// @ts-expect-error -- a field of another type
read('getBook', async () => ({ status: 200, body: { ...book, id: '1' } }));
// @ts-expect-error -- without a required field
read('listBooks', { format: true }, async () => ({ status: 200, body: [{ id: 1, title: '' }] }));
// @ts-expect-error -- no such query parameter
read('listBooks', { format: true }, async ({ query }) => ({ status: 200, body: [book].slice(query.offset) }));

// @ts-expect-error -- a table of tenants that is none
operationsOf(contract, { ...tenanted.tables, tenants: { pots: 'tenant' } });
// @ts-expect-error -- a column of the owner that is no text
operationsOf(contract, { ...tenanted.tables, tenants: { stores: 'capacity' } });
tenanted.write('createBook', uses, ({ body: { title, storeId } }, db, { row }) =>
  // @ts-expect-error -- an insertion that says whose row it is
  row(db.insertInto('books').values({ title, store_id: storeId, tenant: 'x' }).returning(BOOK)),
);
tenanted.write('replaceStoreName', { name: true }, async (_, db) => {
  // @ts-expect-error -- a change of the owner
  db.updateTable('stores').set({ tenant: 'x' });
  tenanted.unscoped(db).updateTable('stores').set({ tenant: 'x' });
  return null as never;
});
tenanted.read('getStore', (_, db, { row }) =>
  // @ts-expect-error -- a table of tenants in an operation that is open to everybody
  row(db.selectFrom('stores').select(STORE)),
);
tenanted.read('getStore', (_, db, { row }) => row(tenanted.unscoped(db).selectFrom('stores').select(STORE)));
// @ts-expect-error -- a change in a read, by `unscoped`
tenanted.read('getStore', (_, db, { row }) => row(tenanted.unscoped(db).deleteFrom('stores').returning(STORE)));
