/** Mistakes that must not compile: `tsc` reports each line below that it accepts. */
import { defineService, type Refined } from '@repo/server-runtime';
import { sql } from 'kysely';
import { change, create, get, list, read, rowJson, transaction } from './api.ts';
import { books } from './books.ts';
import { contract } from './generated/contract.ts';
import type { Format, Handlers } from './generated/operations.ts';
import type { GeneratedTables } from './generated/tables.ts';
import { stores } from './stores.ts';

const item = rowJson('Book', { id: 'id', title: 'title', storeId: 'store_id', format: 'format' });
const store = rowJson('Store', { id: 'id', name: 'name', city: 'city', capacity: 'capacity', state: 'state' });
const sale = {
  id: 'id',
  soldAt: 'sold_at',
  due: 'due',
  price: 'price',
  buyer: { name: 'buyer_name', city: 'buyer_city' },
  titles: 'titles',
  labels: 'labels',
  cashier: 'cashier',
  isLarge: () => sql<boolean>`true`,
} as const;
const sold = rowJson('Sale', sale);
const base = { name: 'x', contract, migrations: {}, addressPlan: 'free' } as const;
const handlers = { ...books, ...stores };
const { getBook: _, ...incomplete } = handlers;
const uses = { title: true, storeId: true, format: true } as const;
const of = { uses, new: { name: 'stores.name' }, row: () => ({ name: '' }), change: sql`select`, inserts: [] } as const;
const renamed = { ...of, uses: { name: true }, status: 200, body: store } as const;
const gone = {
  row: ({ path }: { path: { bookId: number } }) => ({ id: path.bookId }),
  change: sql`select`,
  inserts: [],
  status: 204,
} as const;
const changes = { name: true, capacity: true, state: true } as const;
const body = { id: 1, name: '', city: '', state: 'open' } as const;
const one = { from: 'books', by: 'id', item, missing: () => '' } as const;
const columns = { title: 'title', storeId: 'store_id', format: 'format' } as const;
const none = async () => null as never;
const other = { into: 'books', also: {} as never, item: null as never } as const;

defineService({ ...base, handlers });
// @ts-expect-error -- an operation without a handler
defineService({ ...base, handlers: incomplete });
// @ts-expect-error -- a handler without an operation
defineService({ ...base, handlers: { ...handlers, burnBook: books.getBook } });
// @ts-expect-error -- a handler that no lane has made
defineService({ ...base, handlers: { ...handlers, createBook: () => () => none } });
// @ts-expect-error -- the handler of another operation
defineService({ ...base, handlers: { ...handlers, getBook: books.listBooks } });
// @ts-expect-error -- a plan that the contract does not have
defineService({ ...base, handlers, addressPlan: 'gold' });

list('listBooks', { from: 'books', order: 'id', filters: { format: 'format' }, item });
// @ts-expect-error -- no such table
list('listBooks', { from: 'cats', order: 'id', filters: { format: 'format' }, item });
// @ts-expect-error -- no such column
list('listBooks', { from: 'books', order: 'isbn', filters: { format: 'format' }, item });
// @ts-expect-error -- a column that is no number
list('listBooks', { from: 'books', order: 'title', filters: { format: 'format' }, item });
// @ts-expect-error -- an order by a column that may be null
list('listSales', { from: 'sales', order: ['cashier', 'id'], filters: { buyer: false }, item: sold });
// @ts-expect-error -- no list
list('getBook', { from: 'books', order: 'id', item });
// @ts-expect-error -- a query parameter that is not named
list('listBooks', { from: 'books', order: 'id', item });
// @ts-expect-error -- a filter on a column that cannot hold the value
list('listBooks', { from: 'books', order: 'id', filters: { format: 'store_id' }, item });
// @ts-expect-error -- the beginning of a number
list('listSales', { from: 'sales', order: 'id', filters: { buyer: { column: 'id', match: 'prefix' } }, item: sold });
// @ts-expect-error -- a path parameter that is not named
list('listStoreBooks', { from: 'books', order: 'id', filters: { format: 'format', title: 'title' }, item });
// @ts-expect-error -- the items of another list
list('listBooks', { from: 'books', order: 'id', filters: { format: 'format' }, item: store });
// @ts-expect-error -- the columns of another table
list('listBooks', { from: 'sales', order: 'id', filters: { format: false }, item });

get('getBook', { ...one, key: ({ path }) => path.bookId });
// @ts-expect-error -- no such path parameter
get('getBook', { ...one, key: ({ path }) => path.book });
// @ts-expect-error -- no such column
get('getBook', { ...one, by: 'isbn', key: ({ path }) => path.bookId });
// @ts-expect-error -- an operation with a query parameter, which `get` would not read
get('getStock', { ...one, key: ({ path }) => path.storeId });

// @ts-expect-error -- a field of the contract without a column
rowJson('Book', { id: 'id', title: 'title', storeId: 'store_id' });
// @ts-expect-error -- no field of the schema
rowJson('Book', { id: 'id', title: 'title', storeId: 'store_id', format: 'format', isbn: 'isbn' });
// @ts-expect-error -- no schema of the contract
rowJson('Cat', {});
// @ts-expect-error -- no column of any table
rowJson('Book', { id: 'id', title: 'isbn', storeId: 'store_id', format: 'format' });
// @ts-expect-error -- a column of another type
rowJson('Book', { id: 'id', title: 'store_id', storeId: 'store_id', format: 'format' });
// @ts-expect-error -- a field whose values no column holds
rowJson('Sale', { ...sale, isLarge: 'id' });
// @ts-expect-error -- a column that may be null for a field that is required
rowJson('Stock', { store: 'buyer_city', books: 'id' });
// @ts-expect-error -- a decimal for a number, which would be rounded
rowJson('Stock', { store: 'name', books: 'price' });
// @ts-expect-error -- an expression of another type
rowJson('Stock', { store: 'name', books: (column) => sql<string>`${column('capacity')}` });
// @ts-expect-error -- an expression on no column
rowJson('Stock', { store: 'name', books: (column) => sql<number>`${column('isbn')}` });
// @ts-expect-error -- a column that holds no object
rowJson('Sale', { ...sale, buyer: 'buyer_name' });
// @ts-expect-error -- a field of an object without a column
rowJson('Sale', { ...sale, buyer: { name: 'buyer_name' } });

create('createStore', { into: 'stores', values: { name: 'name', city: 'city', capacity: false }, item: store });
// @ts-expect-error -- a field of the body that is not named
create('createStore', { into: 'stores', values: { name: 'name', city: 'city' }, item: store });
// @ts-expect-error -- a column that cannot hold the value
create('createStore', { into: 'stores', values: { name: 'name', city: 'city', capacity: 'city' }, item: store });
// @ts-expect-error -- a field that no column of the table can hold
create('createStore', { ...other, values: { name: 'title', city: 'title', capacity: 'id' } });
// @ts-expect-error -- a column that must be given, and is not
create('createStore', { into: 'stores', values: { name: 'name', city: false, capacity: false }, item: store });
// @ts-expect-error -- no field of the body
create('createBook', { into: 'books', values: { ...columns, isbn: 'title' }, item });
const fields = {
  soldAt: 'sold_at',
  due: 'due',
  price: 'price',
  buyer: false,
  titles: 'titles',
  labels: 'labels',
} as const;
const also = { buyer_name: () => '' };
create('createSale', { into: 'sales', values: { ...fields, 'x-cashier': false }, also, item: sold });
// @ts-expect-error -- a header that is not named
create('createSale', { into: 'sales', values: fields, also, item: sold });

change('createBook', { ...of, status: 201, body: item });
// @ts-expect-error -- a status that the contract does not declare
change('createBook', { ...of, status: 200, body: item });
// @ts-expect-error -- without the body
change('createBook', { ...of, status: 201 });
// @ts-expect-error -- with a body
change('deleteBook', { ...of, uses: {}, status: 204, body: item });
// @ts-expect-error -- without a header that the contract requires
change('replaceStoreName', { ...renamed });
change('replaceStoreName', { ...renamed, headers: { ETag: 'etag' } });
// @ts-expect-error -- a header that the contract does not declare
change('replaceStoreName', { ...renamed, headers: { ETag: 'etag', Age: 'age' } });
// @ts-expect-error -- a column of `new` that no table has
change('deleteBook', { ...gone, new: { id: 'books.isbn' } });
// @ts-expect-error -- a column of `new` that cannot hold the value
change('deleteBook', { ...gone, new: { id: 'books.title' } });
change('deleteBook', { ...gone, new: { id: 'books.id' } });
// @ts-expect-error -- a column of `new` that `row` lacks
change('createBook', { ...of, new: { name: 'stores.name', city: 'stores.city' }, status: 201, body: item });
// @ts-expect-error -- a field of the body that is not named
change('createBook', { ...of, uses: { title: true }, status: 201, body: item });
// @ts-expect-error -- a safe operation
change('getBook', { ...of, uses: {}, status: 200, body: item });

transaction('createBook', uses, none);
// @ts-expect-error -- a safe operation
transaction('getBook', {}, none);
// @ts-expect-error -- a field of the body that is not named
transaction('createBook', { title: true, storeId: true }, none);
// @ts-expect-error -- a body that the contract does not declare
transaction('createBook', uses, async () => ({ status: 201, body: { id: 1 } }));

transaction('updateStore', changes, async () => ({ status: 200, headers: { ETag: '' }, body }));
// @ts-expect-error -- without a header that the contract requires
transaction('updateStore', changes, async () => ({ status: 200, body }));
// @ts-expect-error -- a header that the contract does not declare
transaction('updateStore', changes, async () => ({ status: 200, headers: { ETag: '', Age: '' }, body }));
// @ts-expect-error -- any header, where it declares none
transaction('deleteBook', {}, async () => ({ status: 204, headers: { Age: '1' } }));

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
// @ts-expect-error -- a query parameter that is not named
read('getStock', {}, none);
// @ts-expect-error -- a read that writes
read('getBook', {}, async (_, db) => await db.deleteFrom('books').execute());
// @ts-expect-error -- a body that the contract does not declare
read('getBook', {}, async () => ({ status: 200, body: { id: 1 } }));

// @ts-expect-error -- the values of a column that the table does not have
export type Misspelled = Refined<GeneratedTables, { books: { fromat: Format } }>;
// @ts-expect-error -- the values of a column of no table
export type Misplaced = Refined<GeneratedTables, { book: { format: Format } }>;

type Of<Id extends keyof Handlers<null>> = Handlers<null>[Id];
const book = { id: 1, title: '', storeId: 1 };
const right: Of<'createBook'> = async () => ({ status: 201, body: book });
// @ts-expect-error -- a status that the contract does not declare
const status: Of<'createBook'> = async () => ({ status: 200, body: book });
// @ts-expect-error -- a field of another type
const type: Of<'getBook'> = async () => ({ status: 200, body: { ...book, id: '1' } });
// @ts-expect-error -- without a required field
const field: Of<'listBooks'> = async () => ({ status: 200, body: [{ id: 1, title: '' }] });
// @ts-expect-error -- no such query parameter
const query: Of<'listBooks'> = async (request) => ({ status: 200, body: [], x: request.query.offset });
export const all = [right, status, type, field, query];
