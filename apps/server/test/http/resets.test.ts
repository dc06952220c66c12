import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startServe } from '@petstore/testkit/commands';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';

const CASES = {
  request: 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n',
  connect: 'CONNECT a:1 HTTP/1.1\r\n\r\n',
  'connect with bytes behind it': `CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n${'x'.repeat(100_000)}`,
  upgrade: 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'no HTTP': 'hello\r\n\r\n',
  'headers that are too large': `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}`,
  expectation: 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n',
  'a chunk that is none': 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'pipelined requests': `${'GET /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20)}hello`,
};

type Moment = 'at once' | 'a turn later' | 'on an answer';

async function sendAndReset(port: number, bytes: string, moment: Moment): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const answered = Promise.race([once(socket, 'data'), once(socket, 'close')]);
  answered.catch(() => {});
  socket.write(bytes);
  if (moment === 'a turn later') await nextTurn();
  // An incomplete request has no response.
  if (moment === 'on an answer') await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 20))]);
  socket.resetAndDestroy();
}

test('a reset at any byte of any request does not end the process', async () => {
  const server = await startServe({ DATABASE_URL: await temporaryDatabase() });
  const port = Number(new URL(server.origin).port);
  const moments: Moment[] = ['at once', 'a turn later', 'on an answer'];
  const anyCase = fc.constantFrom(...(Object.keys(CASES) as (keyof typeof CASES)[]));
  const alive = async () =>
    expect((await fetch(`${server.origin}/livez`)).status, server.output().slice(-1_000)).toBe(200);
  await fc.assert(
    fc.asyncProperty(
      anyCase,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(...moments),
      async (name, part, moment) => {
        const bytes = CASES[name];
        await sendAndReset(port, bytes.slice(0, Math.ceil(bytes.length * part)), moment);
        await alive();
      },
    ),
    { numRuns: 300, endOnFailure: true, examples: moments.map((moment) => ['connect', 1, moment]) },
  );
  expect((await server.stop()).code).toBe(0);
});
