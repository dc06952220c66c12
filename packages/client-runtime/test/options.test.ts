import { type ClientOptions, createClient } from '@repo/bookstore';
import { expect, test, vi } from 'vitest';
import { apiKey, clientOf, failureOf, rejectionOf, settled } from './helpers.ts';
import { book, errorResponse, failingOnce, never, newBook, ok } from './responses.ts';

const headersOf = (request: Request | undefined) => Object.fromEntries(request?.headers ?? []);

test('fetch gets a string and a plain init, with the options of fetch, from methods, request() and fetchClient', async () => {
  const seen: object[] = [];
  const fetch: NonNullable<ClientOptions['fetch']> = async (...args) => {
    const [url, { headers, signal, ...init }] = args;
    expect([typeof url, args.length]).toEqual(['string', 2]);
    for (const plain of [args[1], headers]) expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
    expect(signal).toBeInstanceOf(AbortSignal);
    seen.push(init);
    return Response.json(init.method === 'GET' ? [] : book);
  };
  const web = { cache: 'no-store', keepalive: true, priority: 'low' } as const;
  const options = { ...web, next: { revalidate: 60 }, dispatcher: { dispatch: () => true } };
  const replacing = { onRequest: ({ request }: { request: Request }) => new Request(request.url, request) };
  for (const middleware of [[], [replacing]]) {
    const api = createClient({ apiKey, fetch, middleware });
    const given = { ...options, maxRetries: 1, headers: { 'X-Trace': '1' } };
    await api.listBooks({}, given);
    await api.request('GET', '/books', given);
    await api.fetchClient.GET('/books', given);
  }
  expect(seen).toEqual(Array(6).fill({ ...options, method: 'GET', redirect: 'manual' }));
  await createClient({ apiKey, fetch }).createBook(newBook);
  expect(seen[6]).toEqual({ method: 'POST', redirect: 'manual', body: '{"title":"Emma","storeId":7}' });
});

test('headers of client and call are merged case-insensitively: the call wins, undefined removes', async () => {
  const { api, requests } = clientOf(ok, {
    headers: { 'X-Tenant': 'a', 'X-Trace': '1', 'X-Bookstore-Client': 'other' },
  });
  await api.listBooks();
  const headers = { 'x-tenant': 'b', 'X-TRACE': undefined, 'X-New': 'c', 'x-bookstore-client': undefined };
  await api.listBooks({}, { headers });
  const common = {
    accept: 'application/json',
    authorization: `Bearer ${apiKey}`,
    // Every request names the client, with any headers.
    'x-bookstore-client': expect.stringMatching(/^js\/\d+\.\d+\.\d+/),
  };
  expect(requests.map(headersOf)).toEqual([
    { ...common, 'x-tenant': 'a', 'x-trace': '1' },
    { ...common, 'x-tenant': 'b', 'x-new': 'c' },
  ]);
});

test.each<[object, string]>([
  [{ authorization: 'Bearer other' }, 'the header authorization is set by the option apiKey'],
  [{ 'Idempotency-Key': 'a' }, 'the header Idempotency-Key is set by the option idempotencyKey'],
  ['X-Trace: a' as never, 'headers must be an object'],
  [{ 'two words': 'a' }, 'the header "two words" cannot be sent'],
  [{ 'X-Line': 'a\nb' }, 'the header "X-Line" cannot be sent'],
])('headers that cannot be sent are refused: %j', async (given, message) => {
  const headers = given as Record<string, string>;
  expect(() => createClient({ apiKey, headers })).toThrow(new TypeError(`createClient: ${message}`));
  const { api, requests } = clientOf(ok);
  expect(String(await rejectionOf(api.listBooks({}, { headers })))).toBe(`TypeError: listBooks: ${message}`);
  expect(requests).toEqual([]);
});

test('withOptions creates a client with other options and leaves the first one unchanged', async () => {
  const { api, requests } = clientOf(() => errorResponse(500), {
    baseUrl: 'http://127.0.0.1:3000/v1',
    headers: { 'X-Tenant': 'a', 'X-Trace': '1' },
    maxRetries: 0,
  });
  const other = api.withOptions({
    maxRetries: 1,
    apiKey: undefined,
    headers: { 'x-tenant': 'b', 'X-Trace': undefined },
  });
  expect(await failureOf(other.listBooks())).toMatchObject({ attempts: 2 });
  expect(await failureOf(api.listBooks())).toMatchObject({ attempts: 1 });
  // An environment replaces an inherited base URL.
  await failureOf(api.withOptions({ environment: 'staging' }).listBooks());
  const sent = requests.map((request) => {
    const { authorization, 'x-tenant': tenant, 'x-trace': trace } = headersOf(request);
    return `${new URL(request.url).host} ${authorization} ${tenant} ${trace}`;
  });
  const key = `Bearer ${apiKey}`;
  const local = ['b undefined', 'b undefined', 'a 1'].map((headers) => `127.0.0.1:3000 ${key} ${headers}`);
  expect(sent).toEqual([...local, `api.staging.bookstore.example ${key} a 1`]);
});

test('a key may be a function, called for every attempt', async () => {
  let calls = 0;
  const { api, requests } = clientOf((_, attempt) => (attempt === 1 ? errorResponse(500) : ok()), {
    apiKey: async () => `books_rotated_${++calls}`,
  });
  await api.listBooks();
  await api.withOptions({ maxRetries: 0 }).listBooks();
  const keys = requests.map(({ headers }) => headers.get('Authorization'));
  expect(keys).toEqual([1, 2, 3].map((call) => `Bearer books_rotated_${call}`));
});

const fault = new DOMException('no vault', 'TimeoutError');
test.each<[string, () => undefined | string | Promise<string>, string]>([
  ['fails', () => Promise.reject(fault), 'TimeoutError: no vault'],
  ['gives no key', () => undefined, 'TypeError: createClient: apiKey is missing: the function gave none'],
  [
    'gives a wrong key',
    () => 'two words',
    'TypeError: createClient: apiKey must be a string of visible ASCII characters (no "Bearer ", no line break)',
  ],
  ['hangs', never, 'BookstoreError: listBooks failed: timeout: no complete response within 100 ms'],
])('a key function that %s ends the call', async (_, apiKey, error) => {
  const { api, requests } = clientOf(ok, { apiKey, timeout: 100, maxRetries: 0 });
  expect(String(await rejectionOf(api.listBooks()))).toBe(error);
  expect(requests).toEqual([]);
});

test('the key defaults to BOOKSTORE_API_KEY; without both, the error names both', async () => {
  for (const key of [undefined, '']) {
    vi.stubEnv('BOOKSTORE_API_KEY', key);
    expect(() => createClient({ apiKey: undefined })).toThrow(/^createClient: apiKey is missing.*BOOKSTORE_API_KEY/);
    expect(() => createClient()).toThrow(TypeError);
  }
  vi.stubEnv('BOOKSTORE_API_KEY', 'books_of_the_environment');
  const { api, requests } = clientOf(ok, { apiKey: undefined });
  await api.listBooks();
  vi.stubEnv('BOOKSTORE_API_KEY', undefined);
  await api.withOptions({ timeout: 5_000 }).listBooks();
  const keys = requests.map(({ headers }) => headers.get('Authorization'));
  expect(keys).toEqual(Array(2).fill('Bearer books_of_the_environment'));
  vi.stubEnv('BOOKSTORE_API_KEY', 'two words');
  expect(() => createClient()).toThrow(/^createClient: apiKey must be/);
});

test('without access to environment variables, the key is missing', () => {
  const forbidden = {
    get env() {
      throw new Error('NotCapable');
    },
  };
  for (const process of [undefined, {}, forbidden]) {
    vi.stubGlobal('process', process);
    expect(() => createClient()).toThrow(/^createClient: apiKey is missing/);
  }
});

test('nothing is sent after an abort, even by a fetch that ignores its signal', async () => {
  let give = (_: string) => {};
  const key = new Promise<string>((resolve) => {
    give = resolve;
  });
  const { api, requests } = clientOf(ok, { apiKey: () => key });
  const controller = new AbortController();
  const call = rejectionOf(api.listBooks({}, { signal: controller.signal }));
  await settled();
  controller.abort('enough');
  expect(await call).toBe('enough');
  give(apiKey);
  await settled();
  expect(requests).toEqual([]);
});

test('exceptions and rejections of observers are ignored', async () => {
  const fault = () => {
    throw new Error('bug');
  };
  for (const onRetry of [fault, async () => fault()])
    expect(await clientOf(failingOnce, { onRetry }).api.getBook({ bookId: 1 })).toEqual(book);
  // Node.js reports rejections after the microtasks, and then vitest fails.
  await settled();
});
