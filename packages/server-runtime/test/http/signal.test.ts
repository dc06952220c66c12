import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@petstore-platform/server-runtime';
import { read, write } from '@repo/bookstore/api';
import { service } from '@repo/bookstore/service';
import { STORE } from '@repo/bookstore/stores';
import { beforeEach, expect, test } from 'vitest';
import { rowsOf } from '../support/database.ts';
import { errorOf, temporaryServer } from '../support/server.ts';

/** The signals of the requests whose handlers wait. */
let waiting: AbortSignal[] = [];
beforeEach(() => {
  waiting = [];
});
const forever = (signal: AbortSignal) => {
  waiting.push(signal);
  return delay(2 ** 30, undefined, { signal });
};

const listBooks = read('listBooks', { format: true }, async (_, _db, { signal }) => {
  await forever(signal);
  return { status: 200, body: [] };
});
const createStore = write(
  'createStore',
  { name: true, city: true, capacity: true },
  async ({ body: { name, city } }, db, { row, signal }) => {
    await db.insertInto('stores').values({ name, city }).execute();
    if (name === 'waits') await forever(signal);
    if (name === 'ignores it') await forever(signal).catch(() => {});
    return row(db.selectFrom('stores').select(STORE).where('name', '=', name));
  },
);

async function start() {
  const lines: { msg: string }[] = [];
  const server = await temporaryServer({ service: { handlers: { ...service.handlers, listBooks, createStore } } });
  for (const level of ['error', 'warn'] as const)
    server.app.log[level] = ((one: object, msg: string) => lines.push({ ...one, msg })) as never;
  /** Sends a request that waits. */
  const list = async (number = 1) => {
    const connection = await server.connect();
    connection.write(`GET /v1/books HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.apiKey}\r\n\r\n`);
    await expect.poll(() => waiting.length).toBe(number);
    return connection;
  };
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' };
  const create = (name: string, rest: RequestInit = {}) =>
    server.request('/v1/stores', { method: 'POST', headers, body: JSON.stringify({ name, city: 'Bern' }), ...rest });
  return { ...server, lines, list, create };
}

test.each(['end', 'destroy'] as const)('a client that is gone aborts the signal of its request (%s)', async (way) => {
  const { list, lines, app } = await start();
  const connection = await list();
  const [signal] = waiting as [AbortSignal];
  expect(signal.aborted).toBe(false);
  const aborted = once(signal, 'abort');
  connection[way]();
  await aborted;
  expect(signal.reason).toMatchObject({ status: 503, message: 'The client closed the connection' });
  await expect.poll(() => app.requests.running).toBe(0);
  // It is no bug of the handler.
  expect(lines).toEqual([]);
});

test('a write whose client is gone is undone, and its repetition runs', async () => {
  const { db, create } = await start();
  const leaving = new AbortController();
  const lost = create('waits', { signal: leaving.signal });
  await expect.poll(() => waiting.length).toBe(1);
  leaving.abort();
  await expect(lost).rejects.toMatchObject({ name: 'AbortError' });
  // The key is free again once the transaction is undone.
  await expect.poll(async () => (await create('Main')).status).toBe(201);
  expect(await rowsOf(db, 'select name from stores')).toEqual([{ name: 'Main' }]);
});

test('a write whose handler waits is 503 when its transaction is lost', async () => {
  const { db, create } = await start();
  const lost = create('waits');
  await expect.poll(() => waiting.length).toBe(1);
  // Postgres does the same to a transaction that is idle for longer than its limit.
  const idle = `datname = current_database() and state = 'idle in transaction'`;
  await rowsOf(db, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where ${idle}`);
  expect(await errorOf(await lost)).toMatchObject({ status: 503, code: 'service_unavailable' });
  expect((await create('Main')).status).toBe(201);
  expect(await rowsOf(db, 'select name from stores')).toEqual([{ name: 'Main' }]);
});

test.each(['waits', 'ignores it'])('a request that takes too long is 503, if its handler %s', async (name) => {
  const { app, db, create } = await start();
  const stored = name === 'waits' ? 'Main' : name;
  const connected = once(app.server, 'connection');
  const slow = create(name);
  await expect.poll(() => waiting.length).toBe(1);
  const [socket] = await connected;
  socket.setTimeout(1);
  expect(await errorOf(await slow)).toMatchObject({ status: 503, code: 'outcome_unknown' });
  await expect.poll(async () => (await create(stored)).status).toBe(201);
  expect(await rowsOf(db, 'select name from stores')).toEqual([{ name: stored }]);
});

test('a server that ends aborts those that exceed its limit, and they are answered', async () => {
  const { list, app } = await start();
  const connection = await list();
  await app.requests.drain({ total: 50, quiet: 10 });
  expect(waiting[0]?.reason).toBeInstanceOf(ApiError);
  const text = await connection.readToEnd();
  expect(text).toMatch(/^HTTP\/1.1 503 /);
  expect(text).toContain('"The server is shutting down"');
  expect(text).toMatch(/retry-after: 1/i);
});

test('equal requests do not share a handler that ends with its request', async () => {
  const { list } = await start();
  const [first] = [await list(1), await list(2)];
  first.destroy();
  await once(waiting[0] as AbortSignal, 'abort');
  expect(waiting[1]?.aborted).toBe(false);
});
