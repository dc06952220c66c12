import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { createClient } from '@petstore/client';
import { run, start, startServe } from '@petstore/testkit/commands';
import { checkedFetch } from '@petstore/testkit/contract';
import { countWaiting, withClient } from '@petstore/testkit/postgres';
import { freePort } from '@petstore/testkit/server';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/open.ts';
import { hashKey } from '../src/keys/format.ts';
import { insertApiKey } from '../src/keys/keys.ts';
import { createDatabase, temporaryDatabase } from './support/database.ts';

/** An SDK client with a new key of this database. */
async function clientOf(databaseUrl: string, origin: string) {
  const db = openDatabase(databaseUrl, { size: 1 });
  const { id, key } = await insertApiKey(db, { name: 'Ada Lovelace', plan: 'business' });
  await db.close();
  return { id, key, petstore: createClient({ apiKey: key, baseUrl: `${origin}/v1`, fetch: checkedFetch }) };
}

test('two servers that start at once on an empty database both serve, and exit with 0 on SIGTERM', async () => {
  const DATABASE_URL = await temporaryDatabase({ migrated: false });
  const [one, other] = await Promise.all([startServe({ DATABASE_URL }), startServe({ DATABASE_URL })]);
  const { petstore, key } = await clientOf(DATABASE_URL, one.origin);
  const animal = await petstore.createPet({ name: 'Biscuit', categoryId: 7, status: 'sold' });
  const elsewhere = createClient({ apiKey: key, baseUrl: `${other.origin}/v1`, fetch: checkedFetch });
  expect(await elsewhere.listPets()).toEqual([animal]);
  for (const { code } of await Promise.all([one.stop(), other.stop()])) expect(code).toBe(0);
});

test('a role without superuser rights suffices', async () => {
  const { url, drop } = await createDatabase({ migrated: false });
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  const password = randomUUID();
  await withClient(url, async (client) => {
    await client.query(`create role ${role} login nosuperuser nocreatedb nocreaterole password '${password}'`);
    await client.query(`alter database ${new URL(url).pathname.slice(1)} owner to ${role}`);
  });
  onTestFinished(async () => {
    await drop();
    const maintenance = Object.assign(new URL(url), { pathname: '/postgres' }).href;
    await withClient(maintenance, (client) => client.query(`drop role ${role}`));
  });
  const DATABASE_URL = Object.assign(new URL(url), { username: role, password }).href;
  const server = await startServe({ DATABASE_URL });
  const { petstore } = await clientOf(DATABASE_URL, server.origin);
  expect(await petstore.listPets()).toEqual([]);
  expect((await server.stop()).code).toBe(0);
});

test.runIf(process.platform === 'linux')('localhost is served on its first address', async () => {
  const DATABASE_URL = await temporaryDatabase();
  const lookup = `import dns from 'node:dns';
    const { lookup } = dns;
    const addresses = [{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }];
    dns.lookup = (host, ...rest) => host === 'localhost' ? rest.at(-1)(null, addresses) : lookup(host, ...rest);`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(lookup)}`;
  const server = await startServe({ DATABASE_URL, HOST: 'localhost', NODE_OPTIONS });
  const { port } = new URL(server.origin);
  for (let time = 0; time < 100; time++) await expect(fetch(`http://127.0.0.2:${port}/v1/pets`)).rejects.toThrow();
  expect((await fetch(`http://127.0.0.1:${port}/v1/pets`)).status).toBe(401);
  expect((await server.stop()).code).toBe(0);
});

test('an unusable address is one line on stderr', async () => {
  const DATABASE_URL = await temporaryDatabase();
  const occupied = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void occupied.close());
  await new Promise((resolve) => occupied.once('listening', resolve));
  const { port } = occupied.address() as { port: number };
  const environments: [Record<string, string>, RegExp][] = [
    [{ PORT: String(port) }, new RegExp(`Cannot listen on 127.0.0.1:${port}: the port is in use; set PORT`)],
    [{ PORT: '0', HOST: '192.0.2.1' }, /Cannot listen on 192\.0\.2\.1:0: /],
  ];
  const all = environments.map(async ([environment, message]) => {
    const { code, stderr } = await run(['serve'], { DATABASE_URL, LOG_LEVEL: 'error', ...environment });
    expect(stderr).toMatch(/^petstore-server: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });
  await Promise.all(all);
});

test('the log has one line per request, without keys, hashes or client values, at any level', async () => {
  const DATABASE_URL = await temporaryDatabase();
  const server = await startServe({ DATABASE_URL, LOG_LEVEL: 'trace' });
  const { id, key, petstore } = await clientOf(DATABASE_URL, server.origin);
  const secrets = { name: 'Pet-e8a1', unknownField: 'field-77c2', query: 'query-91b4', token: 'token-5d3f' };
  const request = (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers };
    return checkedFetch(`${server.origin}${path}`, { ...init, headers });
  };
  const animal = await petstore.createPet({ name: secrets.name, categoryId: 7 });
  await petstore.listPets();
  await petstore.getPet({ petId: animal.id });
  await request('/v1/pets', { method: 'POST', body: JSON.stringify({ [secrets.unknownField]: secrets.name }) });
  await request('/v1/pets', { method: 'POST', body: `{"name":"${secrets.name}` });
  await request(`/v1/pets?${secrets.query}=1`);
  await request(`/v1/nowhere?${secrets.query}=1`);
  await request('/v1/pets', { headers: { Authorization: `Bearer ${secrets.token}` } });
  await request('/v1/pets', { method: 'PURGE' });
  // A database error whose detail contains the refused row.
  await withClient(DATABASE_URL, (client) => client.query('alter table pets add check (false) not valid'));
  await request('/v1/pets', { method: 'POST', body: JSON.stringify({ name: secrets.name, categoryId: 7 }) });
  const { code, stdout, stderr } = await server.stop();
  expect([code, stderr]).toEqual([0, '']);

  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const requests = lines.filter(({ msg }) => msg === 'request');
  const usual = { keyId: id, plan: 'business' };
  expect(requests).toMatchObject([
    { operationId: 'createPet', method: 'POST', status: 201, ...usual },
    { operationId: 'listPets', method: 'GET', status: 200, ...usual },
    { operationId: 'getPet', method: 'GET', status: 200, ...usual },
    { operationId: 'createPet', status: 400, ...usual },
    { operationId: 'createPet', status: 400, ...usual },
    { operationId: 'listPets', status: 400, ...usual },
    { path: '/v1/nowhere', status: 404 },
    { operationId: 'listPets', status: 401 },
    { path: '/v1/pets', method: 'PURGE', status: 405 },
    { operationId: 'createPet', status: 500, ...usual },
  ]);
  for (const { reqId, ms } of requests) expect([typeof reqId, typeof ms]).toEqual(['string', 'number']);

  const { password } = new URL(DATABASE_URL);
  const hash = hashKey(key);
  const hashes = ['hex', 'base64', 'base64url'].map((encoding) => hash.toString(encoding as BufferEncoding));
  for (const secret of [key, key.slice(9, 40), ...hashes, 'Ada Lovelace', ...Object.values(secrets), password]) {
    if (secret) expect(stdout).not.toContain(secret);
  }
});

test('SIGTERM during the wait to migrate exits with 0: nothing was accepted yet', async () => {
  const DATABASE_URL = await temporaryDatabase();
  await withClient(DATABASE_URL, async (client) => {
    await client.query('begin; lock table kysely_migration');
    const server = start(['serve'], { PORT: '0', DATABASE_URL });
    await expect.poll(() => countWaiting(client)).toBe(1);
    expect((await server.stop()).code).toBe(0);
  });
});

test('a signal sent twice, by process group and parent, shuts it down gracefully', async () => {
  const DATABASE_URL = await temporaryDatabase();
  const server = await startServe({ DATABASE_URL });
  const { petstore } = await clientOf(DATABASE_URL, server.origin);
  await petstore.listPets();
  await withClient(DATABASE_URL, async (client) => {
    await client.query('begin; lock table pets');
    const running = petstore.listPets({}, { maxRetries: 0 });
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await client.query(waits)).rowCount).toBe(1);

    for (let signal = 0; signal < 3; signal++) server.child.kill('SIGTERM');
    await expect.poll(() => fetch(`${server.origin}/livez`).catch(() => 'refused')).toBe('refused');
    server.child.kill('SIGINT');
    await client.query('commit');
    expect(await running).toEqual([]);
    expect(await server.finished).toMatchObject({ code: 0, stderr: '' });
  });
});

test('it continues to serve when its log pipe is closed', async () => {
  const DATABASE_URL = await temporaryDatabase();
  const server = await startServe({ DATABASE_URL });
  const { petstore } = await clientOf(DATABASE_URL, server.origin);
  server.child.stdout?.destroy();
  for (let request = 0; request < 3; request++) expect(await petstore.listPets()).toEqual([]);
  expect((await server.stop()).code).toBe(0);
});

/** Sends requests whose log lines fill the buffers of a pipe, and of a terminal. */
async function fillLog(origin: string): Promise<void> {
  const client = async () => {
    for (let times = 0; times < 100; times++) await (await fetch(`${origin}/livez`)).text();
  };
  await Promise.all(Array.from({ length: 20 }, client));
}

test('without a reader of standard output it serves, and exits with 0 on SIGTERM', async () => {
  const { child, origin } = await startServe({ DATABASE_URL: await temporaryDatabase() });
  child.stdout?.pause();
  await fillLog(origin);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** Runs the server on a terminal that nobody reads, as after Ctrl-S. Ends it with SIGTERM once its own input is closed. */
const ON_TERMINAL = `
import os, pty, signal, subprocess, sys
_, terminal = pty.openpty()
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=terminal)
sys.stdin.read()
server.send_signal(signal.SIGTERM)
sys.exit(server.wait())`;

test('on a stopped terminal it serves, and exits with 0 on SIGTERM', async ({ skip }) => {
  if (spawnSync('python3', ['-c', 'import pty']).status !== 0) skip('needs python3 for a terminal');
  const PORT = String(await freePort());
  const env = { ...process.env, DATABASE_URL: await temporaryDatabase(), PORT, HOST: '127.0.0.1' };
  const main = path.join(import.meta.dirname, '../dist/main.js');
  const terminal = spawn('python3', ['-c', ON_TERMINAL, process.execPath, main, 'serve'], { env });
  onTestFinished(() => void terminal.stdin.end());
  const origin = `http://127.0.0.1:${PORT}`;
  await expect.poll(async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok).toBe(true);
  await fillLog(origin);
  terminal.stdin.end();
  expect(await once(terminal, 'exit')).toEqual([0, null]);
});
