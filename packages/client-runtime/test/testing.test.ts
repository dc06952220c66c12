import { isBookstoreError } from '@repo/bookstore';
import {
  createTestClient,
  errorResponse,
  MissingHandlerError,
  pageResponse,
  type TestHandlers,
} from '@repo/bookstore/client/generated/testing';
import { expect, test } from 'vitest';
import { buildTestClient } from '../src/testing.ts';
import type { Operations } from './fixture/generated/operations.ts';
import { sdk } from './fixture/generated/sdk.ts';
import { failureOf, rejectionOf } from './helpers.ts';
import { book } from './responses.ts';

test('handlers get the arguments of the method and return its data', async () => {
  const calls: unknown[][] = [];
  const api = createTestClient({
    listBooks: (...args) => (calls.push(args) ? [book] : []),
    createBook: async (newBook) => ({ ...newBook, id: 2 }),
    getBook: ({ bookId }) => ({ ...book, id: bookId }),
  });
  expect(await api.listBooks()).toEqual([book]);
  await api.listBooks({ format: 'ebook' }, { timeout: 5, headers: { 'X-Trace': '1' } });
  expect(calls).toEqual([
    [{}, {}],
    [{ format: 'ebook' }, { timeout: 5, headers: { 'X-Trace': '1' } }],
  ]);
  expect(await api.createBook({ title: 'Ubik', storeId: 2 })).toEqual({ title: 'Ubik', storeId: 2, id: 2 });
  const init = { params: { path: { bookId: 7 } } };
  expect((await api.fetchClient.GET('/books/{bookId}', init)).data).toEqual({ ...book, id: 7 });
  // A `fetch` of the call comes first.
  const fetch = async () => Response.json(book);
  expect((await api.fetchClient.GET('/books/{bookId}', { ...init, fetch })).data).toEqual(book);
  await expect(api.listBooks({ fromat: 'ebook' } as object)).rejects.toThrow('unknown parameter "fromat"');
});

test('a failure is a BookstoreError as from the service', async () => {
  const response = errorResponse(404, 'not_found', 'There is no book 1', { 'Retry-After': '30' });
  const api = createTestClient({ getBook: () => response });
  const message = 'getBook failed: 404 not_found: There is no book 1';
  for (let call = 0; call < 2; call++)
    expect(await failureOf(api.getBook({ bookId: 1 }))).toMatchObject({ message, retryAfter: 30, attempts: 1 });
});

test('after a 429, the next call is refused as by a real client, and does not wait', async () => {
  const refuse = () => errorResponse(429, 'rate_limit_exceeded', '', { 'Retry-After': '30' });
  const api = createTestClient({ listBooks: refuse });
  for (const attempts of [1, 0])
    expect(await failureOf(api.listBooks())).toMatchObject({ status: 429, retryAfter: 30, attempts });
});

test('pages are iterated', async () => {
  const api = createTestClient({
    listBooks: ({ cursor }) => (cursor === 'a & b' ? [book] : pageResponse([], 'a & b')),
  });
  const pages: unknown[] = [];
  for await (const page of api.listBooks().pages()) pages.push(page);
  expect(pages).toEqual([[], [book]]);
});

test('a handler that throws is a failed connection; retries are optional', async () => {
  const cause = new Error('unplugged');
  let calls = 0;
  const handlers: TestHandlers = {
    listBooks: () => {
      if (calls++ < 1) throw cause;
      return [book];
    },
  };
  expect(await failureOf(createTestClient(handlers).listBooks())).toMatchObject({ code: 'network_error', cause });
  calls = 0;
  expect(await createTestClient(handlers, { maxRetries: 1 }).listBooks()).toEqual([book]);
});

test('an operation without a handler throws an error that is not a BookstoreError', async () => {
  const error = await rejectionOf(createTestClient({}, { maxRetries: 2 }).listBooks());
  expect(error).toBeInstanceOf(MissingHandlerError);
  expect(isBookstoreError(error)).toBe(false);
  expect(String(error)).toBe('MissingHandlerError: createTestClient has no handler for listBooks');
});

test('request() and clients of withOptions use the handlers', async () => {
  const api = createTestClient({ request: (method, path, { query }) => [method, path, query] }, { maxRetries: 1 });
  const patient = api.withOptions({ maxRetries: 5 });
  const photos = await patient.request('GET', '/books/1/photos', { query: { limit: 2 } });
  expect(photos).toEqual(['GET', '/books/1/photos', { limit: 2 }]);
});

test('an unstable operation and its handler are only in a group of their own', async () => {
  const handlers: TestHandlers<Operations> = { beta: { getOrder: ({ orderId }) => ({ id: orderId }) } };
  const fixture = buildTestClient(sdk, handlers) as Operations;
  expect(await fixture.beta.getOrder({ storeId: 'a', orderId: 2 })).toEqual({ id: 2 });
  expect(Object.keys(fixture)).toEqual(expect.arrayContaining(['beta', 'experimental', 'createOrder']));
  expect(Object.keys(fixture)).not.toContain('getOrder');
  await expect(fixture.experimental.searchOrders()).rejects.toThrow('createTestClient has no handler for searchOrders');
});
