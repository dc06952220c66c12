import { spawn } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { listen } from '@petstore-platform/testkit/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome } from './hostile-client.ts';

/** Thirty megabytes compressed to thirty kilobytes. */
const bomb = gzipSync(Buffer.alloc(30_000_000));
const tenDays = 864_000;
const refusal = JSON.stringify({ code: 'rate_limit_exceeded', message: 'Slow down', status: 429 });

/** The behavior of the server and the expected outcome of the call. */
const hostilities: Record<string, [RequestListener, Partial<Outcome>]> = {
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

let outcomes: Record<string, Outcome>;
let exit: { code: number | null; after: number };

// The client has a process of its own, which must exit while the server still holds its connections.
beforeAll(async () => {
  const port = await listen(server);
  const script = fileURLToPath(new URL('./hostile-client.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--conditions=source', script, `http://127.0.0.1:${port}`, ...Object.keys(hostilities)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  let last = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    last = Date.now();
  });
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  exit = { code, after: Date.now() - last };
  outcomes = JSON.parse(output);
});

afterAll(() => void server.close().closeAllConnections());

test.each(Object.entries(hostilities))('%s is a BookstoreError within the deadline', (name, [, outcome]) => {
  expect(outcomes[name]).toMatchObject({ name: 'BookstoreError', ...outcome });
});

test('the process exits by itself', () => {
  expect(exit.code).toBe(0);
  // A leaked timer would keep it alive for a minute.
  expect(exit.after).toBeLessThan(30_000);
});
