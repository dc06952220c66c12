import type { Call } from '@repo/bookstore';
import { bookstoreQueries } from '@repo/bookstore/client/generated/react-query';
import { QueryClient } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { buildQueries, type Query } from '../src/react-query.ts';
import type { Queries as FixtureQueries, Names } from './fixture/generated/queries.ts';
import { operations as fixtureOperations } from './fixture/generated/table.ts';
import { apiKey, clientOf, fixtureClientOf } from './helpers.ts';
import { book, ok, type Respond } from './responses.ts';

const baseUrl = 'https://api.bookstore.example/v1';

function queryClient() {
  const client = new QueryClient();
  onTestFinished(() => client.clear());
  return client;
}

function fixtureQueriesOf(respond: Respond) {
  const { fixture, requests } = fixtureClientOf(respond);
  const queries = buildQueries('orders', fixtureOperations, fixture);
  return { queries: queries as unknown as FixtureQueries, requests };
}

test('a query has typed keys and plain data, and sends the options of the call', async () => {
  const { api, requests } = clientOf(ok);
  const cache = queryClient();
  const queries = bookstoreQueries(api);
  const options = queries.listBooks({ limit: 5 }, { headers: { 'X-Tenant': 'a' } });
  expect(options.queryKey).toEqual(['bookstore', baseUrl, 'listBooks', { limit: 5 }]);
  expect(queries.listBooks().queryKey).toEqual(['bookstore', baseUrl, 'listBooks', {}]);
  expect((options.retry as () => boolean)()).toBe(false);
  const books = await cache.fetchQuery(options);
  const cached: typeof books | undefined = cache.getQueryData(options.queryKey);
  expect(structuredClone(cached)).toEqual([book]);
  expect(requests[0]?.url).toMatch(/\/books\?limit=5$/);
  expect(requests[0]?.headers.get('X-Tenant')).toBe('a');
});

test('clients with other base URLs or names share no entries of a cache, and no key has the API key', async () => {
  const cache = queryClient();
  const { api } = clientOf((request) => Response.json([{ ...book, title: `${request.headers.get('Authorization')}` }]));
  const clients = [
    bookstoreQueries(api),
    bookstoreQueries(api.withOptions({ apiKey: 'books_other' }), { name: 'other' }),
    bookstoreQueries(api.withOptions({ apiKey: 'books_third', baseUrl: 'https://third.example' })),
  ];
  const titles = async ({ listBooks }: (typeof clients)[0]) =>
    (await cache.fetchQuery({ ...listBooks(), staleTime: 60_000 })).map(({ title }) => title);
  for (const [index, key] of [apiKey, 'books_other', 'books_third'].entries())
    expect(await titles(clients[index] as (typeof clients)[0])).toEqual([`Bearer ${key}`]);
  const keys = cache
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => JSON.stringify(queryKey));
  expect(keys.join()).not.toMatch(/books_/);
});

test('an infinite query follows the cursors, and one invalidation refreshes all queries of a list', async () => {
  const { api, requests } = clientOf((request) =>
    new URL(request.url).searchParams.has('cursor')
      ? Response.json([{ ...book, id: 2 }])
      : Response.json([book], { headers: { Link: '</v1/books?limit=1&cursor=c>; rel="next"' } }),
  );
  const cache = queryClient();
  const queries = bookstoreQueries(api);
  const options = queries.listBooks.infinite({ limit: 1 });
  const { pages } = await cache.fetchInfiniteQuery({ ...options, pages: 3 });
  expect(structuredClone(pages)).toEqual([
    { items: [book], nextCursor: 'c' },
    { items: [{ ...book, id: 2 }], nextCursor: undefined },
  ]);
  expect(requests).toHaveLength(2);
  await cache.fetchQuery(queries.listBooks({ limit: 1 }));
  await cache.invalidateQueries({ queryKey: queries.listBooks.key });
  const states = cache.getQueryCache().getAll();
  expect(states.map(({ queryKey, state }) => [queryKey.at(-1), state.isInvalidated])).toEqual([
    ['infinite', true],
    [{ limit: 1 }, true],
  ]);
});

test('a mutation takes parameters, body and options in one object', async () => {
  const { queries, requests } = fixtureQueriesOf(async (request) =>
    request.method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json({ id: 1, bookId: 1 }),
  );
  const { mutationKey, mutationFn } = queries.createOrder();
  for (const key of [mutationKey, queries.createOrder.key]) expect(key).toEqual(['orders', baseUrl, 'createOrder']);
  await mutationFn({ parameters: { storeId: 'a' }, body: { bookId: 1 }, idempotencyKey: 'form-1' });
  await queries.deleteOrder().mutationFn({ parameters: { storeId: 'a', orderId: 1 } });
  const sent = requests.map(({ method, url, headers }) => `${method} ${url} ${headers.get('Idempotency-Key')}`);
  expect(sent).toEqual([
    'POST https://api.bookstore.example/v1/stores/a/orders form-1',
    'DELETE https://api.bookstore.example/v1/stores/a/orders/1 null',
  ]);
  await expect(requests[0]?.json()).resolves.toEqual({ bookId: 1 });
});

test('unstable operations are in their groups, and a response without a body is null', async () => {
  const { queries } = fixtureQueriesOf(() => Response.json({ id: 7 }));
  const options = queries.beta.getOrder({ storeId: 'a', orderId: 7 });
  expect([options.queryKey[2], await queryClient().fetchQuery(options)]).toEqual(['getOrder', { id: 7 }]);
  expect(Object.keys(queries)).not.toContain('getOrder');
  const nothing = { method: 'GET', path: '/nothing' };
  const empty = buildQueries('orders', { nothing }, { nothing: async () => undefined }) as {
    nothing: Query<Names, 'nothing', () => Call<undefined>, object>;
  };
  expect(await queryClient().fetchQuery(empty.nothing())).toBeNull();
});
