import { existsSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { countWaiting, startPostgres, whileLocked, withClient } from '@petstore-platform/testkit/postgres';
import { hasSystemPostgres } from '@petstore-platform/testkit/system-postgres';
import { expect, onTestFinished, test, vi } from 'vitest';
import { endSessions, rowsOf } from '../support/database.ts';
import { createKey, migrateUp, withDatabase } from '../support/runtime.ts';
import { errorOf, temporaryServer } from '../support/server.ts';

/** Postgres fails: the server responds 503, then recovers. apps/proof does the same to servers under load. */

const authorized = (key: string) => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' });

// A Postgres 18 that has started without its log can wait for itself.
const isSystems = hasSystemPostgres('a commit during its crash');
test.runIf(isSystems)('a commit during a crash of Postgres is outcome_unknown', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TEST_POSTGRES', 'system');
  const postgres = await startPostgres({ fsync: 'off' });
  onTestFinished(postgres.close);
  await withDatabase(postgres.url, migrateUp);
  const server = await temporaryServer({ databaseUrl: postgres.url });
  const body = '{"title":"Ubik","storeId":7}';
  const create = () => server.request('/v1/books', { method: 'POST', headers: authorized(server.apiKey), body });
  const [log, response] = await withClient(postgres.url, async (client) => {
    const { rows } = await client.query('show data_directory');
    const log = path.join(rows[0].data_directory, 'pg_wal');
    await client.query(`
      create function wait() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(42); return null; end';
      create constraint trigger wait after insert on books deferrable initially deferred for each row execute function wait();
      select pg_advisory_lock(42);
      select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend'`);
    const lost = create();
    // Only a session that is new has no file of the log open.
    await expect.poll(() => countWaiting(client)).toBe(1);
    // Postgres panics where it cannot write its log, in this commit or in another session.
    renameSync(log, `${log}-away`);
    await client.query('select pg_advisory_unlock(42)').catch(() => {});
    return [log, await lost];
  });
  renameSync(`${log}-away`, log);
  expect(await errorOf(response)).toMatchObject({ status: 503, code: 'outcome_unknown' });
  await expect.poll(async () => (await server.request('/v1/books')).status).toBe(200);
});

test.runIf(existsSync('/dev/full'))(
  'without room on its disk, Postgres answers reads; writes are 503, and the server is ready',
  async () => {
    const postgres = await startPostgres({ fsync: 'off' });
    onTestFinished(postgres.close);
    await withDatabase(postgres.url, migrateUp);
    const server = await temporaryServer({ databaseUrl: postgres.url });
    const [{ file = '' } = {}] = await rowsOf<{ file: string }>(
      postgres.url,
      `select concat_ws('/', current_setting('data_directory'), pg_relation_filepath('books')) as file`,
    );
    const body = '{"title":"Ubik","storeId":7}';
    const create = () => server.request('/v1/books', { method: 'POST', headers: authorized(server.apiKey), body });
    renameSync(file, `${file}-away`);
    symlinkSync('/dev/full', file);
    // Open sessions keep their file.
    await endSessions(postgres.url);
    await expect.poll(() => server.request('/v1/books').then(({ status }) => status)).toBe(200);
    expect(await errorOf(await create())).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect((await server.anonymous('/readyz')).status).toBe(200);
    renameSync(`${file}-away`, file);
    await endSessions(postgres.url);
    await expect.poll(() => create().then(({ status }) => status)).toBe(201);
  },
);

test('a pool without a free connection is 503 within the time limit, and so is a locked table', async () => {
  const server = await temporaryServer({ config: { STATEMENT_TIMEOUT: 1.5 } });
  await server.bookstore.listBooks();
  await whileLocked(server.databaseUrl, 'api_keys, books in access exclusive mode', async (client) => {
    const unknown = Array.from({ length: 10 }, () => server.request('/v1/books', { headers: authorized(createKey()) }));
    // Each retry is a statement of its own. There are three times as many as connections.
    const headers = { ...authorized(server.apiKey), 'Idempotency-Key': 'again' };
    const body = '{"title":"Ubik","storeId":7}';
    const repeated = Array.from({ length: 30 }, () => server.request('/v1/books', { method: 'POST', headers, body }));
    const known = Array.from({ length: 10 }, () => server.request('/v1/books'));
    for (const response of await Promise.all([...unknown, ...repeated, ...known])) {
      expect(await errorOf(response)).toMatchObject({ status: 503, code: 'service_unavailable' });
      expect(response.headers.get('Retry-After')).toBe('1');
    }
    await client.query('commit');
  });
  await server.bookstore.listBooks();
});
