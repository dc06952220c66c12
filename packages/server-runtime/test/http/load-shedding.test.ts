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
