import { readFile } from 'node:fs/promises';
import { createClient } from '@petstore/client';
import { run, startServe } from '@petstore-platform/testkit/commands';
import { expect, test } from 'vitest';
import { document } from '../../src/generated/document.ts';
import { checkedFetch } from '../support/contract.ts';
import { temporaryDatabase } from '../support/database.ts';

/** The built program, as operators start it: the names of its commands, keys, metrics and messages. */

test('it migrates a database, issues keys, serves the contract until SIGTERM', async () => {
  const DATABASE_URL = await temporaryDatabase({ migrated: false });
  const outputOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args, { DATABASE_URL });
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  expect(await outputOf('migrate')).toMatch(/^Migrated: 001-pets, .*runtime-001-clock, .*\n$/);
  expect(await outputOf('migrate', 'status')).toMatch(/^001-pets {2}\d{4}-\S+Z\n/);
  const { id, key } = JSON.parse(await outputOf('keys', 'create', '--name', 'Ada', '--plan', 'pro', '--json'));
  expect(key).toMatch(/^petstore_[\w-]{48}$/);

  const server = await startServe({ DATABASE_URL, METRICS_PORT: '0' });
  const petstore = createClient({ apiKey: key, baseUrl: `${server.origin}/v1`, fetch: checkedFetch });
  const animal = await petstore.createPet({ name: 'Biscuit', categoryId: 7, status: 'sold' });
  expect(await petstore.listPets({ status: 'sold' })).toEqual([animal]);
  const get = (path: string) => fetch(server.origin + path);
  expect((await get('/v1/pets')).headers.get('WWW-Authenticate')).toBe('Bearer realm="petstore"');
  expect(await (await get('/readyz')).json()).toEqual({ status: 'ok' });
  expect(await (await get('/docs')).text()).toContain('<title>Petstore API</title>');
  const { servers, ...others } = document;
  const published = { ...others, servers: [{ url: '/v1', description: 'This server' }, ...servers] };
  expect(await (await get('/openapi.json')).json()).toEqual(published);

  const [, url = ''] = await server.waitFor(/Metrics at (http:[^"]+)/);
  const metrics = async () => (await fetch(url)).text();
  const labels =
    'operation="createPet",http_route="/v1/pets",http_request_method="POST",http_response_status_code="201",client="js/\\d+\\.\\d+\\.\\d+",plan="pro"';
  await expect.poll(metrics).toMatch(new RegExp(`^http_server_request_duration_seconds_count{${labels}} 1$`, 'm'));
  expect(await metrics()).toContain('service_requests_shed_total 0\n');
  const { code, stdout, stderr } = await server.stop();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/"operationId":"createPet","method":"POST",.*"status":201/);
  expect(await outputOf('keys', 'revoke', String(id))).toMatch(/within 10 seconds/);
  expect(await outputOf('keys', 'list')).toMatch(new RegExp(`^${id} +Ada +- +pro `, 'm'));
});

test('it lists its commands, and fails with one line', async () => {
  const { stdout } = await run(['--help']);
  expect(stdout).toMatch(/^Usage: petstore-server /);
  expect(stdout.match(/(?<=^ {2})[a-z]+(?= )/gm)).toEqual(['serve', 'migrate', 'keys', 'jobs', 'help']);
  const { code, stderr } = await run(['migrate'], { DATABASE_URL: 'mysql://ada:hunter2@localhost/petstore' });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^petstore-server: Configuration: DATABASE_URL must be .*\n$/),
  ]);
});

test('it requires the same Node.js as the runtime, which refuses older ones', async () => {
  const enginesOf = async (folder: string) =>
    JSON.parse(await readFile(new URL(`${folder}/package.json`, import.meta.url), 'utf8')).engines;
  expect(await enginesOf('../..')).toEqual(await enginesOf('../../../../packages/server-runtime'));
});
