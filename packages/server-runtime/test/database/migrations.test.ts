import { migration } from '@petstore-platform/server-runtime';
import { withClient } from '@petstore-platform/testkit/postgres';
import { service } from '@repo/bookstore/service';
import { bind } from '@repo/bookstore/testing';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { expect, onTestFinished, test, vi } from 'vitest';
import { insertBook, insertBooks, readBooks } from '../support/books.ts';
import { rowsOf, temporaryDatabase } from '../support/database.ts';
import {
  type DatabaseHandle,
  insertApiKey,
  migrateUp,
  migrations,
  openDatabase,
  temporaryHandle,
  withDatabase,
} from '../support/runtime.ts';
import { temporaryServer } from '../support/server.ts';

/** A later version of the bookstore, with more migrations. */
const later = (own: Record<string, Migration>) => bind({ ...service, migrations: { ...migrations, ...own } });

const addSubtitle = migration('alter table books add subtitle text', 'alter table books drop subtitle');

/** The lines that a command prints for an operator. */
function printed() {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  return print.mock.calls;
}

/** The schema of the database, as Postgres describes it. */
async function schemaOf(url: string): Promise<unknown[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`
      select 'column' as kind, table_name as of, column_name as name,
        concat_ws(' ', data_type, is_nullable, column_default, identity_generation, identity_maximum) as description
      from information_schema.columns where table_schema = 'public' and table_name !~ '^kysely_'
      union all
      select 'index', tablename, indexname, indexdef from pg_indexes
      where schemaname = 'public' and tablename !~ '^kysely_'
      union all
      select 'function', proname, prorettype::regtype::text, prosrc from pg_proc where pronamespace = 'public'::regnamespace
      order by 1, 2, 3`);
    return rows;
  });
}

/** Writes a row in each table through the server's functions. */
async function fillTables(db: DatabaseHandle): Promise<void> {
  const { id: apiKeyId } = await insertApiKey(db, { name: 'Ada', plan: 'free' });
  const newBook = { title: 'Ubik', storeId: 7, format: 'ebook' as const };
  await insertBooks(db, [newBook], apiKeyId, ['once']);
  await db.pool.query(`insert into rate_limits values ('key:${apiKeyId}', 0, 1, 0, 1, 0, 60, 1000, 1, 1, 0, 0)`);
  for (const table of ['books', 'api_keys', 'rate_limits', 'idempotency_keys']) {
    expect(await rowsOf(db, `select from ${table}`)).not.toEqual([]);
  }
}

test('each migration reverts with filled tables and restores the same schema', async () => {
  const url = await temporaryDatabase();
  const before = await schemaOf(url);
  const db = temporaryHandle(url, { timeLimit: 0, size: 1 });
  const names = Object.keys(migrations);
  for (let first = names.length - 1; first >= 0; first--) {
    await fillTables(db);
    const some = names.slice(first);
    for (const name of some.toReversed()) await migrations[name]?.down?.(db.kysely as Kysely<unknown>);
    expect(await schemaOf(url)).not.toEqual(before);
    for (const name of some) await migrations[name]?.up(db.kysely as Kysely<unknown>);
    expect(await schemaOf(url)).toEqual(before);
  }
});

test('migrations run once, also from an older version, and keep all data', async () => {
  const url = await temporaryDatabase({ migrated: false });
  expect(await withDatabase(url, migrateUp)).toEqual(Object.keys(migrations));
  expect(await withDatabase(url, migrateUp)).toEqual([]);

  const db = temporaryHandle(url, { size: 1 });
  const book = await insertBook(db, { title: 'Ubik', storeId: 7 });
  const last = Object.keys(migrations).at(-1) as string;
  await migrations[last]?.down?.(db.kysely as Kysely<unknown>);
  await withClient(url, (client) => client.query('delete from kysely_migration where name = $1', [last]));
  expect(await withDatabase(url, migrateUp)).toEqual([last]);
  expect(await readBooks(db)).toEqual([book]);
});

test('a migration that ends compatibility waits for an operator while servers are connected', async () => {
  const url = await temporaryDatabase();
  const last = '999-last-breaking';
  const { migrateUp } = later({ [last]: { up: async () => {} } });
  const migrate = (despiteServers: boolean) => withDatabase(url, (db) => migrateUp(db, { despiteServers }));
  const server = openDatabase(url, { size: 1 });
  await server.pool.query('select');
  // A migration of another pod, which waits for its turn, is no server.
  const [one, other] = await Promise.allSettled([migrate(false), migrate(false)]);
  for (const result of [one, other])
    expect(String(result.status === 'rejected' && result.reason)).toMatch(
      /Servers are connected \(1 sessions\).* 999-last-breaking: stop them/,
    );
  expect(await migrate(true)).toEqual([last]);
  await withClient(url, (client) => client.query('delete from kysely_migration where name = $1', [last]));
  await server.close();
  await expect.poll(() => migrate(false).catch(String)).toEqual([last]);
});

test.each([
  ['of a migration', 'select pg_advisory_lock(3853314791062309107)'],
  ['of a table', 'begin; lock table kysely_migration'],
])('a lock %s is waited for, not for ever, and its holder is named', async (_what, lock) => {
  const url = await temporaryDatabase();
  const lines = printed();
  await withClient(`${url}?application_name=holder`, async (client) => {
    await client.query(lock);
    const { processID } = client as unknown as { processID: number };
    const holder = new RegExp(`a lock of session ${processID} \\w+ holder idle`);
    await expect(withDatabase(url, (db) => migrateUp(db, { timeout: 1 }))).rejects.toThrow(holder);
    expect(lines).toEqual([[expect.stringMatching(holder)]]);
  });
  expect(await withDatabase(url, migrateUp)).toEqual([]);
});

test('a migration that waits for a dump lets requests pass, and runs after it', async () => {
  const { databaseUrl, bookstore } = await temporaryServer({ config: { STATEMENT_TIMEOUT: 10 } });
  const lines = printed();
  const migrated = await withClient(databaseUrl, async (dump) => {
    await dump.query('begin isolation level repeatable read; select from books');
    const running = withDatabase(databaseUrl, later({ '900-subtitle': addSubtitle }).migrateUp);
    await expect.poll(() => lines.flat().join()).toMatch(/waiting for a lock of .* idle in transaction/);
    // If the migration's lock had no time limit, these requests would wait until the dump ends.
    for (let request = 0; request < 20; request++) expect(await bookstore.listBooks()).toEqual([]);
    return { running };
  });
  expect(await migrated.running).toEqual(['900-subtitle']);
});

test('a migration is sent as it is written', async () => {
  const texts: Record<string, string> = {
    'a body between dollars': 'create function m1() returns int language plpgsql as $$ begin\n return 1;\nend $$',
    'a block': 'do $$ begin\n perform 1;\nend $$',
    'a body of SQL': 'create function m2() returns int begin atomic\n select 1;\n select 2;\nend',
    'a text': "create table m3 (a text);\ninsert into m3 values ('first;\nsecond')",
    'a comment': '/* drop table a;\n drop table b */ create table m4 (a int)',
    'line ends of Windows': 'create table m5 (a int);\r\ncreate table m6 (a int);\r\n',
    'a space': 'create table m7 (a int); \ncreate table m8 (a int) ;\n',
  };
  const own = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [`900 ${name}`, migration(text, 'select 1;\nselect 2')]),
  );
  const names = Object.keys(own).sort();
  const { withDatabase, migrateUp, migrateDown } = later(own);
  await withDatabase(await temporaryDatabase(), async (db) => {
    expect(await migrateUp(db)).toEqual(names);
    expect(await rowsOf(db, 'select a from m3')).toEqual([{ a: 'first;\nsecond' }]);
    expect(await migrateDown(db, { steps: names.length })).toEqual(names.reverse());
  });
});

test('a failed migration names itself, and keeps those before it', async () => {
  const url = await temporaryDatabase();
  const broken = migration('alter table no_such add x text', '');
  const { migrateUp } = later({ '900-subtitle': addSubtitle, '901-broken': broken });
  await expect(withDatabase(url, migrateUp)).rejects.toThrow('Migration 901-broken: relation "no_such" does not exist');
  await expect(withDatabase(url, later({ '900-subtitle': addSubtitle }).migrateUp)).resolves.toEqual([]);
});

test('an application of Kysely in another schema does not matter; one in the same schema is not mixed with', async () => {
  const url = await temporaryDatabase({ migrated: false });
  const own = `${url}?options=${encodeURIComponent('-c search_path=bookstore')}`;
  await withClient(url, (client) =>
    client.query(`
      create schema bookstore;
      create table kysely_migration (name text, timestamp text);
      create table kysely_migration_lock (id text);
      insert into kysely_migration values ('001-orders', '2026-01-01');
      create table orders ()`),
  );
  expect(await withDatabase(own, migrateUp)).toEqual(Object.keys(migrations));
  expect(await withDatabase(own, migrateUp)).toEqual([]);
  await expect(withDatabase(url, migrateUp)).rejects.toThrow(
    /The schema public has tables of something else \(orders\); check DATABASE_URL, or add --into-existing/,
  );
  await withClient(url, (client) => client.query('drop table kysely_migration, kysely_migration_lock'));
  expect(await withDatabase(url, (db) => migrateUp(db, { intoExisting: true }))).toEqual(Object.keys(migrations));
  await expect(withDatabase(`${url}?options=-csearch_path%3Dnowhere`, migrateUp)).rejects.toThrow(
    'no schema has been selected',
  );
});
