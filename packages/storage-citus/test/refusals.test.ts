import { defineService } from '@repo/server-runtime';
import { type ApiKey, bind } from '@repo/server-runtime/testing';
import { temporaryDatabase } from '@repo/testkit/database';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { change, get, list, read } from '../../server-runtime/test/bookstore/api.ts';
import { books } from '../../server-runtime/test/bookstore/books.ts';
import { contract } from '../../server-runtime/test/bookstore/generated/contract.ts';
import { migrations } from '../../server-runtime/test/bookstore/migrations.ts';
import { storeJson as item, stores as ordinary } from '../../server-runtime/test/bookstore/stores.ts';
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

// biome-ignore lint/suspicious/noExplicitAny: steps of any form
type Write = (db: any) => unknown;

const deletingBy = (write: Write) =>
  define({
    deleteStore: change('deleteStore', { new: {}, row: () => ({}), change: write as never, inserts: [], status: 204 }),
  });

describe('what Citus cannot do is refused when the service is defined, by the name of the operation: ', () => {
  const row = { name: 'x', city: 'y' };
  const update = sql`update stores set city = 'x' from new returning position`;
  test.for([
    ['SQL', () => update],
    ['SQL in capitals', () => sql`DELETE FROM STORES RETURNING 1 AS position`],
    ['SQL as a step', () => ({ moved: update, change: sql`select * from moved` })],
    ['SQL with a reference', () => sql`update ${sql.table('stores')} set city = 'x'`],
    ['an insertion', (db) => db.insertInto('stores').values(row)],
    ['a read', (db) => db.selectFrom('stores').selectAll()],
    [
      'a step of with',
      (db) =>
        db
          .with('d', (q: typeof db) => q.deleteFrom('stores'))
          .selectFrom('d')
          .selectAll(),
    ],
    ['a read in an update', (db) => db.updateTable('stores').set({ city: db.selectFrom('stores').select('name') })],
    ['SQL in an update', (db) => db.updateTable('stores').set({ city: sql`(select max(city) from stores)` })],
  ] as [string, Write][])('%s', ([, write]) => {
    expect(() => deletingBy(write)).toThrow(
      /^deleteStore: The step (change|moved) uses stores, which may be distributed: a step of Kysely's builder may /,
    );
  });

  test('a list in another order, or by a column whose values Postgres writes differently', () => {
    expect(() => define({ listStores: ordinary.listStores })).toThrow(
      'listStores: stores may be distributed by id: a list goes by id alone, in ascending order',
    );
    expect(() => define({ listStoreBooks: ordinary.listStoreBooks }, 'books')).toThrow(
      'listStoreBooks: books may be distributed by id: a list goes by id alone, in ascending order',
    );
    const byPrefix = {
      from: 'stores',
      order: 'id',
      filters: { city: { column: 'city', match: 'prefix' } },
      item,
    } as const;
    expect(() => define({ listStores: list('listStores', byPrefix) })).toThrow(
      'listStores: stores may be distributed: no list filters by the beginning of city',
    );
    const byTime = { from: 'stores', order: 'id', filters: { city: 'opened_at' }, item };
    expect(() => define({ listStores: list('listStores', byTime as never) })).toThrow(
      'listStores: stores may be distributed: no list filters by timestamptz',
    );
  });

  test('a get by another column', () => {
    const byName = { from: 'stores', by: 'name', key: () => 'x', item, missing: () => '' } as const;
    expect(() => define({ getStore: get('getStore', byName) })).toThrow(
      'getStore: stores may be distributed by id: get goes by id',
    );
  });
});

test('other tables are changed in any way', () => {
  expect(() => deletingBy((db) => db.insertInto('books').values({ title: 'x', store_id: 1 }))).not.toThrow();
  expect(() => deletingBy(() => sql`delete from books using new`)).not.toThrow();
  const { listStoreBooks } = stores;
  expect(() => define({ ...ordinary, listStoreBooks }, 'books')).not.toThrow();
});

test('the names of a table that belong to it fit into those of Postgres', () => {
  expect(() => citusBlocks({ table: 'a'.repeat(41) })).toThrow("a distributed table's name has 40 characters at most");
});

test('a table that no operation uses, or twice, is refused', () => {
  expect(() => define({}, 'storse')).toThrow('storse may be distributed, but no operation lists, gets or creates its');
  const twice = [citusBlocks({ table: 'books' }), citusBlocks({ table: 'books' })];
  const handlers = { ...books, ...ordinary };
  expect(() => defineService({ ...base, handlers, distributed: twice })).toThrow(
    'books may be distributed in one way only',
  );
});

test('read and transaction are refused when they run, also on one Postgres', async () => {
  const hidden = read('getStock', { format: true }, async (_, db) => {
    const books = await db.selectFrom('books').select(sql<number>`(select count(*) from Stores)`.as('n')).execute();
    return { status: 200, body: { store: '', books: books.length } };
  });
  const { createHandlers: createHidden } = bind(define({ getStock: hidden }));
  const { createHandlers, migrateUp, openDatabase } = bind(define({ updateStore: ordinary.updateStore }));
  const db = openDatabase(await temporaryDatabase());
  onTestFinished(() => db.close());
  await migrateUp(db);
  const { getStock, updateStore } = createHandlers(db);
  const context = { path: '', apiKey: { id: 1 } as ApiKey, fingerprint: undefined };
  for (const { getStock: refused } of [{ getStock }, createHidden(db)])
    await expect(refused({ path: { storeId: 1 }, query: {} }, context)).rejects.toThrow(
      'getStock: stores may be distributed: only list and get read its rows, unless service.ts leaves it out of `distributed`',
    );
  await expect(updateStore({ path: { storeId: 1 }, headers: {}, body: { name: 'x' } }, context)).rejects.toThrow(
    'updateStore: stores may be distributed: only create and change change its rows',
  );
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
