import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { failureOf, run, start } from '@petstore-platform/testkit/commands';
import { countWaiting, whileLocked } from '@petstore-platform/testkit/postgres';
import { temporaryProxy } from '@petstore-platform/testkit/proxy';
import { freePort, listen } from '@petstore-platform/testkit/server';
import { expect, inject, onTestFinished, test } from 'vitest';
import { checkedFetch } from '../support/contract.ts';
import { rowsOf, temporaryDatabase } from '../support/database.ts';
import { serverProcess } from '../support/process.ts';
import { hashKey, migrations } from '../support/runtime.ts';

test('two servers that start at once on an empty database both serve, and exit with 0 on SIGTERM', async () => {
  const DATABASE_URL = await temporaryDatabase({ migrated: false });
  const start = () => serverProcess({ DATABASE_URL }, {}, '--migrate');
  const [one, other] = await Promise.all([start(), start()]);
  const book = await one.bookstore.createBook({ title: 'Ubik', storeId: 7, format: 'ebook' });
  expect(await other.bookstore.listBooks()).toEqual([book]);
  for (const { code } of await Promise.all([one.stop(), other.stop()])) expect(code).toBe(0);
});

test('an unusable address is one line in the log', async () => {
  const DATABASE_URL = await temporaryDatabase();
  const stranger = createServer();
  onTestFinished(() => void stranger.close());
  const port = await listen(stranger);
  const environments: [Record<string, string>, RegExp][] = [
    [{ PORT: String(port) }, new RegExp(`Cannot listen on 127.0.0.1:${port}: the port is in use; set PORT`)],
    [{ PORT: '0', METRICS_PORT: String(port), LOG_LEVEL: 'info' }, /the port is in use; set METRICS_PORT to another/],
    [{ PORT: '0', HOST: '192.0.2.1' }, /Cannot listen on 192\.0\.2\.1:0: /],
  ];
  const all = environments.map(async ([environment, message]) => {
    const finished = await run(['serve'], { DATABASE_URL, LOG_LEVEL: 'error', ...environment });
    expect(failureOf(finished)).toMatch(message);
    expect([finished.code, finished.stderr]).toEqual([1, '']);
  });
  await Promise.all(all);
});

const IDS = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';

/** The header `traceparent` with these ids, and whether it is valid. */
const PARENTS: [string, boolean][] = [
  [`00-${IDS}-01`, true],
  [`42-${IDS}-00-more`, true],
  [`00-${IDS}-01-more`, false],
  [`ff-${IDS}-01`, false],
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01', false],
  ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', false],
  [`00-${IDS.toUpperCase()}-01`, false],
];

test('the log has one line per request, without keys, hashes or client values, at any level', async () => {
  const server = await serverProcess({ LOG_LEVEL: 'trace', COMMIT: '0123abc' });
  const { keyId, key, bookstore, databaseUrl } = server;
  const secrets = { title: 'Title-e8a1', unknownField: 'field-77c2', query: 'query-91b4', token: 'token-5d3f' };
  const request = (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers };
    return checkedFetch(`${server.origin}${path}`, { ...init, headers });
  };
  const book = await bookstore.createBook({ title: secrets.title, storeId: 7 });
  await bookstore.listBooks();
  await bookstore.getBook({ bookId: book.id });
  await request('/v1/books', { method: 'POST', body: JSON.stringify({ [secrets.unknownField]: secrets.title }) });
  await request('/v1/books', { method: 'POST', body: `{"title":"${secrets.title}` });
  await request(`/v1/books?${secrets.query}=1`);
  await request(`/v1/nowhere?${secrets.query}=1`);
  await request('/v1/books', { headers: { Authorization: `Bearer ${secrets.token}` } });
  await request('/v1/books', { method: 'PURGE' });
  await request('/livez');
  for (const [traceparent] of PARENTS) await request('/v1/books', { method: 'PUT', headers: { traceparent } });
  // The detail of this database error contains the refused row.
  const refuse = `update books set format = 'ebook'; alter table books alter format set not null`;
  await rowsOf(databaseUrl, refuse);
  await request('/v1/books', { method: 'POST', body: JSON.stringify({ title: secrets.title, storeId: 7 }) });
  const { code, stdout, stderr } = await server.stop();
  expect([code, stderr]).toEqual([0, '']);

  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
    version: '0.0.0',
    commit: '0123abc',
    node: process.versions.node,
    postgres: expect.stringMatching(/^\d+\.\d/),
    role: new URL(databaseUrl).username,
    migrations: Object.keys(migrations).length,
    config: { LOG_LEVEL: 'trace', MAX_REQUESTS: '1000', DATABASE_URL: '(set)' },
    msg: 'starting',
  });
  expect(lines.slice(-2)).toMatchObject([{ msg: 'draining', signal: 'SIGTERM' }, { msg: 'ended' }]);
  const probes = lines.filter(({ path }) => path === '/livez');
  expect(probes).toMatchObject([{ level: 'debug' }]);
  const requests = lines.filter(({ msg, level }) => msg === 'request' && level === 'info');
  const usual = { keyId, plan: 'business' };
  const traced = requests.splice(-1 - PARENTS.length, PARENTS.length);
  expect(traced.map(({ trace_id, span_id }) => `${trace_id}-${span_id}`)).toEqual(
    PARENTS.map(([, isValid]) => (isValid ? IDS : 'undefined-undefined')),
  );
  expect(requests).toMatchObject([
    { operationId: 'createBook', method: 'POST', status: 201, ...usual },
    { operationId: 'listBooks', method: 'GET', status: 200, ...usual },
    { operationId: 'getBook', method: 'GET', status: 200, ...usual },
    { operationId: 'createBook', status: 400, ...usual },
    { operationId: 'createBook', status: 400, ...usual },
    { operationId: 'listBooks', status: 400, ...usual },
    { path: '/v1/nowhere', status: 404 },
    { operationId: 'listBooks', status: 401 },
    { path: '/v1/books', method: 'PURGE', status: 405 },
    { operationId: 'createBook', status: 500, ...usual },
  ]);
  for (const { reqId, ms } of requests) expect([typeof reqId, typeof ms]).toEqual(['string', 'number']);

  const { password } = new URL(databaseUrl);
  const hash = hashKey(key);
  const hashes = ['hex', 'base64', 'base64url'].map((encoding) => hash.toString(encoding as BufferEncoding));
  for (const secret of [key, key.slice(10, 40), ...hashes, 'Ada Lovelace', ...Object.values(secrets), password]) {
    if (secret) expect(stdout).not.toContain(secret);
  }
});

test.runIf(process.platform === 'linux')(
  'it takes no more connections than the limit of open files allows',
  async () => {
    const DATABASE_URL = await temporaryDatabase();
    const { script, options = [] } = inject('program');
    const command = ['-c', 'ulimit -n 256; exec "$0" "$@"', process.execPath, ...options, script, 'serve'];
    const server = spawn('sh', command, { env: { ...process.env, DATABASE_URL, PORT: '0', MAX_CONNECTIONS: '0' } });
    onTestFinished(() => void server.kill('SIGKILL'));
    let log = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    await expect.poll(() => log).toContain('Server listening');
    expect(log).toMatch(/"level":"warn",[^\n]*limit of open files allows for 176 connections/);
    const [, origin = ''] = /Server listening at (http:[^"]+)/.exec(log) ?? [];
    const sockets: Socket[] = [];
    while (sockets.length < 400) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.on('error', () => {});
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      sockets.push(socket.resume());
    }
    const open = () => sockets.filter(({ readyState }) => readyState === 'open');
    await expect.poll(() => open().length).toBe(176);
    // Its database needs new connections, too.
    const [first] = open();
    first?.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(first as Socket, 'data');
    expect(`${answer}`).toMatch(/^HTTP\/1.1 200 /);
  },
);

test('SIGTERM during the wait to migrate exits with 0: nothing was accepted yet', async () => {
  const DATABASE_URL = await temporaryDatabase();
  await whileLocked(DATABASE_URL, 'kysely_migration', async () => {
    const server = start(['serve', '--migrate'], { PORT: '0', DATABASE_URL });
    await server.waitFor(/"level":"warn",[^\n]*"msg":"waiting for a lock of session/);
    const { code, stdout, stderr } = await server.stop();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/"signal":"SIGTERM","msg":"ended"\}\n$/);
  });
});

test('SIGUSR2 switches between the configured log level and debug, SIGUSR1 opens no debugger', async () => {
  const { child, origin, output, waitFor, stop } = await serverProcess({
    LOG_LEVEL: 'warn',
    PORT: String(await freePort()),
  });
  child.kill('SIGUSR1');
  child.kill('SIGUSR2');
  await waitFor(/"level":"info"[^\n]+"the log level is debug"/);
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  await waitFor(/"path":"\/livez"/);
  child.kill('SIGUSR2');
  await waitFor(/"the log level is warn"/);
  const before = output();
  await (await fetch(`${origin}/livez`)).text();
  expect(await stop()).toMatchObject({ code: 0, stderr: '' });
  expect(output()).toBe(before);
});

test('SIGTERM, SIGHUP or SIGQUIT, sent by process group and parent, drains', async () => {
  const drains = async (signal: NodeJS.Signals) => {
    const server = await serverProcess({ STATEMENT_TIMEOUT: '10' });
    const { bookstore } = server;
    await bookstore.listBooks();
    await whileLocked(server.databaseUrl, 'books', async (client) => {
      const running = bookstore.listBooks();
      await expect.poll(() => countWaiting(client)).toBe(1);

      for (let time = 0; time < 3; time++) server.child.kill(signal);
      await expect.poll(() => fetch(`${server.origin}/livez`).catch(() => 'refused')).toBe('refused');
      server.child.kill('SIGINT');
      await client.query('commit');
      expect(await running).toEqual([]);
      expect([signal, await server.finished]).toMatchObject([signal, { code: 0, stderr: '' }]);
    });
  };
  await Promise.all((['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const).map(drains));
});

test('neither a rejected promise that no handler awaits, nor the end of its log pipe, ends a server', async () => {
  const seeded = `process.on('SIGWINCH', () => { Promise.reject(new Error('seeded')); })`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(seeded)}`;
  const { bookstore, child, stop, waitFor } = await serverProcess({ NODE_OPTIONS });
  child.kill('SIGWINCH');
  await waitFor(/"level":"error"[^\n]+"message":"seeded"[^\n]+"unhandled rejection"/);
  expect(await bookstore.listBooks()).toEqual([]);
  child.stdout?.destroy();
  for (let request = 0; request < 3; request++) expect(await bookstore.listBooks()).toEqual([]);
  expect(await stop()).toMatchObject({ code: 0, stderr: '' });
});

test('without a reader of standard output it serves, and exits with 0 on SIGTERM', async () => {
  const { child, origin } = await serverProcess();
  child.stdout?.pause();
  // The log lines, some 600 kB, fill the buffers of a pipe, and of a terminal. Probes are not logged.
  const client = async () => {
    for (let times = 0; times < 75; times++) await (await fetch(`${origin}/${'nowhere'.repeat(100)}`)).text();
  };
  await Promise.all(Array.from({ length: 20 }, client));
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a start waits for Postgres, and says so', async () => {
  const proxy = await temporaryProxy(await temporaryDatabase());
  await proxy.cut();
  const server = start(['serve'], { PORT: '0', DATABASE_URL: proxy.url });
  await server.waitFor(/"reason":"connect ECONNREFUSED .*"msg":"waiting for the database"/);
  await proxy.mend();
  await server.waitFor(/Server listening/);
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
});

/** A proxy to Postgres that closes a connection whenever it sends a statement for the first time. */
async function forgetful(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const seen = new Set<string>();
  let isForgetful = (text: string) => !seen.has(text);
  const proxy = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const close = () => [near, far].map((socket) => socket.destroy());
    for (const socket of [near, far]) socket.on('error', close).on('close', close);
    far.pipe(near);
    near.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      // The messages of a password are random.
      if (text.startsWith('p') || !isForgetful(text)) return void far.write(chunk);
      seen.add(text);
      close();
    });
  });
  onTestFinished(() => void proxy.close());
  const { href: url } = Object.assign(new URL(target), { host: `127.0.0.1:${await listen(proxy)}` });
  /** From now on, closes connections that send this text, at most so many. */
  const lose = (lost: string, times: number) => {
    let left = times;
    isForgetful = (text) => text.includes(lost) && left-- > 0;
  };
  return { url, seen, lose };
}

test('a start waits for Postgres at each of its statements', async () => {
  const { url, seen, lose } = await forgetful(await temporaryDatabase());
  const server = start(['serve'], { PORT: '0', DATABASE_URL: url });
  await server.waitFor(/Server listening/);
  lose('', 0);
  expect(seen.size).toBeGreaterThan(10);
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
});

// Cases that mostly wait do so together.
test('a start tries a migration again that lost Postgres', async () => {
  const retries = async (text: string) => {
    const { url, seen, lose } = await forgetful(await temporaryDatabase({ migrated: false }));
    lose(text, 2);
    const server = start(['serve', '--migrate'], { PORT: '0', DATABASE_URL: url });
    await server.waitFor(/Server listening/);
    expect([text, seen.size]).toEqual([text, 1]);
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
  };
  await Promise.all(['create table books', 'commit'].map(retries));
});

test('a start that waits for Postgres at any statement ends on a signal', async () => {
  const ends = async (statement: string) => {
    const { url, lose } = await forgetful(await temporaryDatabase());
    lose(statement, Number.POSITIVE_INFINITY);
    const server = start(['serve'], { PORT: '0', DATABASE_URL: url });
    await server.waitFor(/waiting for the database/);
    expect([statement, await server.stop()]).toMatchObject([statement, { code: 0, stderr: '' }]);
  };
  await Promise.all(['show server_encoding', 'server_version', 'json_to_recordset'].map(ends));
});
