/** What must not compile: `tsc` reports each line below that it accepts. */
import { defineService } from '@repo/server-runtime';
import { sql } from 'kysely';
import { change, get, list, read, rowJson, write } from './api.ts';
import { createBook, deleteBook, getBook, listBooks } from './books.ts';
import { contract } from './generated/contract.ts';
import { stores } from './stores.ts';

const item = rowJson('Book', { id: 'id', title: 'title', storeId: 'store_id', format: 'format' });
const base = { name: 'x', contract, migrations: {}, addressPlan: 'free' } as const;
const handlers = { ...stores, listBooks, createBook, getBook, deleteBook };
const { getBook: _, ...incomplete } = handlers;
const of = { new: { title: 'text' }, row: () => ({ title: '' }), change: sql`select` } as const;

defineService({ ...base, handlers });
// @ts-expect-error -- an operation without a handler
defineService({ ...base, handlers: incomplete });
// @ts-expect-error -- a handler without an operation
defineService({ ...base, handlers: { ...handlers, burnBook: getBook } });
// @ts-expect-error -- an idempotent operation whose handler is not of `change`
defineService({ ...base, handlers: { ...handlers, createBook: () => async () => ({}) as never } });
// @ts-expect-error -- the handler of another operation
defineService({ ...base, handlers: { ...handlers, getBook: listBooks } });
// @ts-expect-error -- a plan that the contract does not have
defineService({ ...base, handlers, addressPlan: 'gold' });
// @ts-expect-error -- no such table
list('listBooks', { from: 'cats', order: 'id', item });
// @ts-expect-error -- no such column
list('listBooks', { from: 'books', order: 'isbn', item });
// @ts-expect-error -- no list
list('getBook', { from: 'books', order: 'id', item });
// @ts-expect-error -- no such query parameter
list('listBooks', { from: 'books', order: 'id', item, filters: { format: 'text' }, where: ({ query }) => query.by });
// @ts-expect-error -- no such path parameter
get('getBook', { from: 'books', key: 'id', item, id: ({ path }) => path.book, missing: () => '' });
// @ts-expect-error -- a field of the contract without a column
rowJson('Book', { id: 'id', title: 'title', storeId: 'store_id' });
// @ts-expect-error -- no schema of the contract
rowJson('Cat', {});
change('createBook', { ...of, status: 201, body: item });
// @ts-expect-error -- a status that the contract does not declare
change('createBook', { ...of, status: 200, body: item });
// @ts-expect-error -- without the body
change('createBook', { ...of, status: 201 });
// @ts-expect-error -- with a body
change('deleteBook', { ...of, status: 204, body: item });
// @ts-expect-error -- a column of `new` that `row` lacks
change('createBook', { ...of, new: { title: 'text', store_id: 'bigint' }, status: 201, body: item });
// @ts-expect-error -- a safe operation
change('getBook', { ...of, status: 200, body: item });
// @ts-expect-error -- an unsafe operation
read('createBook', () => async () => ({}) as never);
// @ts-expect-error -- an operation that declares `Idempotency-Key`
write('createBook', () => async () => ({}) as never);
// @ts-expect-error -- a read that writes
read('getBook', (db) => () => db.write(async () => ({}) as never));
// @ts-expect-error -- a body that the contract does not declare
read('getBook', () => async () => ({ status: 200, body: { id: 1 } }));
