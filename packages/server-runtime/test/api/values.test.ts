import { type Implementation, operationsOf, type RequestContext, type Tables } from '@petstore-platform/server-runtime';
import * as sales from '@repo/bookstore/api';
import { contract } from '@repo/bookstore/generated/contract';
import type { Handlers, StoreState } from '@repo/bookstore/generated/operations';
import { STORE } from '@repo/bookstore/stores';
import { beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../support/database.ts';
import { handlerOf } from '../support/runtime.ts';
import { sharedServer, temporaryServer } from '../support/server.ts';
import { CHANGES, headers, NEW_STORE, WITH_ETAG } from '../support/stores.ts';

/** A table whose columns hold less than the contract admits. */
interface Small {
  id: number;
  name: string;
  city: string;
  capacity: number | null;
  state: StoreState;
}

const tables: Tables<{ small: Small }> = {
  columns: { small: { id: 'smallint', name: 'character varying', city: 'uuid', capacity: 'smallint', state: 'text' } },
};
const { read, write } = operationsOf(contract, tables);

/** Handlers that use a value of each request, or a text that they make. */
const handlersWith = (made?: string) => ({
  listStores: read('listStores', { city: true }, ({ query: { city } }, db, { page }) =>
    page(db.selectFrom('small').select(STORE), { by: 'id', where: made ? { name: made } : { city } }),
  ),
  getStore: read('getStore', ({ path: { storeId } }, db, { row }) => {
    const select = db.selectFrom('small').select(STORE);
    return row(made ? select.where('name', '=', made) : select.where('id', '=', storeId));
  }),
  createStore: write('createStore', NEW_STORE, ({ body: { name, city, capacity = null } }, db, { row }) => {
    const store = { id: 1, name: made ?? name, city, capacity, state: 'open' } as const;
    return row(db.insertInto('small').values(store).returning(STORE));
  }),
  updateStore: write('updateStore', CHANGES, async ({ path: { storeId }, body }, db, { row }) => {
    const { name, capacity, state } = body;
    const first = db.updateTable('small').set({ capacity }).where('id', '=', storeId);
    await (made ? first.where('name', 'in', ['abc', made]) : first).execute();
    const update = db.updateTable('small').set({ name, state }).where('id', '=', storeId);
    return row(update.returning(WITH_ETAG), { headers });
  }),
  replaceStoreName: write('replaceStoreName', { name: true }, ({ path: { storeId }, body }, db, { row }) => {
    const update = db.updateTable('small').set({ name: made ?? body.name });
    return row(update.where('id', '=', storeId).returning(WITH_ETAG), { headers });
  }),
});

const server = sharedServer();
const ADDRESS = { name: 'abc', city: '00000000-0000-4000-8000-000000000000' };

beforeAll(() =>
  server.db.pool.query(`create table small (id smallint not null, name varchar(3), city uuid, capacity smallint, state text);
    insert into small values (1, 'abc', gen_random_uuid(), 1, 'open')`),
);

/** Handlers whose operations use this table. */
const bound = (implementations: Record<string, Implementation>) =>
  Object.fromEntries(
    Object.entries(implementations).map(([id, implementation]) => [id, handlerOf(implementation, server.db)]),
  ) as Partial<Handlers<RequestContext>>;
const small = sharedServer(() => ({ handlers: bound(handlersWith()), databaseUrl: server.databaseUrl }));

const REFUSED = { status: 400, json: { code: 'invalid_request' } };
const MISSING = {
  status: 404,
  json: { code: 'not_found', message: 'The requested resource could not be found' },
};

test.each([
  ['the filter of a page', 'GET', '/stores?city=Bern', undefined, REFUSED],
  ['an insertion', 'POST', '/stores', { ...ADDRESS, city: 'Bern' }, REFUSED],
  ['an insertion', 'POST', '/stores', { ...ADDRESS, capacity: 40_000 }, REFUSED],
  ['an update', 'PUT', '/stores/1/name', { name: 'abcd' }, REFUSED],
  ['a transaction', 'PATCH', '/stores/1', { capacity: 40_000 }, REFUSED],
  ['the answer of one', 'PATCH', '/stores/1', { capacity: 4, name: 'abcd' }, REFUSED],
  ['the path of a read', 'GET', '/stores/40000', undefined, MISSING],
  ['the path of an update', 'PUT', '/stores/40000/name', { name: 'b' }, MISSING],
  ['the path of a transaction', 'PATCH', '/stores/40000', { capacity: 4 }, MISSING],
] as const)('a value that Postgres refuses is no 500, in %s: %s %s', async (_, method, path, body, expected) => {
  expect(await small.call(method, path, body)).toMatchObject(expected);
});

test('of requests that share a statement, those with such a value fail alone', async () => {
  const capacities = Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? 40_000 : index));
  const answers = await Promise.all(
    capacities.map((capacity) => small.call('POST', '/stores', { ...ADDRESS, capacity })),
  );
  expect(answers.map(({ status }) => status)).toEqual(capacities.map((each) => (each > 32_767 ? 400 : 201)));
  const ids = Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? 40_000 : 1));
  const stores = await Promise.all(ids.map((id) => small.call('GET', `/stores/${id}`)));
  expect(stores.map(({ status }) => status)).toEqual(ids.map((id) => (id === 1 ? 200 : 404)));
});

/** Texts that no text of Postgres can be. Requests cannot have them, but a handler can make them. */
const UNSTORABLE = { 'a lone surrogate': 'a\ud800', NUL: 'a\0' };

test.each(Object.entries(UNSTORABLE))(
  'a text with %s, made by a handler, is refused in every shape',
  async (_, text) => {
    const other = await temporaryServer({ handlers: bound(handlersWith(text)), databaseUrl: server.databaseUrl });
    const before = await rowsOf(server.db, 'select * from small order by 1, 2, 3');
    for (const [method, path, body] of [
      ['GET', '/stores?city=Bern', undefined],
      ['GET', '/stores/1', undefined],
      ['POST', '/stores', ADDRESS],
      ['PATCH', '/stores/1', { capacity: 2, name: 'b' }],
      ['PUT', '/stores/1/name', { name: 'b' }],
    ] as const)
      expect(await other.call(method, path, body)).toMatchObject(REFUSED);
    expect(await rowsOf(server.db, 'select * from small order by 1, 2, 3')).toEqual(before);
  },
);

test('a text for a column of type jsonb is its JSON, in an insertion that requests share and in a transaction', async () => {
  const labels = { campaign: 'winter' };
  const sale = { sold_at: new Date(0), due: '2026-01-01', price: '1', buyer_name: 'Ada', titles: [] };
  const values = { ...sale, labels: JSON.stringify(labels) as never };
  const shared = sales.write('deleteBook', (_, db, { row }) => row(db.insertInto('sales').values(values)));
  const alone = sales.write('deleteBook', async (_, db) => {
    await db.insertInto('sales').values(values).execute();
    return { status: 204 };
  });
  for (const each of [shared, alone]) await handlerOf(each, server.db)();
  expect(await rowsOf(server.db, 'select labels from sales')).toEqual([{ labels }, { labels }]);
});
