import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@petstore-platform/server-runtime';
import { startService } from '@petstore-platform/server-runtime/testing';
import { openConnection } from '@petstore-platform/testkit/raw';
import { read, write } from '@repo/bookstore/api';
import { service } from '@repo/bookstore/service';
import { STORE } from '@repo/bookstore/stores';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { rowsOf, temporaryDatabase } from '../support/database.ts';
import { errorOf } from '../support/server.ts';

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
    return row(db.selectFrom('stores').select(STORE).where('name', '=', name));
  },
);

async function start() {
  const own = { listBooks, createStore };
  const lines: { msg: string }[] = [];
  const server = await startService(
    { ...service, handlers: { ...service.handlers, ...own } },
    await temporaryDatabase(),
  );
  onTestFinished(() => server.close());
  for (const level of ['error', 'warn'] as const)
    server.app.log[level] = ((one: object, msg: string) => lines.push({ ...one, msg })) as never;
  const head = (line: string, ...more: string[]) =>
    [`${line} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${server.apiKey}`, ...more, '', ''].join('\r\n');
  const list = head('GET /v1/books');
  const open = async (text: string) => {
    const connection = await openConnection(server.port);
    connection.write(text);
    await expect.poll(() => waiting.length).toBe(1);
    return connection;
  };
  return { ...server, lines, head, list, open };
}

test.each(['end', 'destroy'] as const)('a client that is gone aborts the signal of its request (%s)', async (way) => {
  const { list, open, lines, app } = await start();
  const connection = await open(list);
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
  const { head, open, db, origin, apiKey } = await start();
  const body = (name: string) => JSON.stringify({ name, city: 'Bern' });
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' };
  const lines = Object.entries({ ...headers, 'Content-Length': body('waits').length }).map((each) => each.join(': '));
  const connection = await open(head('POST /v1/stores', ...lines) + body('waits'));
  connection.destroy();
  const all = { ...headers, Authorization: `Bearer ${apiKey}` };
  const again = () => fetch(`${origin}/v1/stores`, { method: 'POST', headers: all, body: body('Main') });
  // The key is free again once the transaction is undone.
  await expect.poll(async () => (await again()).status).toBe(201);
  expect(await rowsOf(db, 'select name from stores')).toEqual([{ name: 'Main' }]);
});

test('a write whose handler waits is 503 when its transaction is lost', async () => {
  const { db, origin, apiKey } = await start();
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' };
  const create = (name: string) =>
    fetch(`${origin}/v1/stores`, { method: 'POST', headers, body: JSON.stringify({ name, city: 'Bern' }) });
  const lost = create('waits');
  await expect.poll(() => waiting.length).toBe(1);
  // Postgres does the same to a transaction that is idle for longer than its limit.
  const idle = `datname = current_database() and state = 'idle in transaction'`;
  await rowsOf(db, `select pg_terminate_backend(pid) from pg_stat_activity where ${idle}`);
  expect(await errorOf(await lost)).toMatchObject({ status: 503, code: 'service_unavailable' });
  expect((await create('Main')).status).toBe(201);
  expect(await rowsOf(db, 'select name from stores')).toEqual([{ name: 'Main' }]);
});

test('a server that ends aborts those that exceed its limit, and they are answered', async () => {
  const { list, open, app } = await start();
  const connection = await open(list);
  await app.requests.drain({ total: 50, quiet: 10 });
  expect(waiting[0]?.reason).toBeInstanceOf(ApiError);
  const text = await connection.readToEnd();
  expect(text).toMatch(/^HTTP\/1.1 503 /);
  expect(text).toContain('"The server is shutting down"');
  expect(text).toMatch(/retry-after: 1/i);
});

test('equal requests do not share a handler that ends with its request', async () => {
  const { list, open, port } = await start();
  const first = await open(list);
  const second = await openConnection(port);
  second.write(list);
  await expect.poll(() => waiting.length).toBe(2);
  first.destroy();
  await once(waiting[0] as AbortSignal, 'abort');
  expect(waiting[1]?.aborted).toBe(false);
  second.destroy();
});
