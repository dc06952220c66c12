import { Agent, get } from 'node:http';
import { expect, test } from 'vitest';
import { serverProcess } from '../support/process.ts';
import { startServer } from '../support/server.ts';

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
