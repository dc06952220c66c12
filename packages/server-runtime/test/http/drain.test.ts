import { Agent, get } from 'node:http';
import { openConnection } from '@petstore-platform/testkit/raw';
import { expect, onTestFinished, test } from 'vitest';
import { serverProcess } from '../support/process.ts';
import { listServer, startServer } from '../support/server.ts';

interface Answer {
  status: number | undefined;
  connection: string | undefined;
}

/** Sends requests in sequence on many keep-alive connections, until the server closes them. */
async function load(origin: string, connections: number, answers: Answer[], failures: unknown[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const request = () =>
    new Promise<Answer>((resolve, reject) => {
      const sent = get(`${origin}/v1/books`, { agent }, (response) => {
        response.resume().once('end', () => {
          resolve({ status: response.statusCode, connection: response.headers.connection });
        });
      });
      // A draining server refuses new connections, but must answer on open ones.
      sent.once('error', (error: NodeJS.ErrnoException) => reject(sent.reusedSocket ? error : undefined));
    });
  const client = async () => {
    try {
      for (;;) {
        const answer = await request();
        answers.push(answer);
        if (answer.connection === 'close') return;
      }
    } catch (error) {
      if (error) failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
}

test('SIGTERM under 200 concurrent requests: all are answered, each connection until Connection: close', async () => {
  const server = await serverProcess({ BAN_AFTER: '9999999' });
  const answers: Answer[] = [];
  const failures: unknown[] = [];
  const loaded = load(server.origin, 200, answers, failures);
  await expect.poll(() => answers.length).toBeGreaterThan(400);
  const { code } = await server.stop();
  await loaded;
  expect(failures).toEqual([]);
  expect(code).toBe(0);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  expect(answers.filter(({ connection }) => connection === 'close').length).toBeGreaterThan(0);
});

test('a draining server is alive but not ready, and answers pending requests', async () => {
  const { promise: running, resolve: release } = Promise.withResolvers<void>();
  let begun = false;
  const server = await listServer(async () => {
    begun = true;
    await running;
    return [];
  });
  const before = await server.connect();
  const slow = server.request('/v1/books');
  await expect.poll(() => begun).toBe(true);
  const drained = server.app.requests.drain({ total: 10_000, quiet: 1_000 });
  before.write('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n');
  const text = await before.readToEnd();
  expect(text).toContain('"reason":"shutting down"');
  expect(text).toMatch(/connection: close/i);
  release();
  expect((await slow).status).toBe(200);
  await drained;
});

test('a draining server answers all pipelined requests, and closes the connection with the last one', async () => {
  const { promise: running, resolve: release } = Promise.withResolvers<void>();
  const server = await listServer(async () => {
    await running;
    return [];
  });
  const connection = await server.connect();
  connection.write(`GET /v1/books HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.apiKey}\r\n\r\n`.repeat(3));
  await expect.poll(() => server.app.requests.running).toBe(3);
  const drained = server.app.requests.drain({ total: 10_000, quiet: 1_000 });
  release();
  const text = await connection.readToEnd();
  expect(text.match(/(?<=HTTP\/1.1 )\d+|connection: close/gi)).toEqual(['200', '200', '200', 'connection: close']);
  await drained;
});

test('an idle client does not delay the shutdown', async () => {
  const server = await startServer();
  await server.connect();
  const used = await server.connect();
  used.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  await used.read(/"ok"/);
  // A server that waited for it would exceed the test's time limit.
  await server.app.requests.drain({ total: 600_000, quiet: 50 });
  await server.close();
});

/** A script that lets time pass twenty times as fast. */
const FAST = `const { setTimeout } = globalThis, { now } = performance;
  globalThis.setTimeout = (callback, ms, ...args) => setTimeout(callback, ms / 20, ...args);
  performance.now = () => 20 * now.call(performance);`;

test('incomplete requests do not delay the shutdown: Node.js has no time limit for them', async () => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(FAST)}`;
  const server = await serverProcess({ NODE_OPTIONS });
  const [header, body] = await Promise.all([openConnection(server.port), openConnection(server.port)]);
  header.write('GET /v1/books HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  const headers = `Authorization: Bearer ${server.key}\r\nContent-Type: application/json\r\nContent-Length: 1000`;
  body.write(`POST /v1/books HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`);
  const trickle = setInterval(() => {
    header.write('x');
    body.write('x');
  }, 20);
  onTestFinished(() => clearInterval(trickle));
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
});

test('during DRAIN_SECONDS a server that ends is not ready, and answers new connections', async () => {
  const { origin, child, finished } = await serverProcess({ DRAIN_SECONDS: '2' });
  child.kill('SIGTERM');
  const probe = async () => (await fetch(`${origin}/readyz`, { headers: { Connection: 'close' } })).status;
  await expect.poll(probe).toBe(503);
  const answer = await fetch(`${origin}/v1/books`, { headers: { Connection: 'close' } });
  expect(answer.status).toBe(401);
  expect((await finished).code).toBe(0);
});
