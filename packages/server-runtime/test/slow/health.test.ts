import { countWaiting, startPostgres, whileLocked } from '@petstore-platform/testkit/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase, endSessions, rowsOf } from '../support/database.ts';
import { Metrics, migrateDown, migrateUp, migrations, withDatabase } from '../support/runtime.ts';
import { ONE, temporaryServer } from '../support/server.ts';

const ready = [200, { status: 'ok' }];
const unavailable = (cause: string, reason: string | RegExp) => [
  503,
  { status: 'unavailable', cause, reason: expect.stringMatching(reason) },
];

async function ask(origin: string, path: string): Promise<unknown[]> {
  const response = await fetch(`${origin}${path}`);
  return [response.status, await response.json()];
}

test('a server is ready with all migrations of its version; newer ones do not matter', async () => {
  const { origin, databaseUrl } = await temporaryServer();
  expect(await ask(origin, '/readyz')).toEqual(ready);
  for (const name of Object.keys(migrations).reverse()) {
    await withDatabase(databaseUrl, migrateDown);
    expect(await ask(origin, '/readyz')).toEqual(unavailable('schema', `the database lacks migration ${name}`));
  }
  await rowsOf(databaseUrl, 'drop table kysely_migration');
  expect(await ask(origin, '/readyz')).toEqual(unavailable('schema', 'is it migrated'));
  expect(await ask(origin, '/livez')).toEqual(ready);
  await withDatabase(databaseUrl, migrateUp);
  // During a rolling update, the next version has added a migration.
  await rowsOf(databaseUrl, `insert into kysely_migration values ('999-later', now()::text)`);
  expect(await ask(origin, '/readyz')).toEqual(ready);
  await rowsOf(databaseUrl, `insert into kysely_migration values ('999-last-breaking', now()::text)`);
  expect(await ask(origin, '/readyz')).toEqual(unavailable('schema', 'after migration 999-last-breaking'));
});

test('without a database a server is alive but not ready, within the time limit', async () => {
  const database = await createDatabase();
  const { origin } = await temporaryServer({ databaseUrl: database.url, config: { STATEMENT_TIMEOUT: 1 } });
  expect(await ask(origin, '/readyz')).toEqual(ready);
  await whileLocked(database.url, 'kysely_migration', async () => {
    expect(await ask(origin, '/readyz')).toEqual(unavailable('unreachable', 'the database does not answer'));
  });
  expect(await ask(origin, '/readyz')).toEqual(ready);
  await database.drop();
  expect(await ask(origin, '/readyz')).toEqual(unavailable('schema', 'does not exist'));
  expect(await ask(origin, '/livez')).toEqual(ready);
});

test('a Postgres that is too old is refused by name', async () => {
  const { origin, databaseUrl } = await temporaryServer(ONE);
  await rowsOf(
    databaseUrl,
    `create schema old;
    grant usage on schema old to public;
    create function old.current_setting(name text) returns text language sql as
      $$ select case name when 'server_version_num' then '140009' else pg_catalog.current_setting(name) end $$;
    alter database ${new URL(databaseUrl).pathname.slice(1)} set search_path = old, pg_catalog, public`,
  );
  await endSessions(databaseUrl);
  await expect(withDatabase(databaseUrl, migrateUp)).rejects.toThrow('Postgres 14 is older than 15');
  await expect.poll(() => ask(origin, '/readyz')).toEqual(unavailable('version', 'Postgres 14 is older than 15'));
});

test('on a read-only database a server is not ready, answers reads and responds 503 to writes', async () => {
  const { origin, databaseUrl, bookstore } = await temporaryServer(ONE);
  const book = await bookstore.createBook({ title: 'Ubik', storeId: 7 });
  const database = new URL(databaseUrl).pathname.slice(1);
  // The database becomes read-only, like a standby. Open connections are ended, because they keep their setting.
  await rowsOf(databaseUrl, `alter database ${database} set default_transaction_read_only = on`);
  await endSessions(databaseUrl);
  await expect.poll(() => ask(origin, '/readyz')).toEqual(unavailable('read_only', 'the database is read-only'));
  expect(await bookstore.getBook({ bookId: book.id })).toEqual(book);
  const refused = { status: 503, code: 'service_unavailable' };
  await expect(bookstore.createBook({ title: 'Solaris', storeId: 7 })).rejects.toMatchObject(refused);

  // The open connections keep the setting.
  await Promise.all(Array.from({ length: 10 }, () => bookstore.getBook({ bookId: book.id })));
  const reset = `alter database ${database} reset default_transaction_read_only`;
  await rowsOf(databaseUrl, `begin read write; ${reset}; commit`);
  for (let check = 0; check < 5; check++) expect(await ask(origin, '/readyz')).toEqual(ready);
  for (let book = 0; book < 20; book++) await bookstore.createBook({ title: 'Solaris', storeId: 7 });
});

test('without its synchronous standby, a database serves reads, and the check says why changes fail', async () => {
  const postgres = await startPostgres();
  onTestFinished(postgres.close);
  await withDatabase(postgres.url, migrateUp);
  const metrics = new Metrics({});
  const { origin, bookstore } = await temporaryServer({
    databaseUrl: postgres.url,
    metrics,
    config: { STATEMENT_TIMEOUT: 2 },
  });
  const standbys = async (names: string) => {
    await rowsOf(postgres.url, `alter system set synchronous_standby_names = '${names}'`);
    await rowsOf(postgres.url, 'select pg_reload_conf()');
  };
  await standbys('away');
  const created = bookstore.createBook({ title: 'Ubik', storeId: 7 });
  const refused = expect(created).rejects.toMatchObject({ status: 503, code: 'outcome_unknown' });
  const cause = { status: 'ok', cause: 'standby', reason: expect.stringContaining('synchronous standby') };
  await expect.poll(() => ask(origin, '/readyz')).toEqual([200, cause]);
  expect(await metrics.registry.metrics()).toMatch(/^service_standby_missing 1$/m);
  await refused;
  await standbys('');
  await expect.poll(() => ask(origin, '/readyz')).toEqual(ready);
  expect(await bookstore.listBooks()).toHaveLength(1);
});

test('readiness checks take no connection from requests', async () => {
  const { origin, databaseUrl, bookstore } = await temporaryServer();
  await bookstore.listBooks();
  await whileLocked(databaseUrl, 'kysely_migration', async (client) => {
    const answers = Promise.all(Array.from({ length: 40 }, () => ask(origin, '/readyz')));
    await expect.poll(() => countWaiting(client)).toBeGreaterThan(0);
    expect(await bookstore.listBooks()).toEqual([]);
    expect(await countWaiting(client)).toBeLessThanOrEqual(1);
    await client.query('commit');
    await answers;
  });
  expect(await ask(origin, '/readyz')).toEqual(ready);
});
