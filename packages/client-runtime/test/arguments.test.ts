import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClient } from '../src/index.ts';
import { apiKey } from './helpers.ts';

const requests: { url: string }[] = [];
const api = createClient({
  apiKey,
  fetch: async (url) => {
    requests.push({ url });
    return Response.json({});
  },
});
// Untyped, as in JavaScript.
const untyped = api as unknown as Record<
  'listBooks' | 'createBook' | 'getBook',
  (...args: unknown[]) => Promise<unknown>
>;

test('any identifier is sent as one path segment or refused before sending', async () => {
  const identifiers = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[./%2eE\\]{0,6}$/),
    fc.double(),
    fc.anything(),
  );
  await fc.assert(
    fc.asyncProperty(identifiers, async (bookId) => {
      requests.length = 0;
      const refusal = await untyped.getBook({ bookId }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal) {
        expect(refusal).toBeInstanceOf(TypeError);
        expect(String(refusal)).toContain('bookId');
        expect(requests).toEqual([]);
      } else {
        expect(['string', 'number']).toContain(typeof bookId);
        const [, v1, books, segment, ...more] = new URL(requests[0]?.url ?? '').pathname.split('/');
        expect([v1, books, decodeURIComponent(segment ?? ''), more]).toEqual(['v1', 'books', String(bookId), []]);
      }
    }),
    { numRuns: 1000 },
  );
});

test.each<[string, () => Promise<unknown>]>([
  ['getBook: bookId', () => untyped.getBook()],
  ['getBook: bookId', () => untyped.getBook({})],
  ['getBook: bookId', () => untyped.getBook({ bookId: '..' })],
  ['getBook: unknown parameter "id"', () => untyped.getBook({ bookId: 1, id: 1 })],
  ['listBooks: unknown parameter "fromat"', () => untyped.listBooks({ fromat: 'hardcover' })],
  ['listBooks: unknown parameter "signal"', () => untyped.listBooks({ signal: AbortSignal.abort() })],
  ['listBooks: the parameters must be an object', () => untyped.listBooks('hardcover')],
  ['listBooks: format', () => untyped.listBooks({ format: {} })],
  ['listBooks: format', () => untyped.listBooks({ format: null })],
  ['getBook: bookId must be a string or a safe number', () => untyped.getBook({ bookId: 2 ** 53 })],
  ['getBook: bookId must be a string or a safe number', () => untyped.getBook({ bookId: -(2 ** 53) })],
  ['listBooks: limit must be a string or a safe number', () => untyped.listBooks({ limit: 2 ** 53 })],
  ['listBooks: unknown option "singal"', () => untyped.listBooks({}, { singal: null })],
  ['listBooks: unknown option "idempotencyKey"', () => untyped.listBooks({}, { idempotencyKey: 'a' })],
  ['createBook: unknown option "maxRetrys"', () => untyped.createBook({ title: 'a', storeId: 7 }, { maxRetrys: 1 })],
  ['listBooks: the options must be an object', () => untyped.listBooks({}, 'fast')],
  ['listBooks: limit', () => untyped.listBooks({ limit: Number.NaN })],
  ['listBooks: cursor', () => untyped.listBooks({ cursor: '\uD800' })],
  ['createBook: the body is missing', () => untyped.createBook()],
  ['BigInt', () => untyped.createBook({ title: 'Emma', storeId: 7n })],
  ['createBook: signal', () => untyped.createBook({ title: 'Emma', storeId: 7 }, { signal: 'stop' })],
  ['timeout', () => untyped.listBooks({}, { timeout: 'soon' })],
])('a wrong argument rejects the promise before the network: %s', async (message, call) => {
  requests.length = 0;
  let promise: Promise<unknown> | undefined;
  expect(() => {
    promise = call();
  }).not.toThrow();
  const refusal = await promise?.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(TypeError);
  expect(String(refusal)).toContain(message);
  expect(requests).toEqual([]);
});
