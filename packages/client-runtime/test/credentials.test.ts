import type { Operations } from '@repo/bookstore';
import { sdk } from '@repo/bookstore/client/generated/sdk';
import { expect, test, vi } from 'vitest';
import type { ClientOf } from '../src/client.ts';
import type { CommonOptions } from '../src/client-options.ts';
import { type Credentials, credentialsOf, type Security } from '../src/credentials.ts';
import { filesOf } from '../src/files.ts';
import { clientWith, failureOf, untyped } from './helpers.ts';
import { book } from './responses.ts';

const security: Security = {
  listBooks: [[['key', 'header', 'X-Api-Key']], [['token', 'bearer']]],
  createBook: [
    [
      ['key', 'query', 'api_key'],
      ['token', 'bearer'],
    ],
  ],
  getBook: [[['key', 'basic']]],
  deleteBook: [],
  '': [[['token', 'bearer']]],
};

interface Client extends Operations, ClientOf<Client, CommonOptions & Credentials> {}

const KEY = 'key_0123456789abcdef';

/** A client of a service that answers with the given statuses, then with 200, and what it sent. */
function clientOf(options: CommonOptions & Credentials, ...statuses: number[]) {
  const respond = ({ url, method, headers }: Request) => {
    const status = statuses.shift() ?? 200;
    if (status === 200) return Response.json(method === 'GET' && !/books\/\d/.test(url) ? [book] : book);
    const body = { code: 'token_invalid', message: `Not ${JSON.stringify([...headers])} at ${url}`, status };
    return Response.json(body, { status, headers: status === 429 ? { 'Retry-After': '30' } : {} });
  };
  const secured = { ...sdk, wrap: credentialsOf(security) };
  const { client, requests } = clientWith(secured, respond, { apiKey: undefined, maxRetries: 0, ...options });
  const sent = () =>
    requests.map(({ headers, url }) => {
      const { authorization, 'x-api-key': key } = Object.fromEntries(headers);
      return { authorization, key, query: new URL(url).search };
    });
  return { client: client as Client, requests, sent };
}

const [list, add] = [['listBooks'], ['createBook', { title: 'Emma' }]] as const;
test.each<[string, Credentials, readonly [method: string, ...args: unknown[]], object]>([
  ['a key in a header', { apiKey: KEY }, list, { key: KEY }],
  ['a token', { token: async () => 'a.b.c' }, list, { authorization: 'Bearer a.b.c' }],
  ['the first that it has', { apiKey: () => KEY, token: 'a' }, list, { key: KEY }],
  ['both together', { apiKey: 'a&b#c', token: 'a' }, add, { authorization: 'Bearer a', query: '?api_key=a%26b%23c' }],
  ['none, if one of both lacks', { token: 'a' }, add, {}],
  ['a password', { apiKey: KEY }, ['getBook', { bookId: 1 }], { authorization: `Basic ${btoa(`:${KEY}`)}` }],
  ['those of any other call', { token: 'a' }, ['request', 'GET', '/drafts'], { authorization: 'Bearer a' }],
  ['none', {}, list, {}],
])('a call has %s', async (_, options, [method, ...args], expected) => {
  const { client, sent } = clientOf(options);
  await untyped(client)[method]?.(...args);
  expect(sent()).toEqual([{ authorization: undefined, key: undefined, query: '', ...expected }]);
});

test('a token that is refused is asked for once more, within the attempt', async () => {
  const asked: boolean[] = [];
  const token = (isRefused: boolean) => {
    asked.push(isRefused);
    return isRefused ? 'new' : 'old';
  };
  const { client, sent } = clientOf({ token }, 401);
  await client.listBooks();
  expect(sent().map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new']);
  expect(asked).toEqual([false, true]);
  const refused = clientOf({ token }, 401, 401);
  await expect(refused.client.listBooks()).rejects.toMatchObject({ status: 401, attempts: 1 });
  expect(refused.requests).toHaveLength(2);
  const fixed = clientOf({ token: 'a' }, 401);
  await expect(fixed.client.listBooks()).rejects.toMatchObject({ status: 401 });
  expect(fixed.requests).toHaveLength(1);
});

test.each([
  ['listBooks', { apiKey: KEY }, {}],
  ['getBook', { apiKey: KEY }, { bookId: 1 }],
  ['listBooks', { token: `${KEY}.token` }, {}],
])('no error of %s contains a credential: %j', async (method, options, parameters) => {
  const error = await failureOf(untyped(clientOf(options, 400).client)[method]?.(parameters) as Promise<unknown>);
  expect(JSON.stringify([error.message, error.body, error.url, error])).not.toContain(KEY);
  expect(JSON.stringify([error.message, error.body])).not.toContain(btoa(`:${KEY}`));
});

test("a call's own fetch gets none of the credentials", async () => {
  const { client } = clientOf({ apiKey: KEY, token: 'a.b.c' });
  const fetch = vi.fn(async (_: Request) => Response.json([book]));
  const { GET } = (client as unknown as { fetchClient: { GET(path: string, init: object): Promise<unknown> } })
    .fetchClient;
  await GET('/books', { fetch });
  const sent = fetch.mock.calls.map(([{ headers }]) => JSON.stringify([...headers]));
  expect(sent).toEqual([expect.not.stringMatching(`${KEY}|a\\.b\\.c`)]);
});

test('a middleware may have a credential of its own, which stays', async () => {
  const middleware = [
    { onRequest: ({ request }: { request: Request }) => request.headers.set('Authorization', 'Own x') },
  ];
  const { client, sent } = clientOf({ apiKey: KEY, middleware });
  await client.listBooks();
  expect(sent()).toMatchObject([{ authorization: 'Own x', key: undefined }]);
});

test('a client of withOptions waits for the same limits, unless it has another credential, and inherits the headers', async () => {
  const token = () => 'a';
  const { client, requests, sent } = clientOf({ token, headers: { 'x-a': '1' }, maxRetryAfter: 0 }, 429);
  await expect(client.listBooks()).rejects.toMatchObject({ status: 429 });
  for (const options of [{ timeout: 5_000 }, { token }, { fetch: async () => Response.json([]) }])
    await expect(client.withOptions(options).listBooks()).rejects.toMatchObject({ status: 429, attempts: 0 });
  await client.withOptions({ token: () => 'b', headers: { 'x-b': '2' } }).listBooks();
  const headers = Object.fromEntries((requests.at(-1) as Request).headers);
  expect(headers).toMatchObject({ authorization: 'Bearer b', 'x-a': '1', 'x-b': '2' });
  await client.withOptions({ apiKey: KEY }).listBooks();
  expect(sent().at(-1)).toMatchObject({ authorization: undefined, key: KEY });
});

test('a credential that cannot be sent is refused', () => {
  expect(() => clientOf({ token: 'a\nb' })).toThrow(
    'createClient: token must be a string of visible ASCII characters (no "Bearer ", no line break)',
  );
});

test.each([
  ['a blob', () => new Blob(['abc']), ['abc', 'abc'], 200],
  ['a stream', () => new Blob(['abc']).stream(), ['abc'], 401],
])('%s after a 401 with a new token', async (_name, body, bodies, status) => {
  const file = { path: '/file', body: 'required', type: 'image/png', options: { onProgress: true } } as const;
  const sent: string[] = [];
  const respond = async (request: Request, count: number) => {
    sent.push(await request.text());
    return new Response(count === 1 ? '{}' : null, { status: count === 1 ? 401 : 204 });
  };
  const token = (isRefused: boolean) => (isRefused ? 'b' : 'a');
  const operations = { putFile: { ...file, method: 'PUT' } };
  const files = { ...sdk, operations, formatOf: filesOf, wrap: credentialsOf(security) };
  const { client } = clientWith(files, respond, { token });
  // A Blob is read beside the event loop: the clock must not jump to the timeout meanwhile.
  vi.setTimerTickMode('manual');
  const told: object[] = [];
  const onProgress = (progress: object) => told.push(progress);
  const call = untyped(client as object)
    .putFile?.(body(), { onProgress })
    .then(() => ({ status: 200 }));
  expect(await call?.catch((error) => error)).toMatchObject({ status });
  expect([sent, told.length]).toEqual([bodies, bodies.length]);
});
