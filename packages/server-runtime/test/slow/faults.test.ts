import { existsSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { startServe } from '@petstore-platform/testkit/commands';
import { countWaiting, startPostgres, whileLocked, withClient } from '@petstore-platform/testkit/postgres';
import { GERMAN, hasGermanPostgres } from '@petstore-platform/testkit/system-postgres';
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { issueKey } from '../support/process.ts';
import { createKey, migrateUp, withDatabase } from '../support/runtime.ts';
import { errorOf, temporaryServer } from '../support/server.ts';

/** Postgres fails under load: the server responds 503, then recovers. */

const authorized = (key: string) => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' });

/** Clients that add, list and get books until stopped. */
function load(origin: string, key: string, clients = 20) {
  const statuses = new Map<number, number>();
  const wrong: string[] = [];
  let stopped = false;
  const headers = authorized(key);
  const send = [
    () => fetch(`${origin}/v1/books`, { method: 'POST', headers, body: '{"title":"Ubik","storeId":7}' }),
    () => fetch(`${origin}/v1/books?limit=5`, { headers }),
    () => fetch(`${origin}/v1/books/1`, { headers }),
  ];
  const client = async (number: number) => {
    for (let turn = number; !stopped; turn++) {
      const response = await (send[turn % send.length] as () => Promise<Response>)();
      const text = await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (![200, 201, 404, 503].includes(response.status)) wrong.push(`${response.status} ${text}`);
      const isComplete = ['Retry-After', 'X-RateLimit-Limit', 'RateLimit'].every((name) => response.headers.has(name));
      if (response.status === 503 && !isComplete) wrong.push('a 503 without its headers');
    }
  };
  const done = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const stop = async () => {
    stopped = true;
    await done;
    return wrong;
  };
  // The clients end before the server, also after a failed test.
  onTestFinished(async () => void (await stop()));
  return { statuses, stop };
}

test('Postgres is killed under load and restarts: 503 meanwhile, then service, without a server restart', async () => {
  const postgres = await startPostgres({ fsync: 'off' });
  onTestFinished(postgres.close);
  const server = await startServe({ DATABASE_URL: postgres.url }, '--migrate');
  onTestFailed(() => console.error(server.output()));
  onTestFinished(async () => void (await server.stop()));
  const { key } = await issueKey(postgres.url);
  const { statuses, stop } = load(server.origin, key, 4);
  await expect.poll(() => statuses.get(201) ?? 0).toBeGreaterThan(3);
  const { rows } = await withClient(postgres.url, (client) =>
    client.query(`select pg_read_file('postmaster.pid') as pid`),
  );
  const pid = Number.parseInt(rows[0].pid, 10);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => statuses.get(503) ?? 0).toBeGreaterThan(0);
  const list = () => fetch(`${server.origin}/v1/books`, { headers: authorized(key) }).then(({ status }) => status);
  await expect.poll(list).toBe(200);
  expect(await stop()).toEqual([]);
  expect(server.child.exitCode).toBe(null);
});

describe.runIf(hasGermanPostgres('failures of a German Postgres'))('in German', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'off', lc_messages: GERMAN });
  });
  afterAll(() => postgres.close());

  test('a commit during a crash of Postgres is outcome_unknown', async () => {
    await withDatabase(postgres.url, migrateUp);
    const server = await temporaryServer({ databaseUrl: postgres.url });
    const log = path.join(postgres.dataDir, 'data/pg_wal');
    const body = '{"title":"Ubik","storeId":7}';
    const create = () => server.request('/v1/books', { method: 'POST', headers: authorized(server.apiKey), body });
    const response = await withClient(postgres.url, async (client) => {
      await expect(client.query('select 1/0')).rejects.toThrow('Division durch Null');
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
      return lost;
    });
    renameSync(`${log}-away`, log);
    expect(await errorOf(response)).toMatchObject({ status: 503, code: 'outcome_unknown' });
    await expect.poll(async () => (await server.request('/v1/books')).status).toBe(200);
  });
});

test.runIf(existsSync('/dev/full'))(
  'without room on its disk, Postgres answers reads; writes are 503, and the server is ready',
  async () => {
    const postgres = await startPostgres({ fsync: 'off' });
    onTestFinished(postgres.close);
    await withDatabase(postgres.url, migrateUp);
    const server = await temporaryServer({ databaseUrl: postgres.url });
    const file = await withClient(postgres.url, async (client) => {
      const { rows } = await client.query(
        `select current_setting('data_directory') as folder, pg_relation_filepath('books') as file`,
      );
      return path.join(rows[0].folder, rows[0].file);
    });
    // Open sessions keep their file, so new ones are needed.
    const reconnect = () =>
      withClient(postgres.url, (client) =>
        client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()'),
      );
    const body = '{"title":"Ubik","storeId":7}';
    const create = () => server.request('/v1/books', { method: 'POST', headers: authorized(server.apiKey), body });
    renameSync(file, `${file}-away`);
    symlinkSync('/dev/full', file);
    await reconnect();
    await expect.poll(() => server.request('/v1/books').then(({ status }) => status)).toBe(200);
    expect(await errorOf(await create())).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect((await server.anonymous('/readyz')).status).toBe(200);
    renameSync(`${file}-away`, file);
    await reconnect();
    await expect.poll(() => create().then(({ status }) => status)).toBe(201);
  },
);

test('connections are terminated repeatedly under load, in and between statements: the process survives', async () => {
  const server = await temporaryServer();
  const { statuses, stop } = load(server.origin, server.apiKey);
  await withClient(server.databaseUrl, async (client) => {
    for (let round = 0; round < 20; round++) {
      const before = (statuses.get(200) ?? 0) + 20;
      await client.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`);
      // All clients are served again at once.
      await expect.poll(() => statuses.get(200) ?? 0, { interval: 5 }).toBeGreaterThan(before);
    }
  });
  expect(await stop()).toEqual([]);
  await server.bookstore.listBooks();
});

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
