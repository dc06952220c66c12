import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientOf, rejectionOf, untyped } from './helpers.ts';
import { book, newBook } from './responses.ts';

test('any identifier is sent as one path segment or refused before sending', async () => {
  const { api, requests } = clientOf(() => Response.json(book));
  const identifiers = fc.oneof(
    fc.string(),
    // The unit `binary` of fast-check would list all million characters first.
    fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }),
    fc.stringMatching(/^[./%2eE\\]{0,6}$/),
    fc.double(),
    // The texts of booleans are identifiers like others.
    fc.constantFrom('true', 'false', true),
    fc.anything(),
  );
  await fc.assert(
    fc.asyncProperty(identifiers, async (bookId) => {
      requests.length = 0;
      const refusal = await rejectionOf(untyped(api).getBook?.({ bookId }) as Promise<unknown>);
      if (refusal instanceof TypeError) {
        expect(refusal.message).toContain('bookId');
        expect(requests).toEqual([]);
      } else {
        expect(['string', 'number', 'boolean']).toContain(typeof bookId);
        const [, v1, books, segment, ...more] = new URL(requests[0]?.url ?? '').pathname.split('/');
        expect([v1, books, decodeURIComponent(segment ?? ''), more]).toEqual(['v1', 'books', String(bookId), []]);
      }
    }),
    { numRuns: 1000 },
  );
});

type Row = [message: string, method: string, ...args: unknown[]];
const outside = (path: string): Row => [`GET ${path}: the path must stay below baseUrl`, 'request', 'GET', path];

test.each<Row>([
  ['getBook: bookId is missing', 'getBook', {}],
  ['getBook: bookId is missing', 'getBook'],
  ['listBooks: unknown parameter "limt", did you mean limit?', 'listBooks', { limt: 1 }],
  ['listBooks: unknown option "singal", did you mean signal?', 'listBooks', {}, { singal: null }],
  ['listBooks: unknown parameter "page"', 'listBooks', { page: 1 }],
  ['getBook: bookId must be a string, a boolean or a safe number, not empty', 'getBook', { bookId: '' }],
  ['getBook: bookId must be a string, a boolean or a safe number', 'getBook', { bookId: 2 ** 53 }],
  ['getBook: bookId must be a string, a boolean or a safe number', 'getBook', { bookId: -(2 ** 53) }],
  ['getBook: unknown parameter "id"', 'getBook', { bookId: 1, id: 1 }],
  ['listBooks: unknown parameter "signal"', 'listBooks', { signal: AbortSignal.abort() }],
  ['listBooks: the parameters must be an object', 'listBooks', 'hardcover'],
  ['listBooks: format must be a string, a boolean or a safe number', 'listBooks', { format: null }],
  ['listBooks: limit', 'listBooks', { limit: Number.NaN }],
  ['listBooks: cursor', 'listBooks', { cursor: '\uD800' }],
  ['listBooks: unknown option "idempotencyKey"', 'listBooks', {}, { idempotencyKey: 'a' }],
  ['listBooks: the options must be an object', 'listBooks', {}, 'fast'],
  ['listBooks: timeout must be a number of at least 0', 'listBooks', {}, { timeout: 'soon' }],
  ['createBook: idempotencyKey must be', 'createBook', newBook, { idempotencyKey: 'a\nb' }],
  ['createBook: idempotencyKey must be', 'createBook', newBook, { idempotencyKey: '' }],
  ['createBook: the body is missing', 'createBook'],
  ['BigInt', 'createBook', { title: 'Emma', storeId: 7n }],
  ...Object.entries({
    Blob: new Blob(['a']),
    URLSearchParams: new URLSearchParams({ a: '1' }),
    FormData: new FormData(),
    Uint8Array: new Uint8Array(2),
    ArrayBuffer: new ArrayBuffer(2),
    Map: new Map(),
  }).map(([kind, body]): Row => [`createBook: a ${kind} is no JSON: give its content`, 'createBook', body]),
  ...['.elsewhere.example/', '@elsewhere.example/', '/../admin', '/%2e%2E/admin', '/books/../../admin'].map(outside),
  ...['https://elsewhere.example/', '/\\..\\..\\admin', '/books?limit=1', '/books#1'].map(outside),
  ['GET /books/{bookId}: bookId is missing', 'request', 'GET', '/books/{bookId}'],
  ['GET /books: unknown option "parameters"', 'request', 'GET', '/books', { parameters: {} }],
  ['GET /books: id must be', 'request', 'GET', '/books', { query: { id: {} } }],
  // `fetch` cannot send these.
  ['not a valid HTTP method', 'request', 'GET /books', '/books'],
  ['body', 'request', 'GET', '/books', { body: 1 }],
  ['body', 'request', 'head', '/books', { body: 1 }],
  ['TRACE', 'request', 'TRACE', '/books'],
  ['CONNECT', 'request', 'connect', '/books'],
  // These are calls of `fetchClient`.
  ['unknown parameter "fromat"', 'GET', '/books', { params: { query: { fromat: 'ebook' } } }],
  ['unknown option "baseUrl"', 'GET', '/books', { baseUrl: 'https://elsewhere.example/v1' }],
  ['authorization is set by the option apiKey', 'GET', '/books', { headers: new Headers({ Authorization: 'a' }) }],
  ['Authorization is set by the option apiKey', 'GET', '/books', { headers: [['Authorization', 'a']] }],
  ['Authorization is set by', 'GET', '/books', { params: { header: { Authorization: 'Bearer other' } } }],
  ['idempotencyKey must be', 'GET', '/things', { params: { header: { 'Idempotency-Key': 'ä' } } }],
  // The service would ignore it, and a repetition act twice.
  ['unknown option "idempotencyKey"', 'GET', '/books', { idempotencyKey: 'import-42' }],
  ['unknown option "idempotencyKey"', 'GET', '/books', { params: { header: { 'Idempotency-Key': 'import-42' } } }],
  ['id must be', 'GET', '/stores/{id}/{name}', { params: { path: { id: '..', name: 'a' } } }],
])('a wrong argument rejects the promise before the network: %s, %s', async (message, method, ...args) => {
  const { api, requests } = clientOf(() => Response.json(book));
  const call = untyped(api)[method] ?? untyped(api.fetchClient)[method];
  const refusal = await rejectionOf(call?.(...args) as Promise<unknown>);
  expect(refusal).toBeInstanceOf(TypeError);
  expect(String(refusal)).toContain(message);
  expect(requests).toEqual([]);
});
