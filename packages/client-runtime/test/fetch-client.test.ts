import { getEventListeners } from 'node:events';
import createOpenapiFetch, { wrapAsPathBasedClient } from 'openapi-fetch';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isServiceError, type Middleware, type paths, type ServiceClient } from '../src/index.ts';
import { createTestClient, errorResponse as errorOf } from '../src/testing.ts';
import { apiKey, book, clientOf, errorBody, errorResponse, rejectionOf } from './helpers.ts';

const newBook = { title: 'Emma', storeId: 7 };
const ok = () => Response.json([book]);
type Untyped = Record<'GET' | 'POST', (path: string, init?: object) => Promise<{ data?: unknown; error?: unknown }>>;
/** As in JavaScript. */
const untyped = ({ fetchClient }: ServiceClient) => fetchClient as unknown as Untyped;

test('is openapi-fetch with the key, the retries and the idempotency key of the methods', async () => {
  const { api, requests } = clientOf((_, attempt) => (attempt % 2 ? errorResponse(500) : Response.json(book)));
  const { data, error, response } = await api.fetchClient.POST('/books', { body: newBook });
  const title: string | undefined = data?.title;
  expect([title, error, response.status, requests.length]).toEqual(['Emma', undefined, 200, 2]);
  const [first, second] = requests.map(({ headers }) => headers.get('Idempotency-Key'));
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
  expect(requests[1]?.headers.get('Authorization')).toBe(`Bearer ${apiKey}`);
  expect(await requests[1]?.json()).toEqual(newBook);
  for (const given of [{ params: { header: { 'Idempotency-Key': 'import-42' } } }, { idempotencyKey: 'import-42' }]) {
    await api.fetchClient.POST('/books', { body: newBook, ...given });
    expect(requests.at(-1)?.headers.get('Idempotency-Key')).toBe('import-42');
  }
});

test('every way of openapi-fetch to call it does the same', async () => {
  const { api, requests } = clientOf(() => Response.json(book));
  const { fetchClient } = api;
  const init = { params: { path: { bookId: 7 } } };
  await fetchClient.GET('/books/{bookId}', init);
  await fetchClient.request('get', '/books/{bookId}', init);
  await wrapAsPathBasedClient(fetchClient)['/books/{bookId}'].GET(init);
  const sent = requests.map(({ url, headers }) => `${url} ${headers.get('Authorization')}`);
  expect(sent).toEqual(Array(3).fill(`https://api.bookstore.example/v1/books/7 Bearer ${apiKey}`));
});

test('a failure with a response resolves to a ServiceError', async () => {
  const { api } = clientOf(() => errorResponse(404, {}, 'not_found'));
  const { data, error, response } = await api.fetchClient.GET('/books/{bookId}', { params: { path: { bookId: 7 } } });
  const code: string | undefined = error?.code;
  expect([data, code, response.status]).toEqual([undefined, 'not_found', 404]);
  expect(isServiceError(error, 'getBook', 404)).toBe(true);
});

test.each<[string, () => Response, number]>([
  // openapi-fetch alone gives `error: undefined`.
  ['an empty failure', () => new Response('', { status: 404, headers: { 'Content-Length': '0' } }), 404],
  // A bare SyntaxError.
  ['a page of a proxy', () => new Response('<html>'), 200],
  ['a page of a proxy with a length', () => new Response('<html>', { headers: { 'Content-Length': '6' } }), 200],
  ['an object for a list', () => Response.json({}), 200],
  ['a redirect', () => new Response('', { status: 302 }), 302],
  [
    'an endless body',
    () => new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(1e6)) })),
    200,
  ],
])('%s is an error, too', async (_, respond, status) => {
  const middleware: Middleware[] = [{ onResponse: ({ response }) => response.clone() }];
  for (const options of [{}, { middleware }]) {
    const { error, response } = await clientOf(respond, options).api.fetchClient.GET('/books');
    expect(error).toMatchObject({ name: 'ServiceError', code: 'unexpected_response', status });
    expect(response.status).toBe(status);
  }
});

test.each(['timeout', 'network_error'])('a response whose body has the code %s is a response', async (code) => {
  const { api, requests } = clientOf(() => errorResponse(400, {}, code));
  const { error, response } = await api.fetchClient.GET('/books');
  expect(error).toMatchObject({ status: 400, code: 'unexpected_response', body: undefined });
  expect([response.status, requests.length]).toEqual([400, 1]);
});

test('a network failure, a timeout and an abort reject', async () => {
  const { fetchClient: offline } = clientOf(() => Promise.reject(new Error('reset')), { maxRetries: 0 }).api;
  expect(await rejectionOf(offline.GET('/books'))).toMatchObject({ name: 'ServiceError', code: 'network_error' });
  const stalled = () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([91])) }));
  const { fetchClient: late } = clientOf(stalled).api;
  for (const limit of [{ timeout: 100, maxRetries: 0 }, { totalTimeout: 100 }])
    expect(await rejectionOf(late.GET('/books', limit))).toMatchObject({ code: 'timeout', status: 200, text: '[' });
});

// `abort(null)` makes openapi-fetch alone read `headers` of undefined.
test.each([new Error('enough'), null, 0])('an abort rejects with its reason: %s', async (reason) => {
  const { fetchClient } = clientOf(() => new Promise(() => {})).api;
  const controller = new AbortController();
  const errors: unknown[] = [];
  fetchClient.use({ onError: ({ error }) => void errors.push(error) });
  const call = rejectionOf(fetchClient.GET('/books', { signal: controller.signal }));
  await new Promise(setImmediate);
  controller.abort(reason);
  expect(await call).toBe(reason);
  await new Promise(setImmediate);
  // A middleware can end its span.
  expect(errors).toEqual([reason]);
  expect(await rejectionOf(fetchClient.GET('/books', { signal: AbortSignal.abort(reason) }))).toBe(reason);
});

test('a signal that outlives its calls gets no listeners that stay', async () => {
  const { signal } = new AbortController();
  const { api } = clientOf(ok, { middleware: [{ onRequest: ({ request }) => new Request(request) }] });
  for (let i = 0; i < 20; i++) {
    await api.listBooks({}, { signal });
    await api.fetchClient.GET('/books', { signal });
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const alone = createOpenapiFetch<paths>({ baseUrl: 'https://api.bookstore.example/v1', fetch: async () => ok() });
  await alone.GET('/books', { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});

test('options of a call and of fetch reach it, also if a middleware replaces the request', async () => {
  const inits: object[] = [];
  const fetch = async (_: string, init: object) => {
    inits.push(init);
    return errorResponse(500);
  };
  const replacing = { onRequest: ({ request }: { request: Request }) => new Request(request.url, request) };
  for (const middleware of [[], [replacing]]) {
    const { fetchClient } = clientOf(ok, { fetch, middleware }).api;
    const given = { maxRetries: 1, cache: 'no-store', next: { revalidate: 5 }, headers: { 'X-Trace': '1' } } as const;
    expect((await fetchClient.GET('/books', given)).error).toMatchObject({ attempts: 2 });
    const { headers, signal, ...init } = inits.at(-1) as RequestInit;
    expect(init).toEqual({ method: 'GET', redirect: 'manual', cache: 'no-store', next: { revalidate: 5 } });
    expect([headers, signal]).toMatchObject([{ 'x-trace': '1' }, {}]);
  }
});

test('a request of a middleware brings its own signal', async () => {
  const reason = new Error('too slow for me');
  const controller = new AbortController();
  const own = { onRequest: ({ request }: { request: Request }) => new Request(request.url, controller) };
  const { fetchClient } = clientOf(() => new Promise(() => {}), { middleware: [own] }).api;
  const call = rejectionOf(fetchClient.GET('/books'));
  await new Promise(setImmediate);
  controller.abort(reason);
  expect(await call).toBe(reason);
});

test.each<[string, string, object]>([
  ['bookId must be', '/books/{bookId}', { params: { path: { bookId: '..' } } }],
  ['bookId must be', '/books/{bookId}', {}],
  ['unknown parameter "fromat"', '/books', { params: { query: { fromat: 'ebook' } } }],
  ['unknown option "baseUrl"', '/books', { baseUrl: 'https://elsewhere.example/v1' }],
  ['Authorization is set by the option apiKey', '/books', { headers: { Authorization: 'Bearer other' } }],
  ['authorization is set by the option apiKey', '/books', { headers: new Headers({ Authorization: 'Bearer other' }) }],
  ['Authorization is set by the option apiKey', '/books', { headers: [['Authorization', 'Bearer other']] }],
  ['Authorization is set by the option apiKey', '/books', { params: { header: { Authorization: 'Bearer other' } } }],
  ['the header "X-Line" cannot be sent', '/books', { headers: { 'X-Line': 'a\nb' } }],
  ['idempotencyKey must be', '/things', { params: { header: { 'Idempotency-Key': 'ä' } } }],
  // The service would ignore it, and a repetition act twice.
  ['unknown option "idempotencyKey"', '/books', { idempotencyKey: 'import-42' }],
  ['unknown option "idempotencyKey"', '/books', { params: { header: { 'Idempotency-Key': 'import-42' } } }],
  ['stay below baseUrl', '/../admin', {}],
  ['stay below baseUrl', '.elsewhere.example/', {}],
  ['stay below baseUrl', '@elsewhere.example/', {}],
  ['id must be', '/stores/{id}/{name}', { params: { path: { id: '..', name: 'a' } } }],
])('what a method refuses is refused before sending: %s, %s %j', async (message, path, init) => {
  const { api, requests } = clientOf(ok);
  const refusal = await rejectionOf(untyped(api).GET(path, init));
  expect(refusal).toBeInstanceOf(TypeError);
  expect(String(refusal)).toContain(message);
  expect(requests).toEqual([]);
});

test('a missing body is refused', async () => {
  const { api, requests } = clientOf(ok);
  expect(String(await rejectionOf(untyped(api).POST('/books')))).toContain('createBook: the body is missing');
  expect(requests).toEqual([]);
});

test.each([
  'https://elsewhere.example/v1/books',
  'http://api.bookstore.example/v1/books',
  'https://api.bookstore.example:8443/',
])('the key does not leave the origin of the base URL, not even for a middleware: %s', async (url) => {
  const moving = { onRequest: ({ request }: { request: Request }) => new Request(url, request) };
  const { api, requests } = clientOf(ok, { middleware: [moving] });
  await api.listBooks();
  await api.fetchClient.GET('/books');
  expect(requests.map((request) => [request.url, request.headers.get('Authorization')])).toEqual(
    Array(2).fill([url, null]),
  );
});

test('a middleware does not see the key, and may use a credential of its own', async () => {
  const seen: (string | null)[] = [];
  const own = {
    onRequest: ({ request }: { request: Request }) => {
      seen.push(request.headers.get('Authorization'));
      request.headers.set('Authorization', 'Bearer of-the-middleware');
    },
  };
  const { api, requests } = clientOf(ok, { middleware: [own] });
  await api.listBooks();
  expect(seen).toEqual([null]);
  expect(requests[0]?.headers.get('Authorization')).toBe('Bearer of-the-middleware');
});

test('a fetch of a call gets a Request with the key, for each attempt', async () => {
  const { api, requests } = clientOf(ok);
  const given: Request[] = [];
  const fetch = async (request: Request) => {
    given.push(request);
    return given.length === 1 ? errorResponse(500) : Response.json(book, { status: 201 });
  };
  const { data } = await api.fetchClient.POST('/books', { body: newBook, fetch });
  expect([data, requests]).toEqual([book, []]);
  expect(given.map(({ headers }) => headers.get('Authorization'))).toEqual(Array(2).fill(`Bearer ${apiKey}`));
  expect(await given[1]?.json()).toEqual(newBook);
});

test('middleware can be added and removed later, and for one call', async () => {
  const { api, requests } = clientOf(ok);
  const trace = { onRequest: ({ request }: { request: Request }) => request.headers.set('X-Trace', '1') };
  api.fetchClient.use(trace);
  await api.listBooks();
  api.fetchClient.eject(trace);
  await api.listBooks();
  await api.fetchClient.GET('/books', { middleware: [trace] });
  expect(requests.map(({ headers }) => headers.get('X-Trace'))).toEqual(['1', null, '1']);
});

test('a failure that a middleware replaces is the one that is thrown', async () => {
  const body = errorBody(418, 'teapot');
  const { api } = clientOf(() => errorResponse(404), {
    middleware: [{ onResponse: () => Response.json(body, { status: 418 }) }],
  });
  expect(await rejectionOf(api.listBooks())).toMatchObject({ status: 418, code: 'teapot', body });
});

test('runs on React Native, whose Request and Response are those of whatwg-fetch, without streams', async () => {
  const native: object = await import('whatwg-fetch' as string);
  for (const [name, value] of Object.entries({ ...native, ReadableStream: undefined })) vi.stubGlobal(name, value);
  onTestFinished(() => void vi.unstubAllGlobals());
  const seen: unknown[] = [];
  const { api, requests } = clientOf((_, attempt) => {
    const body = attempt === 1 ? '' : JSON.stringify({ ...book, title: 'Bärli 犬' });
    return new Response(body, { status: attempt === 1 ? 503 : 200, headers: { 'Content-Type': 'application/json' } });
  });
  api.fetchClient.use({ onResponse: ({ request, response }) => void seen.push(request.url, response.status) });
  expect((await api.fetchClient.POST('/books', { body: { ...newBook, title: '犬' } })).data?.title).toBe('Bärli 犬');
  expect((await api.createBook(newBook)).title).toBe('Bärli 犬');
  expect(seen).toEqual(Array(2).fill(['https://api.bookstore.example/v1/books', 200]).flat());
  expect(await requests[1]?.json()).toMatchObject({ title: '犬' });
});

test.each<[string, object, string]>([
  ['performance', globalThis, 'performance'],
  ['URL.canParse', URL, 'canParse'],
  ['AbortSignal.prototype.throwIfAborted', AbortSignal.prototype, 'throwIfAborted'],
  ['AbortSignal.prototype.reason', AbortSignal.prototype, 'reason'],
  ['AbortSignal.timeout', AbortSignal, 'timeout'],
  ['AbortSignal.any', AbortSignal, 'any'],
  ['crypto', globalThis, 'crypto'],
  ['Error.captureStackTrace', Error, 'captureStackTrace'],
  ['process', globalThis, 'process'],
])('needs no %s, which React Native lacks', async (_, owner, name) => {
  const property = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor;
  const { api, requests } = clientOf((_, attempt) => (attempt === 1 ? errorResponse(500) : Response.json([book])));
  const controller = new AbortController();
  onTestFinished(() => void Object.defineProperty(owner, name, property));
  Object.defineProperty(owner, name, { value: undefined, configurable: true });
  const listed = await api.listBooks({}, { signal: controller.signal });
  const created = await rejectionOf(api.createBook(newBook, { signal: abortedSignal() }));
  const late = await rejectionOf(
    api.withOptions({ fetch: () => new Promise(() => {}) }).getBook({ bookId: 1 }, { timeout: 5, maxRetries: 0 }),
  );
  Object.defineProperty(owner, name, property);
  expect([listed, requests.length]).toEqual([[book], 2]);
  expect(created).toMatchObject({ name: 'AbortError' });
  expect(late).toMatchObject({ code: 'timeout' });
});

function abortedSignal(): AbortSignal {
  const controller = new AbortController();
  controller.abort();
  return controller.signal;
}

test('needs neither Request.clone, Request.body nor duplex, which not every runtime has', async () => {
  const { api, requests } = clientOf((_, attempt) => (attempt === 1 ? errorResponse(500) : Response.json(book)));
  const { fetchClient } = api;
  fetchClient.use({
    onRequest: ({ request }) => {
      const absent = () => {
        throw new Error('not in this runtime');
      };
      for (const name of ['clone', 'body', 'duplex']) Object.defineProperty(request, name, { get: absent });
    },
  });
  expect((await fetchClient.POST('/books', { body: newBook })).data).toEqual(book);
  expect(await requests[1]?.json()).toEqual(newBook);
});

test('a body of bytes is sent byte for byte, for every attempt', async () => {
  const { api, requests } = clientOf((_, attempt) => (attempt === 1 ? errorResponse(500) : Response.json(book)));
  const bodySerializer = () => {
    const form = new FormData();
    form.set('photo', new Blob([new Uint8Array([0xff, 0xfe])]));
    return form;
  };
  await api.fetchClient.POST('/books', { body: newBook, bodySerializer });
  const photo = (await requests[1]?.formData())?.get('photo') as Blob;
  expect([...new Uint8Array(await photo.arrayBuffer())]).toEqual([0xff, 0xfe]);
});

test.each([
  ['text', JSON.stringify([book])],
  ['arrayBuffer', new TextEncoder().encode(JSON.stringify([book])).buffer],
] as const)('parseAs: %s', async (parseAs, expected) => {
  const { fetchClient } = clientOf(ok).api;
  expect((await fetchClient.GET('/books', { parseAs })).data).toEqual(expected);
});

test('the client for tests has it, too', async () => {
  const api = createTestClient({
    listBooks: ({ limit = 0 }) => [{ ...book, id: limit }],
    createBook: (body, { idempotencyKey }) => ({ ...body, id: Number(idempotencyKey) }),
    getBook: ({ bookId }) => errorOf(404, 'not_found', `no ${bookId}`),
  });
  const { data } = await api.fetchClient.GET('/books', { params: { query: { limit: 3 } } });
  expect(data?.[0]?.id).toBe(3);
  expect(await api.createBook(newBook, { idempotencyKey: '7' })).toMatchObject({ id: 7 });
  const getsBook = { params: { path: { bookId: 7 } } };
  const { error } = await api.fetchClient.GET('/books/{bookId}', getsBook);
  expect(error?.message).toContain('no 7');
  const fetch = async () => Response.json(book);
  expect((await api.fetchClient.GET('/books/{bookId}', { ...getsBook, fetch })).data).toEqual(book);
});
