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
      const refusal = await untyped(api)
        .getBook?.({ bookId })
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      if (refusal) {
        expect(refusal).toBeInstanceOf(TypeError);
        expect(String(refusal)).toContain('bookId');
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

test.each<[message: string, method: string, ...args: unknown[]]>([
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
])('a wrong argument rejects the promise before the network: %s', async (message, method, ...args) => {
  const { api, requests } = clientOf(() => Response.json(book));
  const refusal = await rejectionOf(untyped(api)[method]?.(...args) as Promise<unknown>);
  expect(refusal).toBeInstanceOf(TypeError);
  expect(String(refusal)).toContain(message);
  expect(requests).toEqual([]);
});

test('a number is sent as JSON writes it', async () => {
  const { api, requests } = clientOf(() => Response.json([]));
  const most = Number.MAX_SAFE_INTEGER;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constantFrom(1e-7, -0, -1.5e-300), fc.double({ min: -most, max: most, noNaN: true })),
      async (above) => {
        await api.request('GET', '/books', { query: { above } });
        const text = new URL(requests.at(-1)?.url ?? '').searchParams.get('above') ?? '';
        expect([text, JSON.parse(text)]).toEqual([JSON.stringify(above), above + 0]);
      },
    ),
  );
});
