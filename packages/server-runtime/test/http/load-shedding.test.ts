import { whileLocked } from '@petstore-platform/testkit/postgres';
import { expect, test } from 'vitest';
import { Metrics } from '../support/runtime.ts';
import { errorOf, temporaryServer } from '../support/server.ts';

async function expectOverloaded(response: Response): Promise<void> {
  expect(await errorOf(response)).toEqual({
    status: 503,
    code: 'service_unavailable',
    message: 'The service is temporarily overloaded',
  });
  expect(response.headers.get('Retry-After')).toBe('1');
}

test('a full server refuses further requests at once, from any client, and recovers', async () => {
  const metrics = new Metrics({});
  const server = await temporaryServer({ metrics, config: { MAX_REQUESTS: 3, STATEMENT_TIMEOUT: 80 } });
  await server.bookstore.listBooks();
  await whileLocked(server.databaseUrl, 'books', async (client) => {
    const served = [1, 2, 3].map(() => server.request('/v1/books'));
    await expect.poll(() => server.app.requests.running).toBe(3);

    // The other requests are still pending.
    await expectOverloaded(await server.request('/v1/books'));
    // The answer comes before authentication, but with the operation's deprecation headers.
    await expectOverloaded(await server.anonymous('/v1/books', { method: 'POST' }));
    const deprecated = await server.request('/v1/books/1');
    expect(deprecated.headers.has('Deprecation')).toBe(true);
    await expectOverloaded(deprecated);
    await expectOverloaded(await server.anonymous('/v1/nowhere'));
    // Health checks still work.
    expect((await server.anonymous('/livez')).status).toBe(200);
    expect((await server.anonymous('/readyz')).status).toBe(200);
    expect(server.app.requests.running).toBe(3);
    expect(await metrics.registry.metrics()).toContain('\nservice_requests_shed_total 4\n');

    await client.query('commit');
    for (const { status } of await Promise.all(served)) expect(status).toBe(200);
  });
  await server.bookstore.listBooks();
});

test('clients that withhold an announced body or do not read the response do not count as load', async () => {
  const server = await temporaryServer({ config: { MAX_REQUESTS: 3 } });
  const head = (line: string, ...more: string[]) =>
    [line, 'Host: x', `Authorization: Bearer ${server.apiKey}`, ...more, '', ''].join('\r\n');
  const json = ['Content-Type: application/json', 'Content-Length: 28'];
  const sending: Awaited<ReturnType<typeof server.connect>>[] = [];
  for (let number = 0; number < 10; number++) {
    const connection = await server.connect();
    connection.write(`${head('POST /v1/books HTTP/1.1', ...json, 'Expect: 100-continue')}`);
    // The server requests the body.
    await connection.read(/100 Continue/);
    connection.write('{');
    sending.push(connection);
  }
  expect(server.app.requests.running).toBe(10);
  await server.bookstore.listBooks();
  // Late bodies are served up to the limit.
  sending[0]?.write('"title":"Ubik","storeId":7}');
  expect(await sending[0]?.read(/HTTP\/1.1 201 /)).toContain('Ubik');

  // Bodies that arrive at a full server are refused.
  await whileLocked(server.databaseUrl, 'books', async (client) => {
    const served = [1, 2, 3].map(() => server.request('/v1/books'));
    await expect.poll(() => server.app.requests.running).toBe(12);
    sending[1]?.write('"title":"Ubik","storeId":7}');
    await sending[1]?.read(/HTTP\/1.1 503 /);
    await client.query('commit');
    for (const { status } of await Promise.all(served)) expect(status).toBe(200);
  });
});

test('0 disables the limit', async () => {
  const server = await temporaryServer({ config: { MAX_REQUESTS: 0 } });
  await whileLocked(server.databaseUrl, 'books', async (client) => {
    const served = Array.from({ length: 50 }, () => server.request('/v1/books'));
    await expect.poll(() => server.app.requests.running).toBe(50);
    await client.query('commit');
    for (const { status } of await Promise.all(served)) expect(status).toBe(200);
  });
});
