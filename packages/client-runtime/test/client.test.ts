import { globSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../src/index.ts';
import { version } from '../src/version.ts';
import { apiKey, book, clientOf, rejectionOf } from './helpers.ts';

test('listBooks sends its parameters in the query and skips undefined ones', async () => {
  const { api, requests } = clientOf(() => Response.json([book]));

  expect(await api.listBooks({ limit: 5, format: 'hardcover' })).toEqual([book]);
  await api.listBooks();
  await api.listBooks({ format: undefined });

  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET https://api.bookstore.example/v1/books?limit=5&format=hardcover',
    'GET https://api.bookstore.example/v1/books',
    'GET https://api.bookstore.example/v1/books',
  ]);
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
    accept: 'application/json',
    authorization: `Bearer ${apiKey}`,
    'x-service-client': `js/${version}`,
  });
});

test('createBook sends its body as JSON', async () => {
  const { api, requests } = clientOf(() => Response.json(book, { status: 201 }));

  expect(await api.createBook({ title: 'Emma', storeId: 7 })).toEqual(book);

  const [request] = requests;
  expect(`${request?.method} ${request?.url}`).toBe('POST https://api.bookstore.example/v1/books');
  expect(request?.headers.get('Content-Type')).toBe('application/json');
  expect(await request?.json()).toEqual({ title: 'Emma', storeId: 7 });
});

test('getBook sends its identifier in the path', async () => {
  const { api, requests } = clientOf(() => Response.json(book));

  expect(await api.getBook({ bookId: 1 })).toEqual(book);
  expect(requests[0]?.url).toBe('https://api.bookstore.example/v1/books/1');
});

test.each<[ClientOptions, string]>([
  [{}, 'https://api.bookstore.example/v1/books'],
  [{ environment: 'staging' }, 'https://api.staging.bookstore.example/v1/books'],
  [{ baseUrl: 'http://127.0.0.1:3000/v1' }, 'http://127.0.0.1:3000/v1/books'],
  [{ baseUrl: 'http://127.0.0.1:3000/v1/' }, 'http://127.0.0.1:3000/v1/books'],
  [{ environment: 'staging', baseUrl: 'http://127.0.0.1:3000' }, 'http://127.0.0.1:3000/books'],
])('with %j it calls %s', async (options, url) => {
  const { api, requests } = clientOf(() => Response.json([]), options);
  await api.listBooks();
  expect(requests[0]?.url).toBe(url);
});

test.each([
  ['apiKey', { apiKey: '' }],
  ['apiKey', { apiKey: 'two words' }],
  ['apiKey', { apiKey: 'line\n' }],
  ['apiKey', { apiKey: 'schlüssel' }],
  ['environment', { environment: 'toString' }],
  ['baseUrl', { baseUrl: '' }],
  ['baseUrl', { baseUrl: '//127.0.0.1/v1' }],
  ['baseUrl', { baseUrl: 'api' }],
  ['baseUrl', { baseUrl: '/api?key=1' }],
  ['baseUrl', { baseUrl: 'ftp://127.0.0.1/v1' }],
  ['baseUrl', { baseUrl: 'https://user:password@127.0.0.1/v1' }],
  ['baseUrl', { baseUrl: 'https://127.0.0.1/v1?key=1' }],
  ['fetch', { fetch: 'fetch' }],
  ['onRetry', { onRetry: true }],
  ['onDeprecation', { onDeprecation: 'log' }],
  ['debug', { debug: 'yes' }],
  ['around', { around: {} }],
  ['headers', { headers: 'X-Trace: 1' }],
  ['timeout', { timeout: '10' }],
  ['totalTimeout', { totalTimeout: -1 }],
  ['maxRetries', { maxRetries: Number.NaN }],
  ['middleware', { middleware: {} }],
  ['middleware', { middleware: ['log'] }],
])('createClient refuses a wrong %s: %j', (name, options) => {
  expect(() => createClient({ apiKey, ...options } as ClientOptions)).toThrow(
    new RegExp(`^(createClient: )?${name} must be`, 'i'),
  );
});

test('a wrong baseUrl is shown, without what may be secret', () => {
  const shown = (baseUrl: string) => {
    try {
      createClient({ apiKey, baseUrl });
    } catch (error) {
      return /not (".*")$/.exec((error as Error).message)?.[1];
    }
    return undefined;
  };
  expect(['localhost:3000', 'https://user:p@ss@host/v1', 'https://host/v1?key=1'].map(shown)).toEqual([
    '"localhost:3000"',
    '"host/v1"',
    '"https://host/v1?…"',
  ]);
});

test('SERVICE_BASE_URL is the default of baseUrl, unless an environment is given', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('SERVICE_BASE_URL', 'http://127.0.0.1:3000/v1');
  for (const [options, url] of [
    [{}, 'http://127.0.0.1:3000/v1/books'],
    [{ environment: 'production' }, 'https://api.bookstore.example/v1/books'],
    [{ baseUrl: 'http://[::1]/v1' }, 'http://[::1]/v1/books'],
  ] as const) {
    const { api, requests } = clientOf(() => Response.json([]), options);
    await api.listBooks();
    expect(requests[0]?.url).toBe(url);
  }
});

test('a path is resolved at the call, on the server of the page, and apiKey: null sends no key', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const { api, requests } = clientOf(() => Response.json([]), { baseUrl: '/api/', apiKey: null });
  expect(await rejectionOf(api.listBooks())).toEqual(
    expect.objectContaining({ message: expect.stringContaining('no page') }),
  );
  vi.stubGlobal('location', new URL('https://shop.example/items/1'));
  await api.listBooks();
  await api.withOptions({ timeout: 5_000 }).request('GET', '/books');
  await api.withOptions({ apiKey }).fetchClient.GET('/books');
  expect(requests.map(({ url, headers }) => [url, headers.get('Authorization')])).toEqual([
    ['https://shop.example/api/books', null],
    ['https://shop.example/api/books', null],
    ['https://shop.example/api/books', `Bearer ${apiKey}`],
  ]);
});

test.each([
  'performance',
  'URL.canParse',
  'AbortSignal.prototype.throwIfAborted',
  'AbortSignal.prototype.reason',
  'DOMException',
])('calls, time limits, aborts and pages work without %s, as in React Native', async (missing) => {
  const path = missing.split('.');
  const owner = path.slice(0, -1).reduce((value: object, key) => value[key as never], globalThis);
  const own = Object.getOwnPropertyDescriptor(owner, String(path.at(-1))) as PropertyDescriptor;
  const { api } = clientOf((request) => {
    if (request.url.endsWith('cursor=2')) return Response.json([book]);
    if (request.method === 'GET') return Response.json([book], { headers: { Link: '<?cursor=2>; rel="next"' } });
    return new Promise<Response>(() => {});
  });
  const controller = new AbortController();
  Object.defineProperty(owner, String(path.at(-1)), { value: undefined, configurable: true, writable: true });
  try {
    const titles: string[] = [];
    for await (const { title } of api.listBooks()) titles.push(title);
    const limits = { timeout: 50, maxRetries: 0 };
    const late = await rejectionOf(api.deleteBook({ bookId: 1 }, limits));
    const aborted = rejectionOf(api.deleteBook({ bookId: 1 }, { signal: controller.signal }));
    controller.abort();
    const { name } = (await aborted) as Error;
    const again = (await rejectionOf(api.listBooks({}, { signal: controller.signal }))) as Error;
    expect([titles, late, name, again.name]).toEqual([
      ['Emma', 'Emma'],
      expect.objectContaining({ code: 'timeout', cause: expect.objectContaining({ name: 'TimeoutError' }) }),
      'AbortError',
      'AbortError',
    ]);
  } finally {
    Object.defineProperty(owner, String(path.at(-1)), own);
  }
});

test('an unknown option is refused by name', () => {
  const options = { apiKey, enviroment: 'staging' };
  expect(() => createClient(options)).toThrow(new TypeError('createClient: unknown option "enviroment"'));
  expect(() => createClient({ apiKey }).withOptions({ maxRetrys: 1 } as object)).toThrow('unknown option "maxRetrys"');
});

test('the package exports the documented names only', async () => {
  expect(Object.keys(await import('../src/index.ts')).sort()).toEqual([
    'ServiceError',
    'createClient',
    'isServiceError',
  ]);
});

test('without a fetch option, each call looks up the global fetch', async () => {
  const api = createClient({ apiKey });
  vi.stubGlobal('fetch', async () => Response.json([book]));
  try {
    expect(await api.listBooks()).toEqual([book]);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('inspecting the client shows its methods, not its key', () => {
  const shown = inspect(createClient({ apiKey }), { depth: 9, showHidden: true });
  expect(shown).toContain('listBooks: [Function: listBooks]');
  expect(shown).not.toContain(apiKey);
});

test('the sources, which every SDK gets, name no service', () => {
  const folder = new URL('../src/', import.meta.url);
  for (const file of globSync('*.ts', { cwd: folder }))
    expect(readFileSync(new URL(file, folder), 'utf8'), file).not.toMatch(/\bbook/i);
});
