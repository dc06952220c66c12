import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listen } from '@petstore-platform/testkit/server';
import { type BookstoreError, createClient } from '@repo/bookstore';
import { expect, test } from 'vitest';
import { failureOf } from './helpers.ts';

/** Thirty megabytes compressed to thirty kilobytes. */
const bomb = gzipSync(Buffer.alloc(30_000_000));

test.concurrent.for<[string, RequestListener, Partial<BookstoreError>]>([
  [
    'a body that trickles',
    (_, reply) => {
      reply.writeHead(200).write('[');
      const timer = setInterval(() => reply.write(' '), 20);
      reply.on('close', () => clearInterval(timer));
    },
    { code: 'timeout', status: 200, text: expect.stringMatching(/^\[ *$/) },
  ],
  [
    'a reset in the body',
    (_, reply) =>
      void reply.writeHead(200).write('[{"id":1', () => setTimeout(() => reply.socket?.resetAndDestroy(), 20)),
    { code: 'network_error', status: 200, text: '[{"id":1' },
  ],
  ['a reset', (request) => void request.socket.resetAndDestroy(), { code: 'network_error', status: 0 }],
  [
    'a gzip bomb',
    (_, reply) => void reply.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    { code: 'unexpected_response', status: 200, attempts: 1 },
  ],
])('%s is a BookstoreError within the deadline', async ([, respond, outcome], { onTestFinished }) => {
  const server = createServer(respond);
  onTestFinished(() => void server.close().closeAllConnections());
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  // Where the deadline decides, there is one attempt: a second one could have no time left for the headers.
  const limits = outcome.code === 'timeout' ? { timeout: 10_000, maxRetries: 0 } : { timeout: 60_000, maxRetries: 1 };
  const call = createClient({ apiKey: 'YOUR_API_KEY', baseUrl, ...limits }).listBooks();
  expect(await failureOf(call)).toMatchObject({ name: 'BookstoreError', ...outcome });
});
