import { execFile } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { listen } from '@petstore-platform/testkit/server';
import type { BookstoreError } from '@repo/bookstore';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Thirty megabytes compressed to thirty kilobytes. */
const bomb = gzipSync(Buffer.alloc(30_000_000));
const tenDays = 864_000;
const refusal = JSON.stringify({ code: 'rate_limit_exceeded', message: 'Slow down', status: 429 });

/** The behavior of the server and the expected outcome of the call. */
const hostilities: Record<string, [RequestListener, Partial<BookstoreError>]> = {
  'stalled header': [() => {}, { code: 'timeout', status: 0 }],
  'stalled body': [
    (_, reply) => void reply.writeHead(200).write('[{"id":1'),
    { code: 'timeout', status: 200, text: '[{"id":1' },
  ],
  'slow trickle': [
    (_, reply) => {
      reply.writeHead(200).write('[');
      const timer = setInterval(() => reply.write(' '), 20);
      reply.on('close', () => clearInterval(timer));
    },
    { code: 'timeout', status: 200 },
  ],
  'reset in the body': [
    (_, reply) =>
      void reply.writeHead(200).write('[{"id":1', () => setTimeout(() => reply.socket?.resetAndDestroy(), 20)),
    { code: 'network_error', status: 200, text: '[{"id":1' },
  ],
  'reset before the header': [(request) => void request.socket.resetAndDestroy(), { code: 'network_error', status: 0 }],
  '429 for ten days': [
    (_, reply) => void reply.writeHead(429, { 'Retry-After': tenDays }).end(refusal),
    { code: 'rate_limit_exceeded', status: 429, retryAfter: tenDays, attempts: 1 },
  ],
  'redirect loop': [
    (request, reply) => void reply.writeHead(302, { Location: request.url }).end(),
    { code: 'unexpected_response', status: 302, attempts: 1 },
  ],
  'gzip bomb': [
    (_, reply) => void reply.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    { code: 'unexpected_response', status: 200, attempts: 1 },
  ],
};

const server = createServer((request, reply) => {
  const name = decodeURIComponent(request.url?.split('/')[1] ?? '');
  hostilities[name]?.[0](request, reply);
});

/** Makes all calls. The server still holds its connections when they have ended. */
const program = `
  import { createClient } from '@repo/bookstore';
  const [, origin, ...names] = process.argv;
  const outcomeOf = async (path) => {
    const baseUrl = origin + '/' + encodeURIComponent(path);
    // Where the deadline decides, there is one attempt: a second one could have no time left for the headers.
    const isLate = /^(stalled|slow)/.test(path);
    const limits = isLate ? { timeout: 10_000, maxRetries: 0 } : { timeout: 60_000, maxRetries: 1 };
    const error = await createClient({ apiKey: 'YOUR_API_KEY', baseUrl, ...limits }).listBooks().catch((error) => error);
    const { name, code, status, text, attempts, retryAfter } = error;
    return [path, { name, code, status, text: text?.slice(0, 100), attempts, retryAfter }];
  };
  const outcomes = Object.fromEntries(await Promise.all(names.map(outcomeOf)));
  console.log(JSON.stringify({ outcomes, resources: process.getActiveResourcesInfo() }));`;

let result: { outcomes: Record<string, unknown>; resources: string[] };
beforeAll(async () => {
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const args = ['--conditions=source', '--input-type=module', '--eval', program, origin, ...Object.keys(hostilities)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  result = JSON.parse(stdout);
});

afterAll(() => void server.close().closeAllConnections());

test.each(Object.entries(hostilities))('%s is a BookstoreError within the deadline', (name, [, outcome]) => {
  expect(result.outcomes[name]).toMatchObject({ name: 'BookstoreError', ...outcome });
});

test('no timer keeps the process alive, which exits by itself', () => {
  expect(result.resources).not.toContain('Timeout');
});
