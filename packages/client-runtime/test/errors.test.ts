import { type ErrorBody, isBookstoreError } from '@repo/bookstore';
import { expect, test, vi } from 'vitest';
import { clientOf, failureOf } from './helpers.ts';
import { errorBody, META } from './responses.ts';

const notFound = { code: 'not_found', message: 'There is no book 42', status: 404 };

test('a failure has the fields of the error response', async () => {
  const headers = { ...META, 'Retry-After': '30' };
  const { api } = clientOf(() => Response.json(notFound, { status: 404, headers }));
  const error = await failureOf(api.getBook({ bookId: 42 }));
  expect(error).toMatchObject({
    name: 'BookstoreError',
    message: 'getBook failed: 404 not_found: There is no book 42 (request 6b1c)',
    status: 404,
    code: 'not_found',
    requestId: '6b1c',
    rateLimit: { limit: 60, remaining: 59, reset: new Date('2026-11-20T12:01:00Z') },
    retryAfter: 30,
    text: JSON.stringify(notFound),
    method: 'GET',
    url: 'https://api.bookstore.example/v1/books/42',
  });
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    ...{ name: 'BookstoreError', message: error.message, operation: 'getBook', status: 404, code: 'not_found' },
    ...{ requestId: '6b1c', attempts: 1, method: 'GET', url: error.url, retryAfter: 30 },
  });
  expect(error.response?.status).toBe(404);
  expect(error.stack).toMatch(/^BookstoreError: getBook failed/);
  expect('cause' in error).toBe(false);
});

test('a network failure has status 0, its cause, and the cause of "fetch failed" in its message', async () => {
  const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') });
  const { api } = clientOf(() => Promise.reject(cause), { maxRetries: 0 });
  const error = await failureOf(api.listBooks({ limit: 1 }));
  const url = 'https://api.bookstore.example/v1/books';
  expect(error).toMatchObject({ status: 0, code: 'network_error', cause, text: '', url: `${url}?limit=1` });
  expect(error.message).toBe('listBooks failed: network_error: connect ECONNREFUSED 127.0.0.1:9');
  expect([error.response, error.requestId, error.rateLimit, error.retryAfter]).toEqual(Array(4).fill(undefined));
  // A logged error has no query, which may have personal data.
  expect(error.toJSON()).toMatchObject({ status: 0, url, cause: { message: 'fetch failed' } });
});

test('anything that fetch throws is a network_error', async () => {
  for (const cause of [undefined, null, 'offline', Symbol('offline'), Object.create(null), { message: 1 }]) {
    const error = await failureOf(clientOf(() => Promise.reject(cause)).api.listBooks());
    expect([error.code, error.cause]).toEqual(['network_error', cause]);
  }
});

test('message and code are one line of bounded length, without characters that a terminal would obey', async () => {
  const text = `first\r\nsecond\u001b[31m \u202e\u200f\u{1f469}\u200d\u{1f4bb} ${'x'.repeat(9999)}`;
  for (const [body, start] of [
    [{ ...notFound, message: text }, '404 not_found: '],
    [{ ...notFound, code: text }, '404 '],
  ] as const) {
    const { api } = clientOf(() => Response.json(body, { status: 404, headers: { 'X-Request-Id': 'y'.repeat(9999) } }));
    const { message, code } = await failureOf(api.getBook({ bookId: 42 }));
    expect(message).toMatch(/^getBook failed: 404 (?:\u200d|[^\p{Control}\p{Format}]){500,650}$/u);
    expect(message).toContain(`getBook failed: ${start}first second [31m \u{1f469}\u200d\u{1f4bb} xxx`);
    expect(code).toMatch(body.code === text ? /^first second \[31m [^\n]{1,282}$/ : /^not_found$/);
  }
});

test('isBookstoreError narrows by operation and status, and only for the body that the contract declares', async () => {
  const { api } = clientOf(() => Response.json(notFound, { status: 404 }));
  const error: unknown = await failureOf(api.getBook({ bookId: 42 }));
  expect(isBookstoreError(error, 'getBook')).toBe(true);
  for (const value of [new Error(), undefined, null, 'BookstoreError']) expect(isBookstoreError(value)).toBe(false);
  expect(isBookstoreError(error, 'listBooks')).toBe(false);
  expect(isBookstoreError(error, 'getBook', 401)).toBe(false);
  if (!isBookstoreError(error, 'getBook', 404)) throw error;
  const { body, status, operation }: { body: ErrorBody; status: 404; operation: 'getBook' } = error;
  expect({ body, status, operation }).toEqual({ body: notFound, status: 404, operation: 'getBook' });
  const proxy = clientOf(() => new Response('<h1>404</h1>', { status: 404 }));
  const page = await failureOf(proxy.api.getBook({ bookId: 42 }));
  expect(page.message).toContain('unexpected_response: <h1>404</h1>');
  expect([page.body, isBookstoreError(page, 'getBook', 404)]).toEqual([undefined, false]);
});

test('a 404 of an operation without one names the base path of the contract', async () => {
  const respond = () => Response.json(notFound, { status: 404 });
  const { api } = clientOf(respond, { baseUrl: 'http://127.0.0.1:3000' });
  const hint = 'check the base URL, whose path is /v1 in the contract: ';
  expect((await failureOf(api.listBooks())).message).toBe(
    `listBooks failed: 404 not_found: ${hint}There is no book 42`,
  );
  for (const declared of [api.getBook({ bookId: 42 }), api.request('GET', '/pens')])
    expect((await failureOf(declared)).message).not.toContain('base URL');
});

test.each([
  ['https://shop.example', ', or the server does not allow this origin (CORS)'],
  ['https://api.bookstore.example', ''],
  [undefined, ''],
])('a lost connection of a page at %s may be its origin', async (origin, reason) => {
  vi.stubGlobal('location', origin && { origin });
  const { api } = clientOf(() => Promise.reject(new TypeError('Failed to fetch')), { maxRetries: 0 });
  const { message } = await failureOf(api.listBooks());
  expect(message).toBe(`listBooks failed: network_error: Failed to fetch${reason}`);
});

test.each([
  [undefined, []],
  [null, []],
  ['all', []],
  [[{ pointer: '/body/title' }, null, 5, { pointer: '/body/storeId', message: 'is required' }], ['/body/storeId']],
])('errors of %j are the well-formed ones', async (errors, pointers) => {
  const { api } = clientOf(() => Response.json({ ...errorBody(400, 'invalid_request'), errors }, { status: 400 }));
  const error = await failureOf(api.listBooks());
  expect(error.errors.map(({ pointer }) => pointer)).toEqual(pointers);
});
