import { setImmediate as nextTurn } from 'node:timers/promises';
import { withClient } from '@petstore/testkit/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { Metrics } from '../../src/ops/metrics.ts';
import { errorOf, temporaryServer } from '../support/server.ts';

const unlimited = { MAX_REQUESTS: 0, MAX_EVENT_LOOP_DELAY: 0 };

async function expectOverloaded(response: Response): Promise<void> {
  expect(await errorOf(response)).toEqual({
    status: 503,
    code: 'service_unavailable',
    message: 'The service is overloaded at the moment',
  });
  expect(response.headers.get('Retry-After')).toBe('1');
}

test('with as many requests as it takes on, a server refuses further ones at once, whoever asks, and recovers', async () => {
  const metrics = new Metrics({});
  const server = await temporaryServer({ metrics, config: { MAX_REQUESTS: 3 }, timeLimit: 80_000 });
  await server.petstore.listPets();
  await withClient(server.databaseUrl, async (client) => {
    await client.query('begin; lock table pets');
    const served = [1, 2, 3].map(() => server.request('/v1/pets'));
    await expect.poll(() => server.app.exchanges.running).toBe(3);

    // While the others still wait.
    await expectOverloaded(await server.request('/v1/pets'));
    // Before the key is looked at, and what the operation announces is said nevertheless.
    await expectOverloaded(await server.anonymous('/v1/pets', { method: 'POST' }));
    const deprecated = await server.request('/v1/pets/1');
    expect(deprecated.headers.has('Deprecation')).toBe(true);
    await expectOverloaded(deprecated);
    await expectOverloaded(await server.anonymous('/v1/nowhere'));
    // How it is, can still be asked.
    expect((await server.anonymous('/livez')).status).toBe(200);
    expect((await server.anonymous('/readyz')).status).toBe(200);
    expect(server.app.exchanges.running).toBe(3);
    expect(await metrics.registry.metrics()).toContain('\npetstore_requests_shed_total{reason="requests"} 4\n');

    await client.query('commit');
    for (const { status } of await Promise.all(served)) expect(status).toBe(200);
  });
  await server.petstore.listPets();
});

test('clients that announce a body and withhold it, or do not read their answer, are no load', async () => {
  const server = await temporaryServer({ config: { MAX_REQUESTS: 3 } });
  const head = (line: string, ...more: string[]) =>
    [line, 'Host: x', `Authorization: Bearer ${server.apiKey}`, ...more, '', ''].join('\r\n');
  const json = ['Content-Type: application/json', 'Content-Length: 29'];
  const sending: Awaited<ReturnType<typeof server.connect>>[] = [];
  for (let number = 0; number < 10; number++) {
    const connection = await server.connect();
    connection.write(`${head('POST /v1/pets HTTP/1.1', ...json, 'Expect: 100-continue')}`);
    // It is asked for its body.
    await connection.read(/100 Continue/);
    connection.write('{');
    sending.push(connection);
  }
  expect(server.app.exchanges.running).toBe(10);
  await server.petstore.listPets();
  // What comes after all is served, as far as it is not too much at once.
  sending[0]?.write('"name":"Rex","categoryId":7}');
  expect(await sending[0]?.read(/HTTP\/1.1 201 /)).toContain('Rex');

  // Bodies that arrive while the server has enough to do are refused.
  await withClient(server.databaseUrl, async (client) => {
    await client.query('begin; lock table pets');
    const served = [1, 2, 3].map(() => server.request('/v1/pets'));
    await expect.poll(() => server.app.exchanges.running).toBe(12);
    sending[1]?.write('"name":"Rex","categoryId":7}');
    await sending[1]?.read(/HTTP\/1.1 503 /);
    await client.query('commit');
    for (const { status } of await Promise.all(served)) expect(status).toBe(200);
  });
});

test('a server whose event loop is late refuses requests until it is not', async () => {
  const server = await temporaryServer({ config: { ...unlimited, MAX_EVENT_LOOP_DELAY: 100 } });
  await server.petstore.listPets();
  let blocking = true;
  onTestFinished(() => {
    blocking = false;
  });
  const blocked = (async () => {
    while (blocking) {
      const end = performance.now() + 250;
      while (performance.now() < end);
      await nextTurn();
    }
  })();
  await expect.poll(() => server.anonymous('/v1/pets')).toMatchObject({ status: 503 });
  await expectOverloaded(await server.request('/v1/pets'));
  blocking = false;
  await blocked;
  await expect.poll(() => server.request('/v1/pets')).toMatchObject({ status: 200 });
});

test('0 is no limit', async () => {
  const server = await temporaryServer({ config: unlimited });
  await withClient(server.databaseUrl, async (client) => {
    await client.query('begin; lock table pets');
    const served = Array.from({ length: 50 }, () => server.request('/v1/pets'));
    await expect.poll(() => server.app.exchanges.running).toBe(50);
    await client.query('commit');
    for (const { status } of await Promise.all(served)) expect(status).toBe(200);
  });
});
