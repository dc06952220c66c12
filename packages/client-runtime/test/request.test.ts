import { expect, test } from 'vitest';
import { apiKey, book, clientOf, errorResponse, failureOf, rejectionOf } from './helpers.ts';

test('sends any request and resolves to its JSON', async () => {
  const { api, requests } = clientOf(() => Response.json({ photos: 2 }));
  const call = api.request<{ photos: number }>('patch', '/books/1/photos', {
    query: { limit: 5, tag: ['a & b', 'c'], cursor: undefined },
    body: { main: 1 },
    headers: { 'X-Trace': '1' },
  });
  const { data, attempts } = await call.withResponse();
  expect([data.photos, attempts]).toEqual([2, 1]);
  const [request] = requests;
  expect(`${request?.method} ${request?.url}`).toBe(
    'PATCH https://api.bookstore.example/v1/books/1/photos?limit=5&tag=a%20%26%20b&tag=c',
  );
  expect(await request?.json()).toEqual({ main: 1 });
  expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'x-trace': '1',
  });
});

test.each<[string, Response, unknown]>([
  ['an array', Response.json([book]), [book]],
  ['a number', Response.json(3), 3],
  ['null', Response.json(null), null],
  ['no body', new Response(null, { status: 204 }), undefined],
])('gives %s', async (_, response, data) => {
  const { api } = clientOf(() => response);
  expect(await api.request('GET', '/count')).toEqual(data);
});

test('a body that is not JSON is unexpected', async () => {
  const { api } = clientOf(() => new Response('<h1>Sign in</h1>'));
  expect(await failureOf(api.request('GET', '/count'))).toMatchObject({
    code: 'unexpected_response',
    status: 200,
  });
});

test('has the retries, deadlines and errors of the methods', async () => {
  const { api } = clientOf(() => errorResponse(500, { 'X-Request-Id': '6b1c' }));
  const error = await failureOf(api.request('GET', '/count', { maxRetries: 1 }));
  expect(error).toMatchObject({ operation: 'GET /count', method: 'GET', status: 500, attempts: 2, requestId: '6b1c' });
  expect(await failureOf(api.request('POST', '/count'))).toMatchObject({ attempts: 1 });

  const stalled = clientOf(() => new Promise(() => {}));
  const late = stalled.api.request('GET', '/count', { timeout: 100, maxRetries: 0 });
  expect(await failureOf(late)).toMatchObject({ code: 'timeout' });
  const reason = new Error('enough');
  const aborted = api.request('GET', '/count', { signal: AbortSignal.abort(reason) });
  expect(await rejectionOf(aborted)).toBe(reason);
});

test('an idempotency key is sent, and makes a POST safe to repeat', async () => {
  const { api, requests } = clientOf(() => errorResponse(500));
  await failureOf(api.request('POST', '/count', { idempotencyKey: 'import-42', body: 1 }));
  expect(requests.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(Array(3).fill('import-42'));
});

test.each([
  ['GET', 'https://elsewhere.example/'],
  ['GET', '.elsewhere.example/'],
  ['GET', '@elsewhere.example/'],
  ['GET', '/../admin'],
  ['GET', '/%2e%2E/admin'],
  ['GET', '/books/../../admin'],
  ['GET', '/\\..\\..\\admin'],
  ['GET', '/books?limit=1'],
  ['GET', '/books#1'],
  ['GET', '/books/{bookId}'],
  ['GET /books', '/books'],
])('%s %s is refused before sending: it would leave the base URL', async (method, path) => {
  const { api, requests } = clientOf(() => Response.json({}));
  expect(await rejectionOf(api.request(method, path))).toBeInstanceOf(TypeError);
  expect(requests).toEqual([]);
});

test.each([
  ['GET', { body: 1 }],
  ['head', { body: 1 }],
  ['TRACE', {}],
  ['connect', {}],
])('%s with %j is refused before sending: fetch cannot send it', async (method, options) => {
  const { api, requests } = clientOf(() => Response.json({}));
  expect(String(await rejectionOf(api.request(method, '/books', options)))).toMatch(/^TypeError: /);
  expect(requests).toEqual([]);
});

test('unknown options and invalid values are refused', async () => {
  const { api, requests } = clientOf(() => Response.json({}));
  for (const options of [{ parameters: {} }, { query: { id: 2 ** 53 } }, { query: { id: {} } }]) {
    expect(await rejectionOf(api.request('GET', '/books', options as object))).toBeInstanceOf(TypeError);
  }
  expect(requests).toEqual([]);
});
