import { sdk } from '@repo/bookstore/client/generated/sdk';
import { expect, test } from 'vitest';
import { apiKey, clientOf, clientWith, failureOf, rejectionOf, untyped } from './helpers.ts';
import { book, errorResponse } from './responses.ts';

test('sends any request and resolves to its JSON', async () => {
  const { api, requests } = clientOf(() => Response.json({ photos: 2 }));
  const call = api.request<{ photos: number }>('patch', '/books/1/photos', {
    query: { limit: 5, tag: ['a & b', 'c'], cursor: undefined },
    body: { main: 1 },
    headers: { 'X-Trace': '1' },
  });
  const { data, attempts } = await call.withResponse();
  expect([data.photos, attempts]).toEqual([2, 1]);
  const [request] = requests as [Request];
  const url = 'https://api.bookstore.example/v1/books/1/photos?limit=5&tag=a%20%26%20b&tag=c';
  expect([request.method, request.url, await request.json()]).toEqual(['PATCH', url, { main: 1 }]);
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'x-trace': '1' };
  expect(Object.fromEntries(request.headers)).toMatchObject(headers);
});

const unexpected = expect.objectContaining({ code: 'unexpected_response', status: 200 });
test.each<[string, Response, unknown]>([
  ['an array', Response.json([book]), [book]],
  ['a number', Response.json(3), 3],
  ['a text', Response.json('a text'), 'a text'],
  ['false', Response.json(false), false],
  ['null', Response.json(null), null],
  ['no body', new Response(null, { status: 204 }), undefined],
  ['an empty body', new Response('', { status: 202 }), undefined],
  ['a failure for what is not JSON', new Response('<h1>Sign in</h1>'), unexpected],
])('gives %s', async (_, response, data) => {
  const { api } = clientOf(() => response);
  expect(await api.request('GET', '/count').catch((error: unknown) => error)).toEqual(data);
});

test('has the retries and errors of the methods', async () => {
  const { api, requests } = clientOf((_, count) => errorResponse(count === 3 ? 503 : 500, { 'X-Request-Id': '6b1c' }));
  const error = await failureOf(api.request('GET', '/count', { maxRetries: 1 }));
  expect(error).toMatchObject({ operation: 'GET /count', method: 'GET', status: 500, attempts: 2, requestId: '6b1c' });
  // A POST is repeated after a 503, and not after a 500.
  expect(await failureOf(api.request('POST', '/count'))).toMatchObject({ status: 500, attempts: 2 });
  // An idempotency key makes a POST safe to repeat.
  await failureOf(api.request('POST', '/count', { idempotencyKey: 'import-42', body: 1 }));
  expect(requests.slice(4).map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(Array(3).fill('import-42'));
});

test('a parameter may have the name of a member of all objects', async () => {
  const count = { method: 'GET', path: '/count', result: 'any', parameters: { constructor: 'query' } } as const;
  const { client, requests } = clientWith({ ...sdk, operations: { count } }, () => Response.json(1));
  const api = untyped(client as object);
  await Promise.all([api.count?.(), api.count?.({ constructor: 'a' })]);
  expect(requests.map(({ url }) => url.replace(/.*v1/, ''))).toEqual(['/count', '/count?constructor=a']);
  await expect(api.count?.({ other: 1 })).rejects.toThrow('unknown parameter "other"');
});

test('encodes the names of a query, so that none adds a parameter', async () => {
  const { api, requests } = clientOf(() => Response.json(1));
  const query = { 'on=true&day': 'a b', 'filter[é]': 1, 'filter[a]': 2 };
  const { GET } = untyped(api.fetchClient);
  await api.request('GET', '/count', { query });
  await GET?.('/count', { params: { query } });
  await GET?.('/count', { params: { query }, querySerializer: { allowReserved: true } });
  for (const { url } of requests) {
    expect([...new URL(url).searchParams]).toEqual([
      ['on=true&day', 'a b'],
      ['filter[é]', '1'],
      ['filter[a]', '2'],
    ]);
    expect(url).toContain('filter[a]=2');
  }
  // A serializer of the caller encodes the names itself.
  await GET?.('/count', { params: { query }, querySerializer: (given: object) => `names=${Object.keys(given)[0]}` });
  expect(requests[3]?.url).toMatch('names=on=true&day');
  const refusal = await rejectionOf(api.request('GET', '/count', { query: { '\ud800': 1 } }));
  expect([refusal instanceof TypeError, requests.length]).toEqual([true, 4]);
});
