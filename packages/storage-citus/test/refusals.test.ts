import { defineService } from '@petstore-platform/server-runtime';
import { bind, type Caller } from '@petstore-platform/server-runtime/testing';
import { temporaryDatabase } from '@petstore-platform/testkit/database';
import { read, write } from '@repo/bookstore/api';
import { books } from '@repo/bookstore/books';
import { contract } from '@repo/bookstore/generated/contract';
import { migrations } from '@repo/bookstore/migrations';
import { stores as ordinary, STORE } from '@repo/bookstore/stores';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { citusBlocks } from '../src/index.ts';
import { service } from './bookstore/service.ts';
import { stores } from './bookstore/stores.ts';
import { distribute } from './support/cluster.ts';

const base = { name: 'bookstore', contract, migrations, addressPlan: 'free' } as const;

/** Defines a service whose stores may be distributed, with other operations on them. */
const define = (handlers: object, table = 'stores') =>
  defineService({
    ...base,
    handlers: { ...books, ...stores, ...handlers },
    distributed: [citusBlocks({ table })],
  });

/** The handlers of such a service on one Postgres, where the refusals are the same. */
async function handlersOf(handlers: object, table?: string) {
  const { createHandlers, migrateUp, openDatabase } = bind(define(handlers, table));
  const db = openDatabase(await temporaryDatabase());
  onTestFinished(() => db.close());
  await migrateUp(db);
  return createHandlers(db);
}

const context = { path: '', caller: { id: 'key:1' } as Caller, fingerprint: undefined };
const ONLY =
  'stores may be distributed: a page of it, a row by its id, and the insertion or the change of one are answers';

// biome-ignore lint/suspicious/noExplicitAny: statements of any form
type Write = (db: any) => any;

describe('what Citus cannot do is refused when it runs, by the name of the operation: ', () => {
  const store = { name: 'x', city: 'y' };
  test.for([
    ['an insertion', (db) => db.insertInto('stores').values(store).execute()],
    ['a read', (db) => db.selectFrom('stores').selectAll().execute()],
    [
      'a step of with',
      (db) =>
        db
          .with('d', (q: typeof db) => q.deleteFrom('stores'))
          .selectFrom('books')
          .selectAll()
          .execute(),
    ],
    [
      'a read in an update',
      (db) =>
        db
          .updateTable('books')
          .set({ title: db.selectFrom('stores').select('name') })
          .execute(),
    ],
    ['SQL in an update', (db) => db.updateTable('books').set({ title: sql`(select max(city) from Stores)` }).execute()],
  ] as [string, Write][])('%s before an answer', async ([, run]) => {
    const deleteStore = write('deleteStore', async (_, db) => {
      await run(db);
      return { status: 204 };
    });
    const { deleteStore: refused } = await handlersOf({ deleteStore });
    await expect(refused({ path: { storeId: 1 }, headers: {} }, context)).rejects.toThrow(`deleteStore: ${ONLY}`);
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers of any form
  type Make = (db: any, answers: any) => never;
  const inSql = sql<string>`(select max(title) from Books)`;
  test.for([
    [
      'createStore',
      'an insertion with an expression',
      (db, { row }) =>
        row(
          db
            .insertInto('stores')
            .values(store)
            .returning(['id', sql`upper(name)`.as('name')]),
        ),
    ],
    [
      'createStore',
      'an insertion elsewhere',
      (db, { row }) =>
        row(db.insertInto('visits').values({ note: 'x' }).returning(db.selectFrom('stores').select('name').as('name'))),
    ],
    [
      'deleteStore',
      'a change by a select',
      (db, { row }) =>
        row(
          db
            .updateTable('stores')
            .set({ name: db.selectFrom('books').select('title') })
            .where('id', '=', 1),
        ),
    ],
    [
      'deleteStore',
      'a change by SQL',
      (db, { row }) => row(db.updateTable('stores').set({ name: inSql }).where('id', '=', 1)),
    ],
    [
      'deleteStore',
      'a change elsewhere',
      (db, { row }) => row(db.deleteFrom('books').where('store_id', 'in', db.selectFrom('stores').select('id'))),
    ],
    [
      'getStore',
      'a row with a select',
      (db, { row }) =>
        row(
          db
            .selectFrom('stores')
            .select(['id', db.selectFrom('books').select('title').as('name')])
            .where('id', '=', 1),
        ),
    ],
    [
      'getStore',
      'a row with itself',
      (db, { row }) =>
        row(
          db
            .selectFrom('stores')
            .select(['id', db.selectFrom('stores as s').select('s.name').as('name')])
            .where('id', '=', 1),
        ),
    ],
    [
      'getStore',
      'a row with SQL',
      (db, { row }) =>
        row(
          db
            .selectFrom('stores')
            .select(['id', inSql.as('name')])
            .where('id', '=', 1),
        ),
    ],
    ['getStore', 'a shared report', (db, { row }) => row(db.selectFrom('stores').select('name').where('id', '>', 1))],
    [
      'listStores',
      'a page with a select',
      (db, { page }) =>
        page(db.selectFrom('stores').select(['id', db.selectFrom('books').select('title').as('name')]), { by: 'id' }),
    ],
    [
      'listStores',
      'a page with SQL',
      (db, { page }) => page(db.selectFrom('stores').select(['id', inSql.as('name')]), { by: 'id' }),
    ],
    [
      'listStores',
      'a page of several tables',
      (db, { page }) =>
        page(db.selectFrom('stores').innerJoin('books', 'books.store_id', 'stores.id').select('stores.id'), {
          by: 'id',
        }),
    ],
    ['listStores', 'all rows', (db, { rows }) => rows(db.selectFrom('stores').select('id'))],
  ] as [string, string, Make][])('%s: %s', async ([id, , run]) => {
    const make = (_: unknown, db: unknown, answers: unknown) => run(db, answers);
    // biome-ignore lint/suspicious/noExplicitAny: an operation by its name
    const made = /^(get|list)/.test(id) ? (read as any)(id, {}, make, { shared: true }) : (write as any)(id, {}, make);
    const { [id]: refused } = (await handlersOf({ [id]: made })) as never;
    const request = { path: { storeId: 1 }, query: { limit: 3 }, headers: {}, body: store };
    // biome-ignore lint/suspicious/noExplicitAny: an operation by its name
    await expect((refused as any)(request, context)).rejects.toThrow(`${id}: ${ONLY}`);
  });

  const page = { query: { limit: 3 } };

  test('a page in another order, or by the beginning of a text', async () => {
    const { listStores } = await handlersOf({ listStores: ordinary.listStores });
    const byId = 'stores may be distributed by id: a page goes by id alone, in ascending order';
    await expect(listStores(page, context)).rejects.toThrow(byId);
    const byPrefix = read('listStores', { city: true }, (_, db, answers) =>
      answers.page(db.selectFrom('stores').select(STORE), { by: 'id', where: { city: { startsWith: 'B' } } }),
    );
    await expect((await handlersOf({ listStores: byPrefix })).listStores(page, context)).rejects.toThrow(
      'stores may be distributed: no page filters by the beginning of city',
    );
  });

  test('a row by another column', async () => {
    const byName = read('getStore', (_, db, answers) =>
      answers.row(db.selectFrom('stores').select(STORE).where('name', '=', 'x')),
    );
    const { getStore } = await handlersOf({ getStore: byName });
    await expect(getStore({ path: { storeId: 1 } }, context)).rejects.toThrow(
      'stores may be distributed by id: a row is looked up by its id',
    );
  });
});

test('the names of a table that belong to it fit into those of Postgres', () => {
  expect(() => citusBlocks({ table: 'a'.repeat(41) })).toThrow("a distributed table's name has 40 characters at most");
});

test('a table that is distributed twice is refused', () => {
  const twice = [citusBlocks({ table: 'books' }), citusBlocks({ table: 'books' })];
  const handlers = { ...books, ...ordinary };
  expect(() => defineService({ ...base, handlers, distributed: twice })).toThrow(
    'books may be distributed in one way only',
  );
});

test('reads and writes of several statements are refused when they run, also on one Postgres', async () => {
  const hidden = read('getStock', { format: true }, async (_, db) => {
    const books = await db.selectFrom('books').select(sql<number>`(select count(*) from Stores)`.as('n')).execute();
    return { status: 200, body: { store: '', books: books.length } };
  });
  const { getStock, updateStore } = await handlersOf({ updateStore: ordinary.updateStore });
  for (const refused of [getStock, (await handlersOf({ getStock: hidden })).getStock])
    await expect(refused({ path: { storeId: 1 }, query: {} }, context)).rejects.toThrow(`getStock: ${ONLY}`);
  const request = { path: { storeId: 1 }, headers: {}, body: { name: 'x' } };
  await expect(updateStore(request, context)).rejects.toThrow(`updateStore: ${ONLY}`);
});

test('distribute names what is missing', async () => {
  const url = await temporaryDatabase();
  const { migrateUp, withDatabase } = bind(service);
  await withDatabase(url, migrateUp);
  for (const args of [[], ['--check']])
    expect(await distribute(url, ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'bookstore-server: The database lacks the extension citus: see docs/scale.md\n',
    });
  expect((await distribute(url, '--shards', '0')).stderr).toContain('--shards');
});
