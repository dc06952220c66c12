import { inspect } from 'node:util';
import { type ClientOptions, createClient } from '@repo/bookstore';
import { expect, onTestFinished, test, vi } from 'vitest';
import { apiKey, clientOf, failureOf, fixtureClientOf, rejectionOf } from './helpers.ts';
import { book, failingOnce, never, newBook, ok } from './responses.ts';

test('a call sends its parameters in the query, without undefined ones, and its body as JSON', async () => {
  const { api, requests } = clientOf((request) => Response.json(request.method === 'GET' ? [book] : book));
  expect(await api.listBooks({ limit: 5, format: 'hardcover' })).toEqual([book]);
  await api.listBooks();
  await api.listBooks({ format: undefined });
  expect(await api.createBook(newBook)).toEqual(book);
  const books = 'https://api.bookstore.example/v1/books';
  const sent = requests.map(({ method, url }) => `${method} ${url}`);
  expect(sent).toEqual([`GET ${books}?limit=5&format=hardcover`, `GET ${books}`, `GET ${books}`, `POST ${books}`]);
  const [accept, authorization] = ['application/json', `Bearer ${apiKey}`];
  const headers = { accept, authorization, 'x-bookstore-client': 'js/0.0.0' };
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual(headers);
  const keyed = { ...headers, 'content-type': 'application/json', 'idempotency-key': expect.any(String) };
  expect(Object.fromEntries(requests[3]?.headers ?? [])).toEqual(keyed);
  expect(await requests[3]?.json()).toEqual(newBook);
});

test('an operation without a result resolves to undefined for any body', async () => {
  for (const response of [new Response(null, { status: 204 }), new Response('removed', { status: 200 })]) {
    const { fixture } = fixtureClientOf(() => response);
    expect(await fixture.deleteOrder({ storeId: 'a', orderId: 1 })).toBeUndefined();
  }
});

test('an optional body can be omitted', async () => {
  const { fixture, requests } = fixtureClientOf(() => Response.json({ id: 1, bookId: 1 }));
  await fixture.updateOrder({ storeId: 'a', orderId: 1, notify: true });
  await fixture.updateOrder({ storeId: 'a', orderId: 1, notify: false }, { bookId: 2, note: undefined });
  const [without, with_] = requests;
  expect(without?.url).toMatch(/\?notify=true$/);
  expect([await without?.text(), without?.headers.has('Content-Type')]).toEqual(['', false]);
  expect(await with_?.json()).toEqual({ bookId: 2 });
});

const local = 'http://127.0.0.1:3000/v1';
test.each<[variable: string, ClientOptions, url: string]>([
  ['', {}, 'https://api.bookstore.example/v1'],
  ['', { environment: 'staging' }, 'https://api.staging.bookstore.example/v1'],
  ['', { baseUrl: `${local}/` }, local],
  ['', { environment: 'staging', baseUrl: 'http://127.0.0.1:3000' }, 'http://127.0.0.1:3000'],
  [local, {}, local],
  [local, { environment: 'production' }, 'https://api.bookstore.example/v1'],
  [local, { baseUrl: 'http://[::1]/v1' }, 'http://[::1]/v1'],
])('with BOOKSTORE_BASE_URL=%s and %j it calls %s', async (variable, options, url) => {
  vi.stubEnv('BOOKSTORE_BASE_URL', variable);
  const { api, requests } = clientOf(ok, options);
  await api.listBooks();
  expect(requests[0]?.url).toBe(`${url}/books`);
});

test.each([
  ['apiKey', '', 'two words', 'line\n', 'schlüssel'],
  ['environment', 'toString'],
  ['baseUrl', '', '//127.0.0.1/v1', 'api', '/api?key=1', 'ftp://127.0.0.1/v1', 'https://127.0.0.1/v1?key=1'],
  ['baseUrl', 'https://user:password@127.0.0.1/v1'],
  ['headers', 'X-Trace: 1'],
  ['timeout', '10'],
  ['totalTimeout', -1],
  ['maxRetries', Number.NaN],
])('createClient refuses a wrong %s: %j', (name, ...values) => {
  for (const value of values)
    expect(() => createClient({ apiKey, [name]: value })).toThrow(new RegExp(`^(createClient: )?${name} must be`, 'i'));
});

test('a wrong baseUrl is shown, without what may be secret', () => {
  for (const [baseUrl, shown] of [
    ['localhost:3000', '"localhost:3000"'],
    ['https://user:p@ss@host/v1', '"host/v1"'],
    ['https://host/v1?key=1', '"https://host/v1?…"'],
  ])
    expect(() => createClient({ apiKey, baseUrl })).toThrow(new RegExp(`not ${shown?.replace('?', '\\?')}$`));
});

test('a path is resolved at the call, on the server of the page, and apiKey: null sends no key', async () => {
  const { api, requests } = clientOf(ok, { baseUrl: '/api/', apiKey: null });
  await expect(api.listBooks()).rejects.toThrow('no page');
  vi.stubGlobal('location', new URL('https://shop.example/items/1'));
  await api.listBooks();
  await api.withOptions({ timeout: 5_000 }).request('GET', '/books');
  await api.withOptions({ apiKey }).fetchClient.GET('/books');
  const sent = requests.map(({ url, headers }) => `${url} ${headers.get('Authorization')}`);
  expect(sent).toEqual([null, null, `Bearer ${apiKey}`].map((key) => `https://shop.example/api/books ${key}`));
});

const missing: [owner: object, ...names: string[]][] = [
  [globalThis, 'performance', 'DOMException', 'crypto', 'process'],
  [URL, 'canParse'],
  [AbortSignal, 'timeout', 'any'],
  [AbortSignal.prototype, 'throwIfAborted', 'reason'],
  [Crypto.prototype, 'randomUUID'],
  [Error, 'captureStackTrace'],
];
test.each(missing.flatMap(([owner, ...names]) => names.map((name) => [name, owner] as const)))(
  'calls, retries, pages, time limits and aborts need no %s, which React Native lacks',
  async (name, owner) => {
    const property = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor;
    const { api, requests } = clientOf((request, attempt) => {
      if (attempt === 1) return failingOnce(request, attempt);
      if (request.method !== 'GET') return never();
      const isLast = request.url.endsWith('cursor=2');
      return Response.json([book], isLast ? {} : { headers: { Link: '<?cursor=2>; rel="next"' } });
    });
    const controller = new AbortController();
    onTestFinished(() => void Object.defineProperty(owner, name, property));
    Object.defineProperty(owner, name, { value: undefined, configurable: true, writable: true });
    const titles: string[] = [];
    for await (const { title } of api.listBooks()) titles.push(title);
    const late = await failureOf(api.deleteBook({ bookId: 1 }, { timeout: 50, maxRetries: 0 }));
    const aborted = rejectionOf(api.createBook(newBook, { signal: controller.signal }));
    controller.abort();
    const reasons = [await aborted, await rejectionOf(api.listBooks({}, { signal: controller.signal }))];
    Object.defineProperty(owner, name, property);
    expect([titles, requests.length]).toEqual([['Emma', 'Emma'], 4]);
    expect(late).toMatchObject({ code: 'timeout', cause: { name: 'TimeoutError' } });
    expect(reasons).toEqual(Array(2).fill(expect.objectContaining({ name: 'AbortError' })));
  },
);

test('an unknown option is refused by name', () => {
  const options = { apiKey, enviroment: 'staging' };
  expect(() => createClient(options)).toThrow(
    new TypeError('createClient: unknown option "enviroment", did you mean environment?'),
  );
  expect(() => createClient({ apiKey }).withOptions({ maxRetrys: 1 } as object)).toThrow('unknown option "maxRetrys"');
});

test('without a fetch option, each call looks up the global fetch', async () => {
  const api = createClient({ apiKey });
  vi.stubGlobal('fetch', ok);
  expect(await api.listBooks()).toEqual([book]);
});

test('inspecting the client shows its methods, not its key', () => {
  const shown = inspect(createClient({ apiKey }), { depth: 9, showHidden: true });
  expect(shown).toContain('listBooks: [Function: listBooks]');
  expect(shown).not.toContain(apiKey);
});
