import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { PetstoreClient } from '@petstore/client';
import { expect, onTestFinished, test } from 'vitest';
import type { Pets } from '../../src/generated/operations.ts';
import type { JsonText } from '../../src/json-text.ts';
import { errorOf, type TestServer, temporaryServer } from '../support/server.ts';

/** More than the socket buffers of both sides hold. */
const LARGE = 20_000_000;

/** A list of this many bytes. */
const listOf = (bytes: number) => `["${'x'.repeat(bytes - 4)}"]` as JsonText<Pets>;

/** A client that sends lists in one write, and reads nothing. */
async function silent({ origin, apiKey }: TestServer, lists: number): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`.repeat(lists));
  return socket;
}

/** Resolves after the server has handled all requests that it had received before. */
async function settled(petstore: PetstoreClient): Promise<void> {
  for (let times = 0; times < 20; times++) await petstore.getPet({ petId: 0 }).catch(() => {});
}

test('a connection gets its next response once it has read the one before', async () => {
  let handled = 0;
  const server = await temporaryServer({
    handlers: {
      async listPets() {
        handled += 1;
        return { status: 200, body: listOf(LARGE) };
      },
    },
  });
  const socket = await silent(server, 3);
  await expect.poll(() => handled).toBe(1);
  await settled(server.petstore);
  expect(handled).toBe(1);
  socket.resume();
  await expect.poll(() => handled).toBe(3);
  socket.destroy();
  await expect.poll(() => server.app.exchanges.running).toBe(0);
});

test('more than 64 MB that clients do not read: 503 for further requests, the response for changes that are made', async () => {
  const { promise: changed, resolve: change } = Promise.withResolvers<void>();
  const { promise: read, resolve: reads } = Promise.withResolvers<void>();
  let lists = 0;
  const server = await temporaryServer({
    handlers: {
      async listPets({ query }) {
        if (query.limit === 7) await read;
        else lists += 1;
        return { status: 200, body: query.limit === 7 ? listOf(100) : listOf(LARGE) };
      },
      async createPet({ body }) {
        await changed;
        return { status: 201, body: { id: 1, ...body } };
      },
    },
  });
  const created = server.petstore.createPet({ name: 'Biscuit', categoryId: 7 });
  const listed = server.request('/v1/pets?limit=7');
  await expect.poll(() => server.app.exchanges.working.size).toBe(2);
  const sockets = await Promise.all([1, 2, 3, 4].map(() => silent(server, 1)));
  await expect.poll(() => lists).toBe(4);

  const refused = await server.request('/v1/pets/1');
  expect(refused.headers.get('Retry-After')).toBe('1');
  expect(await errorOf(refused)).toMatchObject({ status: 503, message: 'The service is temporarily overloaded' });
  change();
  expect(await created).toMatchObject({ id: 1, name: 'Biscuit' });
  reads();
  expect((await listed).status).toBe(503);

  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await server.request('/v1/pets/1')).status).toBe(404);
});

test('the server closes connections that pipeline when a thousand requests wait for earlier ones', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const server = await temporaryServer({
    handlers: {
      async listPets() {
        await answered;
        return { status: 200, body: listOf(100) };
      },
    },
  });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => silent(server, 100)));
  const closed = Promise.race(sockets.map((socket) => once(socket.resume(), 'close')));
  await closed;
  expect(server.app.exchanges.running).toBeLessThan(1_100);
  // A connection without pipelining is served.
  expect((await server.anonymous('/livez')).status).toBe(200);
  answer();
  await expect.poll(() => server.app.exchanges.running).toBe(0);
});
