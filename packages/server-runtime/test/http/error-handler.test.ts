import { ApiError, attachment } from '@petstore-platform/server-runtime';
import { temporaryProxy } from '@petstore-platform/testkit/proxy';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { rowsOf, temporaryDatabase } from '../support/database.ts';
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

const secret = 'select secret from vault';
const failing = (error: unknown) => () => {
  throw error;
};
const altered = (fields: object) => Object.assign(new ApiError(404, secret), fields);
const unreadable = (error: Error, field: string) =>
  Object.defineProperty(error, field, { get: failing(new Error(secret)), configurable: true, enumerable: true });
/** An error as Fastify's plugins make it. */
const ofPlugin = (statusCode: unknown) => Object.assign(new Error(secret), { code: 'FST_ERR_PLUGIN', statusCode });

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
  'a header whose name HTTP cannot express': () => ({ status: 200, headers: { 'a secret': 'x' }, body: [] }),
  'a header of the connection': () => ({ status: 200, headers: { 'transfer-Encoding': 'chunked' }, body: [] }),
  'a header of trailers': () => ({ status: 200, headers: { Trailer: 'X' }, body: [] }),
  'a body that is no JSON': () => ({ status: 200, body: () => secret }),
  ...Object.fromEntries(
    [0, 99, 100, 101, 103, 199, 600, 999, 200.5, Number.NaN, '200', null].flatMap((status) => [
      [`a result with the status ${status}`, () => ({ status, body: [] })],
      [`an ApiError with the status ${status}`, () => failing(new ApiError(status as number, secret))()],
      [`an ApiError that gets the status ${status}`, failing(altered({ status }))],
      [`an error of a plugin with the status ${status}`, failing(ofPlugin(status))],
    ]),
  ),
  'an ApiError that is a success': () => failing(new ApiError(200, secret))(),
  'an ApiError that is a redirection': () => failing(new ApiError(399, secret))(),
  'an ApiError with a header that HTTP cannot express': () =>
    failing(new ApiError(404, secret, { headers: { Link: `${secret}\n` } }))(),
  'an ApiError that gets such a header': failing(altered({ headers: { 'a secret': 'x' } })),
  'an ApiError with a header of the connection': failing(altered({ headers: { 'Transfer-Encoding': 'chunked' } })),
  'an ApiError that JSON cannot express': failing(new ApiError(404, secret, { errors: [{ pointer: 1n }] as never })),
  'an ApiError without a body': failing(altered({ body: () => undefined })),
  'an ApiError whose body cannot be read': failing(altered({ body: failing(new Error(secret)) })),
  'an error of a plugin that is a success': failing(ofPlugin(204)),
  ...Object.fromEntries(
    ['name', 'message', 'stack', 'cause', 'code', 'status', 'statusCode', 'syscall', 'errors', 'headers'].flatMap(
      (field) => [
        [`an error whose ${field} cannot be read`, failing(unreadable(new Error(secret), field))],
        [`an ApiError whose ${field} cannot be read`, () => failing(unreadable(altered({ code: 1n }), field))()],
      ],
    ),
  ),
  'an object that can do nothing': failing(new Proxy({}, { getPrototypeOf: failing(new Error(secret)) })),
};

test('a bug in a handler is a 500 without details, and the server continues', async () => {
  let bug: () => unknown = () => undefined;
  const server = await temporaryServer({ handlers: { listBooks: async () => bug() } as never });
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

test('a header has any text of a client: in a Location, and as the name of a file, and is absent without a value', async () => {
  const texts = ['a b', '€ "\\', 'a\r\nSet-Cookie: x', '100%', '%20', '/ü?q=[1]#x', '🐕', "it's (1)*", '../etc'];
  let text = '';
  let headersOf: () => object = () => ({ Location: `/v1/${text}`, 'Content-Disposition': attachment(text) });
  const listBooks = async () => ({ status: 200, headers: headersOf(), body: [] });
  const { origin, apiKey } = await temporaryServer({ handlers: { listBooks } as never });
  const get = () => fetch(`${origin}/v1/books`, { headers: { Authorization: `Bearer ${apiKey}` } });
  for (text of texts) {
    const { status, headers } = await get();
    const [location, disposition] = ['Location', 'Content-Disposition'].map((name) => headers.get(name) ?? '');
    expect([status, decodeURI(location as string)]).toEqual([200, `/v1/${text === '%20' ? ' ' : text}`]);
    const [, ascii, encoded = ''] =
      /^attachment; filename="([^"\\%]*)"; filename\*=UTF-8''([\w.!#$&+^`|~%-]+)$/.exec(disposition as string) ?? [];
    expect(decodeURIComponent(encoded)).toBe(text);
    expect(ascii).toHaveLength(text.length);
  }
  text = 'a\ud800';
  expect(await errorOf(await get())).toMatchObject({ status: 400 });
  headersOf = () => ({ Location: text });
  expect(await errorOf(await get())).toMatchObject({ status: 400 });
  headersOf = () => ({ Location: undefined });
  const { status, headers } = await get();
  expect([status, headers.has('Location')]).toEqual([200, false]);
});

test('whatever a plugin throws, the client gets the Error body, with the status if it is one of a failure', async () => {
  let thrown: unknown;
  const extend = (app: FastifyInstance) =>
    void app.get('/plugin', async () => {
      throw thrown;
    });
  const { origin } = await temporaryServer({ service: { extend } });
  const statuses: [unknown, number][] = [
    [ofPlugin(400), 400],
    [ofPlugin(401), 401],
    [ofPlugin(413), 413],
    [ofPlugin(503), 503],
    [ofPlugin(500), 500],
    ...[99, 200, 302, 399, 600, 404.5, '404', null].map((status): [unknown, number] => [ofPlugin(status), 500]),
    [unreadable(ofPlugin(404), 'statusCode'), 500],
    [altered({ status: 600 }), 500],
    [undefined, 500],
    [null, 500],
    [secret, 500],
    [{ statusCode: 404 }, 500],
  ];
  for (const [error, status] of statuses) {
    thrown = error;
    const response = await fetch(`${origin}/plugin`);
    const body = await errorOf(response);
    expect([response.status, body]).toEqual([
      status,
      { status, code: new ApiError(status, '').code, message: expect.any(String) },
    ]);
    expect(body.message).not.toContain('secret');
  }
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
    const name = new URL(url).pathname.slice(1);
    const { href: maintenance } = Object.assign(new URL(url), { pathname: 'postgres' });
    await rowsOf(maintenance, `alter database ${name} allow_connections false`);
    await rowsOf(maintenance, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await expectUnavailable(await server.request('/v1/books'));
  });

  test('an unresponsive database host is 503', async () => {
    const url = await temporaryDatabase();
    const proxy = await temporaryProxy(url);
    const server = await temporaryServer({ databaseUrl: proxy.url, config: { STATEMENT_TIMEOUT: 1.5 } });
    await server.bookstore.listBooks();
    proxy.freeze();
    await expectUnavailable(await server.request('/v1/books'));
    // Old connections stay dead; new ones work.
    await proxy.mend();
    expect(await server.bookstore.listBooks()).toEqual([]);
  });
});
