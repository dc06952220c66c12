import { randomUUID } from 'node:crypto';
import { withClient } from '@petstore-platform/testkit/postgres';
import { settings } from '@repo/bookstore/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readBooks } from '../support/books.ts';
import { temporaryDatabase } from '../support/database.ts';
import { migrateUp, revokeApiKey, selectApiKeys, temporaryHandle, withDatabase } from '../support/runtime.ts';
import { temporaryServer } from '../support/server.ts';

/** Defaults of a role, as distributions, managed services and administrators change them. */
const HOSTILE: Record<string, string> = {
  jit: 'on',
  // Postgres compiles each statement.
  jit_above_cost: '0',
  idle_session_timeout: '1min',
  // Postgres would end the statements of a busy server, but not the one that sets another limit.
  statement_timeout: '100ms',
  lock_timeout: '1min',
  idle_in_transaction_session_timeout: '1min',
  default_transaction_isolation: 'serializable',
  datestyle: 'SQL, DMY',
  plan_cache_mode: 'force_custom_plan',
  // The server depends on none of the following.
  bytea_output: 'escape',
  client_min_messages: 'debug1',
  extra_float_digits: '-15',
  enable_indexscan: 'off',
  enable_nestloop: 'off',
  from_collapse_limit: '1',
  intervalstyle: 'sql_standard',
  join_collapse_limit: '1',
  parallel_setup_cost: '0',
  parallel_tuple_cost: '0',
  quote_all_identifiers: 'on',
  row_security: 'off',
  standard_conforming_strings: 'off',
  synchronous_commit: 'off',
  timezone: 'Asia/Kathmandu',
  transform_null_equals: 'on',
  work_mem: '64kB',
};

/** Creates a database for a role with these defaults, which is no superuser. */
async function hostileDatabase(): Promise<string> {
  const role = `hostile_${randomUUID().replaceAll('-', '')}`;
  // The role is dropped after its database.
  onTestFinished(() =>
    withClient(inject('postgresUrl'), async (client) => void (await client.query(`drop role ${role}`))),
  );
  const url = new URL(await temporaryDatabase({ migrated: false }));
  await withClient(url.href, async (client) => {
    await client.query(`create role ${role} login password 'secret'`);
    await client.query(`alter database ${url.pathname.slice(1)} owner to ${role}`);
    for (const [name, value] of Object.entries(HOSTILE))
      await client.query(`alter role ${role} set ${name} = '${value}'`);
  });
  return Object.assign(url, { username: role, password: 'secret' }).href;
}

test('the server works on a role with hostile defaults', async () => {
  const databaseUrl = await hostileDatabase();
  expect(await withDatabase(databaseUrl, migrateUp)).not.toEqual([]);
  const server = await temporaryServer({ databaseUrl });
  const { bookstore, db } = server;
  const newBook = { title: "O'Neil \\ 李", storeId: 7, format: 'ebook' as const };
  const book = await bookstore.createBook(newBook, { idempotencyKey: 'once' });
  expect(book).toEqual({ id: book.id, ...newBook });
  expect(await bookstore.createBook(newBook, { idempotencyKey: 'once' })).toEqual(book);
  expect(await bookstore.getBook({ bookId: book.id })).toEqual(book);
  for (const format of ['ebook', undefined] as const) expect(await bookstore.listBooks({ format })).toEqual([book]);
  const { value: [key] = [] } = await selectApiKeys(db).next();
  expect(Math.abs(Date.now() - Number(key?.created_at))).toBeLessThan(3_600_000);
  await revokeApiKey(db, Number(key?.id));
  await server.runJob('housekeeping');
});

test('a list is not compiled, and runs in one process', async () => {
  const databaseUrl = await hostileDatabase();
  await withDatabase(databaseUrl, migrateUp);
  const db = temporaryHandle(databaseUrl, { size: 1 });
  await readBooks(db);
  await readBooks(db, 'ebook');
  const { rows: prepared } = await db.pool.query<{ name: string; types: string[] }>(
    `select name, parameter_types::text[] as types from pg_prepared_statements where name like 'listBooks%'`,
  );
  expect(prepared).toHaveLength(2);
  for (const { name, types } of prepared) {
    const values = types.map((type) => (type === 'text' ? `'ebook'` : '20')).join(', ');
    const explain = `explain (analyze, format json) execute "${name}"(${values})`;
    const { rows } = await db.pool.query<{ 'QUERY PLAN': object[] }>(explain);
    expect(rows[0]?.['QUERY PLAN'][0]).toHaveProperty('Plan');
    expect(rows[0]?.['QUERY PLAN'][0]).not.toHaveProperty('JIT');
    expect(JSON.stringify(rows)).not.toContain('Gather');
  }
});

test('a session sets what the server depends on, and no more', async () => {
  const db = temporaryHandle(await hostileDatabase());
  const { rows } = await db.pool.query<{ name: string; source: string }>(
    `select lower(name) as name, source from pg_settings where lower(name) = any($1)`,
    [Object.keys(HOSTILE)],
  );
  const names = Object.keys(settings).map((name) => name.toLowerCase());
  for (const { name, source } of rows)
    expect([name, source]).toEqual([name, names.includes(name) ? 'session' : 'user']);
});

test('the size of the pool and the time limit are those of the configuration', async () => {
  const { db } = await temporaryServer({ config: { DATABASE_POOL: 3, STATEMENT_TIMEOUT: 7 } });
  expect(db.pool.options.max).toBe(3);
  const { rows } = await db.pool.query('show statement_timeout');
  expect(rows).toEqual([{ statement_timeout: '7s' }]);
});
