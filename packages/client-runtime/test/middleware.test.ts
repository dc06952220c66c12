import { type Around, isBookstoreError, type Middleware } from '@repo/bookstore';
import { expect, test } from 'vitest';
import { clientOf, failureOf, rejectionOf, settled } from './helpers.ts';
import { book, errorBody, errorResponse, lost, never, newBook, ok } from './responses.ts';

/** Records requests and responses. */
const noting = (name: string, notes: string[]): Middleware => ({
  onRequest: ({ request, schemaPath }) => void notes.push(`${name} > ${request.method} ${schemaPath}`),
  onResponse: ({ response }) => void notes.push(`${name} < ${response.status}`),
  onError: ({ error }) => void notes.push(`${name} ! ${(error as Error).message}`),
});

test('runs once per call, outside of its attempts: requests in order, responses in reverse', async () => {
  const notes: string[] = [];
  const { api } = clientOf(
    (_, attempt) => (attempt === 1 ? lost() : attempt === 2 ? errorResponse(500) : Response.json(book)),
    { middleware: [noting('a', notes), noting('b', notes)] },
  );
  expect(await api.getBook({ bookId: 1 })).toEqual(book);
  const requests = ['a > GET /books/{bookId}', 'b > GET /books/{bookId}'];
  expect(notes).toEqual([...requests, 'b < 200', 'a < 200']);
});

test('may change the URL, headers and body', async () => {
  const replacing: Middleware = {
    async onRequest({ request }) {
      const body = JSON.stringify({ ...((await request.json()) as object), title: 'Ubik 犬' });
      return new Request(`${request.url}?trace=1`, { method: 'PUT', headers: request.headers, body });
    },
  };
  const tracing: Middleware = { onRequest: ({ request }) => request.headers.set('X-Trace', 'a') };
  const { api, requests } = clientOf(() => Response.json(book), { middleware: [replacing, tracing] });
  await api.createBook(newBook);
  const [request] = requests;
  expect(`${request?.method} ${request?.url}`).toBe('PUT https://api.bookstore.example/v1/books?trace=1');
  expect(request?.headers.get('X-Trace')).toBe('a');
  expect(await request?.json()).toEqual({ title: 'Ubik 犬', storeId: 7 });
});

test('a request of a middleware brings its own signal', async () => {
  const reason = new Error('too slow for me');
  const controller = new AbortController();
  const own = { onRequest: ({ request }: { request: Request }) => new Request(request.url, controller) };
  const call = rejectionOf(clientOf(never, { middleware: [own] }).api.listBooks());
  await settled();
  controller.abort(reason);
  expect(await call).toBe(reason);
});

test.each([
  'https://elsewhere.example/v1/books',
  'http://api.bookstore.example/v1/books',
  'https://api.bookstore.example:8443/',
])('the key does not leave the origin of the base URL, not even for a middleware: %s', async (url) => {
  const moving = { onRequest: ({ request }: { request: Request }) => new Request(url, request) };
  const { api, requests } = clientOf(ok, { middleware: [moving] });
  await api.listBooks();
  expect(requests.map((request) => [request.url, request.headers.get('Authorization')])).toEqual([[url, null]]);
});

test('a middleware does not see the key, and may use a credential of its own', async () => {
  const onRequest: Middleware['onRequest'] = ({ request }) => {
    expect(request.headers.get('Authorization')).toBeNull();
    request.headers.set('Authorization', 'Bearer of-the-middleware');
  };
  const { api, requests } = clientOf(ok, { middleware: [{ onRequest }] });
  await api.listBooks();
  expect(requests[0]?.headers.get('Authorization')).toBe('Bearer of-the-middleware');
});

test('can read the whole response and replace it', async () => {
  const seen: string[] = [];
  const replacing: Middleware = {
    async onResponse({ response }) {
      const books = (await response.json()) as object[];
      return Response.json([...books, { ...book, id: 2 }], { headers: response.headers });
    },
  };
  const reading: Middleware = {
    onResponse: async ({ response }) => void seen.push(response.url, await response.clone().text()),
  };
  const respond = () => Response.json([book], { headers: { 'X-Request-Id': '6b1c' } });
  const { api } = clientOf(respond, { middleware: [replacing, reading] });
  const { data, requestId } = await api.listBooks().withResponse();
  expect(data).toEqual([book, { ...book, id: 2 }]);
  expect(requestId).toBe('6b1c');
  expect(seen).toEqual(['https://api.bookstore.example/v1/books', JSON.stringify([book])]);
});

test('a failure that a middleware replaces is the one that is thrown', async () => {
  const body = errorBody(418, 'teapot');
  const middleware = [{ onResponse: () => Response.json(body, { status: 418 }) }];
  const { api } = clientOf(() => errorResponse(404), { middleware });
  expect(await rejectionOf(api.listBooks())).toMatchObject({ status: 418, code: 'teapot', body });
});

test('may respond instead of the service, without a request', async () => {
  const notes: string[] = [];
  const { api, requests } = clientOf(ok, {
    middleware: [{ onRequest: () => Response.json([]) }, noting('later', notes)],
  });
  expect(await api.listBooks()).toEqual([]);
  expect([requests, notes]).toEqual([[], []]);
});

test('may turn a lost connection into a response', async () => {
  const { api } = clientOf(lost, { middleware: [{ onError: ok }], maxRetries: 0 });
  expect(await api.listBooks()).toEqual([book]);
});

test.each<[string, (fault: Error) => Middleware]>([
  ['onRequest', (fault) => ({ onRequest: () => Promise.reject(fault) })],
  ['onResponse', (fault) => ({ onResponse: () => Promise.reject(fault) })],
  ['onError', (fault) => ({ onError: () => Promise.reject(fault) })],
  ['onError that returns it', (fault) => ({ onError: () => fault })],
  ['onResponse after onError', (fault) => ({ onError: ok, onResponse: () => Promise.reject(fault) })],
])('an exception of %s rejects the call unchanged', async (name, middleware) => {
  for (const fault of [new Error('bug'), new DOMException('too late', 'TimeoutError')]) {
    const respond = name.includes('onError') ? lost : ok;
    const { api, requests } = clientOf(respond, { middleware: [middleware(fault)], maxRetries: 0 });
    expect(await rejectionOf(api.listBooks())).toBe(fault);
    expect(requests.length).toBeLessThanOrEqual(1);
  }
});

test('is within the deadline of the call', async () => {
  for (const [attempts, middleware] of [{ onRequest: never }, { onResponse: never }].entries()) {
    const { api, time } = clientOf(ok, { middleware: [middleware], totalTimeout: 500 });
    const error = await failureOf(api.listBooks());
    expect(error).toMatchObject({ code: 'timeout', attempts, url: 'https://api.bookstore.example/v1/books' });
    expect(time.pending).toBe(0);
  }
});

test('the response of a failure has no body, and its status text', async () => {
  const respond = () => new Response('page', { status: 404, statusText: 'Nowhere' });
  const { api } = clientOf(respond, { middleware: [noting('a', [])] });
  const { response } = await failureOf(api.listBooks());
  expect(response).toMatchObject({ body: null, status: 404, statusText: 'Nowhere' });
});

test('around runs once for a whole call, and sees its attempts and its final failure', async () => {
  const seen: unknown[] = [];
  const around: Around = async (call, next) => {
    seen.push([call.operationId, call.attempts]);
    try {
      return await next();
    } catch (error) {
      seen.push(isBookstoreError(error) && error.status);
      throw error;
    } finally {
      seen.push(call.attempts);
    }
  };
  const fail = clientOf(() => errorResponse(500), { around, maxRetries: 1 });
  expect(await failureOf(fail.api.listBooks())).toMatchObject({ status: 500, attempts: 2 });
  const { error } = await fail.api.withOptions({ timeout: 5_000 }).fetchClient.GET('/books');
  expect(error).toMatchObject({ status: 500 });
  expect(await clientOf(ok, { around }).api.request('GET', '/books')).toEqual([book]);
  expect(seen).toEqual([['listBooks', 0], 500, 2, ['listBooks', 0], 500, 2, ['GET /books', 0], 1]);
});

test('around must call next, cannot hide a failure, and its own exception is the rejection', async () => {
  const bug = new Error('bug');
  const { api, requests } = clientOf(() => errorResponse(404));
  const outcome = (around: Around) => rejectionOf(api.withOptions({ around }).listBooks());
  expect(await outcome(() => undefined)).toEqual(new TypeError('around did not call next'));
  expect(requests).toHaveLength(0);
  expect(await outcome((_, next) => Promise.allSettled([next(), next()]))).toMatchObject({ status: 404 });
  expect(requests).toHaveLength(1);
  expect(await outcome((_, next) => next().catch(() => Promise.reject(bug)))).toBe(bug);
});
