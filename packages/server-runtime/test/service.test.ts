import { defineService, integer, variable } from '@petstore-platform/server-runtime';
import { contract } from '@repo/bookstore/generated/contract';
import { operations } from '@repo/bookstore/generated/routes';
import { migrations } from '@repo/bookstore/migrations';
import { service as bookstore } from '@repo/bookstore/service';
import { loadConfig } from '@repo/bookstore/testing';
import { expect, test } from 'vitest';
import { temporaryServer } from './support/server.ts';

const base = { name: 'bookstore', contract, handlers: {} as never, migrations, addressPlan: 'free' } as const;

/** Serves the bookstore with what a service may add. */
const start = (options: object) =>
  temporaryServer({ service: { ...defineService({ ...base, ...options }), handlers: bookstore.handlers } });

test('the tests of a service have a key of a plan that its contract has', async () => {
  const plans = { low: { perMinute: 5, perDay: 50 }, high: { perMinute: 500, perDay: 5_000 } };
  const server = await start({ contract: { ...contract, plans }, addressPlan: 'low' });
  const { key } = await server.createKey();
  for (const each of [server.apiKey, key]) {
    const { headers } = await server.request('/v1/books', { headers: { Authorization: `Bearer ${each}` } });
    expect(headers.get('X-RateLimit-Limit')).toBe('500');
  }
});

test('a service has variables of its own, with the same errors', () => {
  const variables = { SHELVES: variable('8', 'Shelves of a store.', integer(1, 100)) };
  const service = defineService({
    ...base,
    variables,
    // TypeScript knows the type of its value.
    extend: (_app, { config }) => void config.SHELVES.toFixed(),
  });
  expect(loadConfig({ DATABASE_URL: 'postgres://x' }, service.variables)).toMatchObject({ SHELVES: 8 });
  expect(() => loadConfig({ DATABASE_URL: 'postgres://x', SHELVES: '0', PORT: 'x' }, service.variables)).toThrow(
    'Configuration: PORT must be a whole number from 0 to 65535; SHELVES must be a whole number from 1 to 100',
  );
});

test('names come from that of the service', () => {
  expect(defineService({ ...base, name: 'book_store' })).toMatchObject({
    keyPrefix: 'book_store_',
    command: 'book-store-server',
    clientHeader: 'x-book-store-client',
  });
  expect(defineService({ ...base, keyPrefix: 'bk_' })).toMatchObject({ keyPrefix: 'bk_' });
});

test('names of the runtime, and intervals that no timer has, are refused', () => {
  const of = (options: object) => () => defineService({ ...base, ...options });
  expect(of({ migrations: { 'runtime-001-clock': {} } })).toThrow('The migration runtime-001-clock has the name');
  expect(of({ variables: { PORT: variable('', '', String) } })).toThrow('The variable PORT has the name');
  expect(of({ jobs: { housekeeping: {} } })).toThrow('The job housekeeping has the name');
  expect(of({ jobs: { monthly: { every: 2 ** 31 } } })).toThrow(
    'The job monthly needs an interval from 1 to 2147483647',
  );
});

test('numbers of plans that the counts cannot hold are refused', () => {
  const message = 'The plan pro needs whole numbers from 1 to 999999999, not';
  for (const limit of [3_000_000_000, 1_000_000_000, 0, -1, 1.5, Number.NaN])
    for (const name of ['perMinute', 'perDay']) {
      const plans = { ...contract.plans, pro: { perMinute: 1, perDay: 1, [name]: limit } };
      expect(() => defineService({ ...base, contract: { ...contract, plans } })).toThrow(`${message} ${limit}`);
    }
  const pro = { perMinute: 999_999_999, perDay: 999_999_999 };
  defineService({ ...base, contract: { ...contract, plans: { ...contract.plans, pro } } });
});

test('a service adds routes outside the API, with the id and headers of every response', async () => {
  const { anonymous: get } = await start({
    extend(app: { get(path: string, handler: () => Promise<object>): void }) {
      for (const path of ['/version', '/static/*']) app.get(path, async () => ({ version: 7 }));
    },
  });
  const response = await get('/version');
  expect(await response.json()).toEqual({ version: 7 });
  expect(response.headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/);
  for (const [path, status] of Object.entries({ '/versions': 404, '/static': 404, '/static/': 200, '/static/a': 200 }))
    expect((await get(path)).status, path).toBe(status);
});

test('a service tells why it is not ready', async () => {
  let reason: string | undefined = 'the printer has no paper';
  const { origin } = await start({ ready: async () => reason });
  const unready = await fetch(`${origin}/readyz`);
  expect([unready.status, await unready.json()]).toEqual([503, { status: 'unavailable', cause: 'service', reason }]);
  reason = undefined;
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
});

test('the server does not start with an operation without handler, and names it', async () => {
  const getNothing = { ...operations.listStores, id: 'getNothing', path: '/v1/nowhere' };
  const starting = temporaryServer({ operations: { ...operations, getNothing } });
  await expect(starting.then(() => 'started')).rejects.toThrow(/getNothing/);
});
