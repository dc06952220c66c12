import type { RequestContext } from '@repo/server-runtime';
import { withClient } from '@repo/testkit/postgres';
import { temporaryProxy } from '@repo/testkit/proxy';
import { describe, expect, test } from 'vitest';
import type { Handlers } from '../bookstore/generated/operations.ts';
import { temporaryDatabase } from '../support/database.ts';
import { errorOf, temporaryServer } from '../support/server.ts';

const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };

async function expectUnavailable(response: Response): Promise<void> {
  expect(await errorOf(response)).toEqual({
    status: 503,
    code: 'service_unavailable',
    message: 'The service is temporarily unavailable',
  });
  expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
}

describe('a bug in a handler', () => {
  const secret = 'select secret from vault';
  const failing = (error: unknown) => () => {
    throw error;
  };
  const bugs: Record<string, () => unknown> = {
    'an Error': failing(Object.assign(new Error(secret), { query: secret, detail: secret })),
    'a TypeError': () => (undefined as unknown as { name: string }).name,
    'an error with a status of its own': failing(Object.assign(new Error(secret), { statusCode: 404, status: 404 })),
    'an error with a status that is none': failing(Object.assign(new Error(secret), { statusCode: 200 })),
    'an error with a cause': failing(new Error(secret, { cause: new Error(secret) })),
    'an error that looks like one of a schema': failing(Object.assign(new Error(secret), { validation: secret })),
    undefined: failing(undefined),
    null: failing(null),
    'a string': failing(secret),
    'a number': failing(404),
    'a symbol': failing(Symbol(secret)),
    'an object': failing({ statusCode: 400, message: secret }),
    'an object that cannot be read': failing(new Proxy({}, { get: failing(new Error(secret)) })),
    'a result that is none': () => undefined,
    'a result without a status': () => ({ body: [] }),
    'a body that JSON cannot express': () => ({ status: 200, body: [{ id: 1n }] }),
    'a body that refuses': () => ({ status: 200, body: { toJSON: failing(new Error(secret)) } }),
    'a header that HTTP cannot express': () => ({ status: 200, headers: { Link: `${secret}\n` }, body: [] }),
  };

  test('is a 500 without details, and the server continues', async () => {
    let bug: () => unknown = () => undefined;
    const handlers = { listBooks: async () => bug() } as Partial<Handlers<RequestContext>>;
    const server = await temporaryServer({ handlers });
    for (const [name, each] of Object.entries(bugs)) {
      bug = each;
      const response = await server.request('/v1/books');
      expect([name, await errorOf(response)]).toEqual([
        name,
        { status: 500, code: 'internal_error', message: 'Internal error' },
      ]);
      expect(JSON.stringify([...response.headers])).not.toContain('secret');
    }
    bug = () => ({ status: 200, body: [] });
    expect((await server.request('/v1/books')).status).toBe(200);
  });
});

describe('the database is away', () => {
  test('every operation is 503, also for an uncached key, and works again afterwards', async () => {
    const url = await temporaryDatabase();
    const proxy = await temporaryProxy(url);
    const server = await temporaryServer({ databaseUrl: proxy.url });
    const { key } = await server.createKey();
    const { id } = await server.bookstore.createBook({ title: 'Tehanu', storeId: 7 });

    await proxy.cut();
    const body = JSON.stringify({ title: 'Lavinia', storeId: 2 });
    await expectUnavailable(await server.request('/v1/books'));
    await expectUnavailable(await server.request('/v1/books', { ...json, body }));
    await expectUnavailable(await server.request(`/v1/books/${id}`));
    await expectUnavailable(await server.anonymous('/v1/books', { headers: { Authorization: `Bearer ${key}` } }));
    // Responses that need no database are unchanged.
    expect((await server.request('/v1/books?limit=0')).status).toBe(400);
    expect((await server.request('/v1/nowhere')).status).toBe(404);
    expect((await server.anonymous('/v1/books')).status).toBe(401);

    await proxy.mend();
    const uncached = await server.anonymous('/v1/books', { headers: { Authorization: `Bearer ${key}` } });
    expect(uncached.status).toBe(200);
    expect(await server.bookstore.listBooks()).toEqual([{ id, title: 'Tehanu', storeId: 7 }]);
  });

  test('a database that takes no connections is 503', async () => {
    const url = await temporaryDatabase();
    const server = await temporaryServer({ databaseUrl: url });
    const { pathname } = new URL(url);
    const name = pathname.slice(1);
    const maintenance = new URL(url);
    maintenance.pathname = '/postgres';
    await withClient(maintenance.href, async (client) => {
      await client.query(`alter database ${name} allow_connections false`);
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    });
    await expectUnavailable(await server.request('/v1/books'));
  });

  test('an unresponsive database host is 503', async () => {
    const url = await temporaryDatabase();
    const proxy = await temporaryProxy(url);
    const server = await temporaryServer({ databaseUrl: proxy.url, timeLimit: 1_500 });
    await server.bookstore.listBooks();
    proxy.freeze();
    await expectUnavailable(await server.request('/v1/books'));
    // Old connections stay dead; new ones work.
    await proxy.mend();
    expect(await server.bookstore.listBooks()).toEqual([]);
  });
});
