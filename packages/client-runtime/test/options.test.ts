import { expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, createClient, type DeprecationNotice } from '../src/index.ts';
import { apiKey, book, clientOf, errorResponse, failureOf, rejectionOf } from './helpers.ts';

const ok = () => Response.json([]);
const namesOf = (request: Request | undefined) => Object.fromEntries(request?.headers ?? []);

test('fetch gets a string and a plain init, its body a string', async () => {
  const calls: unknown[][] = [];
  const fetch: NonNullable<ClientOptions['fetch']> = async (...args) => {
    calls.push(args);
    return Response.json(book, { status: 201 });
  };
  await createClient({ apiKey, fetch }).createBook({ title: 'Emma', storeId: 7 });
  const [[url, init, ...more]] = calls as [[string, RequestInit]];
  expect([url, more]).toEqual(['https://api.bookstore.example/v1/books', []]);
  expect(Object.getPrototypeOf(init)).toBe(Object.prototype);
  expect(Object.getPrototypeOf(init.headers)).toBe(Object.prototype);
  expect(init).toMatchObject({ method: 'POST', redirect: 'manual', body: '{"title":"Emma","storeId":7}' });
  expect(init.signal).toBeInstanceOf(AbortSignal);
});

test('headers of client and call are merged case-insensitively: the call wins, undefined removes', async () => {
  const { api, requests } = clientOf(ok, { headers: { 'X-Tenant': 'a', 'X-Trace': '1' } });
  await api.listBooks();
  await api.listBooks({}, { headers: { 'x-tenant': 'b', 'X-TRACE': undefined, 'X-New': 'c' } });
  expect(namesOf(requests[0])).toMatchObject({ 'x-tenant': 'a', 'x-trace': '1' });
  expect(namesOf(requests[1])).toMatchObject({ 'x-tenant': 'b', 'x-new': 'c', authorization: `Bearer ${apiKey}` });
  expect(requests[1]?.headers.has('X-Trace')).toBe(false);
});

test('every request names the client, with any headers', async () => {
  const { api, requests } = clientOf(ok, { headers: { 'X-Service-Client': 'other' } });
  await api.listBooks({}, { headers: { 'x-service-client': undefined } });
  expect(requests[0]?.headers.get('X-Service-Client')).toMatch(/^js\/\d+\.\d+\.\d+/);
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
    headers: { 'X-Tenant': 'a', 'X-Trace': '1' },
    maxRetries: 0,
  });
  const other = api.withOptions({
    environment: 'staging',
    maxRetries: 1,
    timeout: undefined,
    headers: { 'x-tenant': 'b', 'X-Trace': undefined },
  });
  expect(await failureOf(other.listBooks())).toMatchObject({ attempts: 2 });
  expect(await failureOf(api.listBooks())).toMatchObject({ attempts: 1 });
  expect(requests.map(({ url }) => new URL(url).host)).toEqual([
    'api.staging.bookstore.example',
    'api.staging.bookstore.example',
    'api.bookstore.example',
  ]);
  expect(namesOf(requests[0])).toMatchObject({ 'x-tenant': 'b', authorization: `Bearer ${apiKey}` });
  expect(requests[0]?.headers.has('X-Trace')).toBe(false);
  expect(namesOf(requests[2])).toMatchObject({ 'x-tenant': 'a', 'x-trace': '1' });
});

test('an environment replaces an inherited base URL', async () => {
  const { api, requests } = clientOf(ok, { baseUrl: 'http://127.0.0.1:3000/v1' });
  await api.withOptions({ maxRetries: 1 }).listBooks();
  await api.withOptions({ environment: 'staging' }).listBooks();
  expect(requests.map(({ url }) => new URL(url).host)).toEqual(['127.0.0.1:3000', 'api.staging.bookstore.example']);
});

test('a deprecation is reported once, also for fetchClient and clients of withOptions', async () => {
  const notices: DeprecationNotice[] = [];
  const onDeprecation = (notice: DeprecationNotice) => notices.push(notice);
  const { api } = clientOf(() => Response.json([], { headers: { Deprecation: '@1' } }), { onDeprecation });
  await api.withOptions({ timeout: 5 }).listBooks();
  await api.listBooks();
  await api.fetchClient.GET('/books');
  expect(notices).toHaveLength(1);
  await api.withOptions({ onDeprecation }).listBooks();
  expect(notices).toHaveLength(2);
});

test('a key may be a function, called for every attempt', async () => {
  let calls = 0;
  const { api, requests } = clientOf((_, attempt) => (attempt === 1 ? errorResponse(500) : ok()), {
    apiKey: async () => `books_rotated_${++calls}`,
  });
  await api.listBooks();
  await api.withOptions({ maxRetries: 0 }).listBooks();
  expect(requests.map(({ headers }) => headers.get('Authorization'))).toEqual([
    'Bearer books_rotated_1',
    'Bearer books_rotated_2',
    'Bearer books_rotated_3',
  ]);
});

test('a failing key function ends the call with its error; a hanging one is within the deadline', async () => {
  const fault = new DOMException('no vault', 'TimeoutError');
  const failing = clientOf(ok, { apiKey: () => Promise.reject(fault) });
  expect(await rejectionOf(failing.api.listBooks())).toBe(fault);
  const wrong = clientOf(ok, { apiKey: () => 'two words' });
  expect(String(await rejectionOf(wrong.api.listBooks()))).toMatch(/^TypeError: createClient: apiKey must be/);
  const none = clientOf(ok, { apiKey: async () => process.env.NO_SUCH_KEY as string });
  expect(String(await rejectionOf(none.api.listBooks()))).toBe(
    'TypeError: createClient: apiKey is missing: the function gave none',
  );
  const hanging = clientOf(ok, { apiKey: () => new Promise(() => {}), timeout: 100, maxRetries: 0 });
  expect(await failureOf(hanging.api.listBooks())).toMatchObject({ code: 'timeout', attempts: 1 });
  for (const { requests } of [failing, wrong, none, hanging]) expect(requests).toEqual([]);
});

test('the key defaults to SERVICE_API_KEY; without both, the error names both', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const key of [undefined, '']) {
    vi.stubEnv('SERVICE_API_KEY', key);
    expect(() => createClient({ apiKey: undefined })).toThrow(/^createClient: apiKey is missing.*SERVICE_API_KEY/);
    expect(() => createClient()).toThrow(TypeError);
  }
  vi.stubEnv('SERVICE_API_KEY', 'books_of_the_environment');
  const { api, requests } = clientOf(ok, { apiKey: undefined });
  await api.listBooks();
  expect(requests[0]?.headers.get('Authorization')).toBe('Bearer books_of_the_environment');
  vi.stubEnv('SERVICE_API_KEY', 'two words');
  expect(() => createClient()).toThrow(/^createClient: apiKey must be/);
});

test('without access to environment variables, the key is missing', () => {
  onTestFinished(() => void vi.unstubAllGlobals());
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
  let give: (key: string) => void = () => {};
  const key = new Promise<string>((resolve) => {
    give = resolve;
  });
  const { api, requests } = clientOf(ok, { apiKey: () => key });
  const controller = new AbortController();
  const call = api.listBooks({}, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  give(apiKey);
  await new Promise(setImmediate);
  expect(requests).toEqual([]);
});

test('a response of a custom fetch needs only the members of its type', async () => {
  const fetch = async () => ({ status: 200, headers: new Headers(), text: async () => '[]' });
  expect(await createClient({ apiKey, fetch }).listBooks()).toEqual([]);
});

test('options of fetch are passed on, of methods, request() and fetchClient', async () => {
  const seen: unknown[] = [];
  const fetch: NonNullable<ClientOptions['fetch']> = async (_url, init) => {
    const { cache, keepalive, priority, next, dispatcher } = init as Record<string, unknown>;
    seen.push({ cache, keepalive, priority, next, dispatcher });
    return Response.json([]);
  };
  const api = createClient({ apiKey, fetch });
  const dispatcher = { dispatch: () => true };
  const options = {
    cache: 'no-store',
    keepalive: true,
    priority: 'low',
    next: { revalidate: 60 },
    dispatcher,
  } as const;
  await api.listBooks({}, options);
  await api.request('GET', '/books', options);
  await api.fetchClient.GET('/books', options);
  expect(seen).toEqual([options, options, options]);
});
