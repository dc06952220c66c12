import type { Environment, Operations } from '@repo/bookstore';
import { sdk } from '@repo/bookstore/client/generated/sdk';
import { expect, test } from 'vitest';
import { buildClient, type ClientOf } from '../src/client.ts';
import type { CommonOptions } from '../src/client-options.ts';
import { type Credentials, credentialsOf, type Security } from '../src/credentials.ts';
import { filesOf } from '../src/files.ts';
import { failureOf, rejectionOf, untyped } from './helpers.ts';

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

interface ClientOptions extends CommonOptions, Credentials {
  environment?: Environment;
  baseUrl?: string;
}
interface Client extends Operations, ClientOf<Client, ClientOptions> {}

/** As a generated `createClient` of an SDK with credentials. */
const createClient = (options: ClientOptions) =>
  buildClient({ ...sdk, wrap: credentialsOf(security) }, options as object) as Client;

const book = { id: 1, title: 'Emma' };
const KEY = 'key_0123456789abcdef';

/** A client of a service that answers with the given statuses, then with 200. It notes what it is sent. */
function clientOf(options: ClientOptions, ...statuses: number[]) {
  const sent: { url: string; headers: Record<string, string> }[] = [];
  const fetch: ClientOptions['fetch'] = async (url, { headers, method }) => {
    sent.push({ url, headers });
    const status = statuses.shift() ?? 200;
    const error = { code: 'token_invalid', message: `Not ${JSON.stringify(headers)} at ${url}`, status };
    const isList = method === 'GET' && !/books\/\d/.test(url);
    const limit: Record<string, string> = status === 429 ? { 'Retry-After': '30' } : {};
    return Response.json(status === 200 ? (isList ? [book] : book) : error, { status, headers: limit });
  };
  const client = createClient({ baseUrl: 'http://127.0.0.1/v1', maxRetries: 0, ...options, fetch });
  const headersOf = (index: number) => {
    const { authorization, 'x-api-key': key } = sent[index]?.headers ?? {};
    return { authorization, key, query: new URL(sent[index]?.url ?? '').search };
  };
  return { client, sent, headersOf };
}

const [list, add] = [['listBooks'], ['createBook', { title: 'Emma' }]] as const;
test.each<[string, ClientOptions, readonly [method: string, ...args: unknown[]], object]>([
  ['a key in a header', { apiKey: KEY }, list, { key: KEY }],
  ['a token', { token: async () => 'a.b.c' }, list, { authorization: 'Bearer a.b.c' }],
  ['the first that it has', { apiKey: () => KEY, token: 'a' }, list, { key: KEY }],
  ['both together', { apiKey: 'a&b#c', token: 'a' }, add, { authorization: 'Bearer a', query: '?api_key=a%26b%23c' }],
  ['none, if one of both lacks', { token: 'a' }, add, {}],
  ['a password', { apiKey: KEY }, ['getBook', { bookId: 1 }], { authorization: `Basic ${btoa(`:${KEY}`)}` }],
  ['those of any other call', { token: 'a' }, ['request', 'GET', '/drafts'], { authorization: 'Bearer a' }],
  ['none', {}, list, {}],
])('a call has %s', async (_, options, [method, ...args], expected) => {
  const { client, headersOf } = clientOf(options);
  await rejectionOf(untyped(client)[method]?.(...args) as Promise<unknown>);
  expect(headersOf(0)).toEqual({ authorization: undefined, key: undefined, query: '', ...expected });
});

test('a call has those of a client with others', async () => {
  const { client, headersOf } = clientOf({ token: 'a' });
  await client.withOptions({ apiKey: KEY }).listBooks();
  expect(headersOf(0)).toEqual({ authorization: undefined, key: KEY, query: '' });
});

test('a token that is refused is asked for once more, within the attempt', async () => {
  const asked: boolean[] = [];
  const token = (isRefused: boolean) => {
    asked.push(isRefused);
    return isRefused ? 'new' : 'old';
  };
  const { client, sent } = clientOf({ token }, 401);
  await client.listBooks();
  expect(sent.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  expect(asked).toEqual([false, true]);
  const refused = clientOf({ token }, 401, 401);
  await expect(refused.client.listBooks()).rejects.toMatchObject({ status: 401, attempts: 1 });
  expect(refused.sent).toHaveLength(2);
  const fixed = clientOf({ token: 'a' }, 401);
  await expect(fixed.client.listBooks()).rejects.toMatchObject({ status: 401 });
  expect(fixed.sent).toHaveLength(1);
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

test('a middleware may have a credential of its own, which stays', async () => {
  const middleware = [
    { onRequest: ({ request }: { request: Request }) => request.headers.set('Authorization', 'Own x') },
  ];
  const { client, headersOf } = clientOf({ apiKey: KEY, middleware: middleware as never });
  await client.listBooks();
  expect(headersOf(0)).toMatchObject({ authorization: 'Own x', key: undefined });
});

test('a client of withOptions waits for the same limits, unless it has another credential, and inherits the headers', async () => {
  const { client, sent } = clientOf({ token: 'a', headers: { 'x-a': '1' }, maxRetries: 0, maxRetryAfter: 0 }, 429);
  await expect(client.listBooks()).rejects.toMatchObject({ status: 429 });
  for (const options of [{ timeout: 5_000 }, { token: 'a' }, { fetch: async () => Response.json([]) }])
    await expect(client.withOptions(options).listBooks()).rejects.toMatchObject({ status: 429, attempts: 0 });
  await client.withOptions({ token: 'b', headers: { 'x-b': '2' } }).listBooks();
  expect(sent.at(-1)?.headers).toMatchObject({ authorization: 'Bearer b', 'x-a': '1', 'x-b': '2' });
});

test('a credential that cannot be sent is refused', () => {
  expect(() => createClient({ token: 'a\nb' })).toThrow(
    'createClient: token must be a string of visible ASCII characters (no "Bearer ", no line break)',
  );
});

test.each([
  ['a blob', () => new Blob(['abc']), ['abc', 'abc'], 200],
  ['a stream', () => new Blob(['abc']).stream(), ['abc'], 401],
])('%s after a 401 with a new token', async (_name, body, bodies, status) => {
  const putFile = {
    method: 'PUT',
    path: '/file',
    body: 'required',
    type: 'image/png',
    options: { onProgress: true },
  } as const;
  const sent: string[] = [];
  const fetch: ClientOptions['fetch'] = async (_url, init) => {
    sent.push(await new Response(init.body).text());
    return new Response(sent.length === 1 ? '{}' : null, { status: sent.length === 1 ? 401 : 204 });
  };
  const told: object[] = [];
  const token = (isRefused: boolean) => (isRefused ? 'b' : 'a');
  const options = { token, baseUrl: 'http://127.0.0.1/v1', fetch } as object;
  const files = { ...sdk, operations: { putFile }, formatOf: filesOf, wrap: credentialsOf(security) };
  const client = untyped(buildClient(files, options));
  const onProgress = (progress: object) => told.push(progress);
  const call = client.putFile?.(body(), { onProgress }).then(() => ({ status: 200 }));
  expect(await call?.catch((error) => error)).toMatchObject({ status });
  expect([sent, told.length]).toEqual([bodies, bodies.length]);
});
