import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { JsonText } from '@petstore-platform/server-runtime';
import type { BookstoreClient } from '@repo/bookstore';
import type { Books } from '@repo/bookstore/generated/operations';
import { expect, onTestFinished, test } from 'vitest';
import { listServer, type TestServer, temporaryServer } from '../support/server.ts';

/** A size that exceeds the socket buffers of both sides. */
const LARGE = 20_000_000;

/** A list of this many bytes. */
const listOf = (bytes: number) => `["${'x'.repeat(bytes - 4)}"]` as JsonText<Books>;

/** A client that sends lists in one write, and reads nothing. */
async function silent({ origin, apiKey }: TestServer, lists: number): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET /v1/books HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`.repeat(lists));
  return socket;
}

/** Reads until the server closes the connection, or the client has all of a large list. */
async function received(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes > LARGE) socket.destroy();
  });
  socket.resume();
  if (!socket.destroyed) await once(socket, 'close');
  return bytes;
}

/** Resolves after the server has handled all requests that it had received before. */
async function settled(bookstore: BookstoreClient): Promise<void> {
  for (let times = 0; times < 20; times++) await bookstore.getBook({ bookId: 0 }).catch(() => {});
}

test('a connection gets its next response once it has read the one before', async () => {
  let handled = 0;
  const server = await listServer(async () => {
    handled += 1;
    return listOf(LARGE);
  });
  const socket = await silent(server, 3);
  await expect.poll(() => handled).toBe(1);
  await settled(server.bookstore);
  expect(handled).toBe(1);
  socket.resume();
  await expect.poll(() => handled).toBe(3);
  socket.destroy();
  await expect.poll(() => server.app.requests.running).toBe(0);
});

test('more than 64 MB that clients do not read: the longest-waiting are disconnected, and all others served', async () => {
  let lists = 0;
  const server = await listServer(async (query) => {
    lists += 1;
    return query.limit === 1 ? [] : listOf(LARGE);
  });
  const sockets: Socket[] = [];
  while (sockets.length < 5) {
    sockets.push(await silent(server, 1));
    await expect.poll(() => lists).toBe(sockets.length);
  }
  await expect.poll(() => server.app.requests.running).toBe(3);
  expect((await server.request('/v1/books?limit=1')).status).toBe(200);
  expect(await server.bookstore.createBook({ title: 'Tehanu', storeId: 7 })).toMatchObject({ id: 1 });
  const bytes = await Promise.all(sockets.slice(0, 3).map(received));
  expect(bytes[0]).toBeLessThan(LARGE);
  expect(bytes[1]).toBeLessThan(LARGE);
  expect(bytes[2]).toBeGreaterThan(LARGE);
});

test('responses to clients that are gone do not count', async () => {
  const { promise: gone, resolve: answer } = Promise.withResolvers<void>();
  let lists = 0;
  const server = await listServer(async () => {
    lists += 1;
    if (lists > 1) await gone;
    return listOf(LARGE);
  });
  const reader = await silent(server, 1);
  await expect.poll(() => lists).toBe(1);
  const others = await Promise.all([1, 2, 3, 4].map(() => silent(server, 1)));
  await expect.poll(() => lists).toBe(5);
  for (const socket of others) socket.resetAndDestroy();
  await expect.poll(() => server.app.requests.running).toBe(1);
  answer();
  await settled(server.bookstore);
  expect(await received(reader)).toBeGreaterThan(LARGE);
});

test('while four thousand requests wait for earlier ones, the connection that has waited longest is closed', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const server = await listServer(async () => {
    await answered;
    return [];
  });
  const sockets: Socket[] = [];
  while (sockets.length < 40) {
    sockets.push((await silent(server, 101)).resume());
    await expect.poll(() => server.app.requests.running).toBe(sockets.length * 101);
  }
  const newcomer = (await silent(server, 98)).resume();
  await expect.poll(() => server.app.requests.running).toBe(39 * 101 + 98);
  expect([newcomer, ...sockets.slice(1)].filter(({ destroyed }) => destroyed)).toEqual([]);
  answer();
  await expect.poll(() => server.app.requests.running).toBe(0);
});

const CHUNKS = 'Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n';

test('a pipelined request with a body gets 400 after the response before it, and the ones behind it nothing', async () => {
  const { connect, apiKey } = await temporaryServer();
  const line = (target: string) => `${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n`;
  const connection = await connect();
  const post = `${line('POST /v1/books')}${CHUNKS}\r\n${'1\r\n \r\n'.repeat(60_000)}0\r\n\r\n`;
  connection.write(`${line('GET /v1/books')}\r\n${post.repeat(3)}${line('GET /v1/books')}\r\n`);
  const text = await connection.readToEnd();
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  expect(text).toContain('after the response to the one before');
});

test('bodies in chunks of one byte take no more memory than others', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const used = () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const { app, connect, apiKey, bookstore } = await temporaryServer();
  const head = `POST /v1/books HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n${CHUNKS}`;
  await bookstore.listBooks();
  const before = used();
  const [connection] = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const each = await connect();
      each.write(`${head}\r\n${'1\r\n \r\n'.repeat(60_000)}`);
      return each;
    }),
  );
  await expect.poll(() => app.requests.running).toBe(20);
  await settled(bookstore);
  expect(used() - before).toBeLessThan(20_000_000);
  connection?.write(`1e\r\n{"title":"Tehanu","storeId":7}\r\n0\r\n\r\n`);
  expect(await connection?.read(/HTTP\/1.1 \d+/)).toContain('201');
});
