import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseHandle } from '../../src/database/open.ts';
import { plans } from '../../src/generated/plans.ts';
import { createKey } from '../../src/keys/format.ts';
import { ApiKeys, insertApiKey, revokeApiKey } from '../../src/keys/keys.ts';
import { createDatabase } from '../support/database.ts';
import { type FlakyDatabase, flakyDatabase } from '../support/flaky-database.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let flaky: FlakyDatabase;
let db: DatabaseHandle;
beforeAll(async () => {
  database = await createDatabase();
  flaky = flakyDatabase(database.url);
  db = flaky.db;
});
afterAll(async () => {
  await flaky.close();
  await database.drop();
});

/** The result and the number of statements. */
async function counted<T>(work: () => T | Promise<T>): Promise<[T, number]> {
  const before = flaky.statements;
  const result = await work();
  return [result, flaky.statements - before];
}

test('a key has its plan and limits', async () => {
  const apiKeys = new ApiKeys(db, Date.now);
  for (const plan of ['free', 'pro', 'business'] as const) {
    const { id, key } = await insertApiKey(db, { name: 'Ada', plan });
    expect(await apiKeys.find(key)).toEqual({ id, plan, subject: `key:${id}`, ...plans[plan] });
  }
  const limits = { perMinute: 7, perDay: 8 };
  const { id, key } = await insertApiKey(db, { name: 'Ada', plan: 'enterprise', ...limits });
  expect(await apiKeys.find(key)).toEqual({ id, plan: 'enterprise', subject: `key:${id}`, ...limits });
});

test('a malformed key is refused without a query; an unknown key costs one each time', async () => {
  const apiKeys = new ApiKeys(db, Date.now);
  const mistyped = fc.nat({ max: 47 }).map((at) => {
    const key = createKey();
    return `${key.slice(0, 9 + at)}${key[9 + at] === 'A' ? 'B' : 'A'}${key.slice(10 + at)}`;
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), mistyped), async (text) => {
      expect(await counted(() => apiKeys.find(text))).toEqual([undefined, 0]);
    }),
  );
  const unknown = createKey();
  expect(await counted(() => apiKeys.find(unknown))).toEqual([undefined, 1]);
  expect(await counted(() => apiKeys.find(unknown))).toEqual([undefined, 1]);
});

test('ten keys of a refused address are looked up per second, others are refused without a query', async () => {
  let now = 60_000;
  const apiKeys = new ApiKeys(db, () => now);
  const suspect = () => 'address:192.0.2.1';
  const findAll = (keys: string[]) => Promise.all(keys.map((key) => apiKeys.find(key, suspect)));
  const madeUp = Array.from({ length: 1_000 }, createKey);
  const [{ id, key }, known] = await Promise.all([
    insertApiKey(db, { name: 'Ada', plan: 'free' }),
    insertApiKey(db, { name: 'Grace', plan: 'free' }),
  ]);
  await apiKeys.find(known.key);
  const [found, statements] = await counted(() => findAll([...madeUp.slice(0, 9), key, ...madeUp]));
  expect(found.filter((apiKey) => apiKey !== undefined)).toMatchObject([{ id }]);
  expect(statements).toBe(1);
  now += 1_000;
  expect(await counted(() => findAll(madeUp))).toEqual([madeUp.map(() => undefined), 0]);
  expect(apiKeys.find(known.key, suspect)).toMatchObject({ id: known.id });
  // Keys from another refused address are still looked up.
  const other = await insertApiKey(db, { name: 'Edsger', plan: 'free' });
  expect(await apiKeys.find(other.key, () => 'address:192.0.2.2')).toMatchObject({ id: other.id });
  now += 1;
  expect(await counted(() => findAll(madeUp))).toEqual([madeUp.map(() => undefined), 1]);
  now += 5_001;
  await findAll(madeUp);
  expect(await counted(() => apiKeys.find(known.key, suspect))).toMatchObject([{ id: known.id }, 1]);
});

test('a valid key stays known to be one while the database is away', async () => {
  let now = 60_000;
  const apiKeys = new ApiKeys(db, () => now);
  const find = (key: string) => apiKeys.find(key, () => 'address:192.0.2.1');
  const { id, key } = await insertApiKey(db, { name: 'Ada', plan: 'free' });
  await find(key);
  now += 5_001;
  flaky.away = true;
  await expect(Promise.all([find(key), find(key)])).rejects.toThrow('ECONNREFUSED');
  flaky.away = false;
  await Promise.all(Array.from({ length: 20 }, createKey).map(find));
  expect(await find(key)).toMatchObject({ id });
});

test('the five seconds of a key begin before it is looked up', async () => {
  let now = 60_000;
  const apiKeys = new ApiKeys(db, () => now);
  const { id, key } = await insertApiKey(db, { name: 'Ada', plan: 'free' });
  const found = apiKeys.find(key);
  now += 4_000;
  await found;
  await revokeApiKey(db, id);
  now += 1_001;
  expect(await apiKeys.find(key)).toBeUndefined();
});

test('a burst with a new key from a refused address is one look-up', async () => {
  const apiKeys = new ApiKeys(db, () => 0);
  const { id, key } = await insertApiKey(db, { name: 'Ada', plan: 'free' });
  const burst = () => Array.from({ length: 60 }, () => apiKeys.find(key, () => 'address:192.0.2.1'));
  const [found, statements] = await counted(() => Promise.all([...burst(), ...burst()]));
  expect(found.map((apiKey) => apiKey?.id)).toEqual(Array(120).fill(id));
  expect(statements).toBe(1);
});

test('concurrent lookups of any keys are one statement', async () => {
  const apiKeys = new ApiKeys(db, Date.now);
  const issued = await Promise.all([1, 2, 3].map((n) => insertApiKey(db, { name: `${n}`, plan: 'free' })));
  const unknown = Array.from({ length: 30 }, createKey);
  const keys = [...issued.map(({ key }) => key), ...unknown, ...issued.map(({ key }) => key)];
  const [found, statements] = await counted(() => Promise.all(keys.map((key) => apiKeys.find(key))));
  const ids = issued.map(({ id }) => id);
  expect(found.map((apiKey) => apiKey?.id)).toEqual([...ids, ...unknown.map(() => undefined), ...ids]);
  expect(statements).toBe(1);
});

test('a key is cached for five seconds, then issued and revoked keys are noticed', async () => {
  let now = Date.now();
  const apiKeys = new ApiKeys(db, () => now);
  const { id, key } = await insertApiKey(db, { name: 'Ada', plan: 'free' });
  const [apiKey, first] = await counted(() => apiKeys.find(key));
  expect(first).toBe(1);
  await revokeApiKey(db, id);
  now += 5_000;
  expect(await counted(() => apiKeys.find(key))).toEqual([apiKey, 0]);
  now += 1;
  expect(await counted(() => apiKeys.find(key))).toEqual([undefined, 1]);
});

test('the stored value does not contain the key', async () => {
  const { id, key } = await insertApiKey(db, { name: 'Ada', plan: 'free' });
  const row = await db.kysely.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(row.key_hash).toHaveLength(32);
  for (const part of [key, key.slice(9, 9 + 43)]) {
    expect(JSON.stringify({ ...row, key_hash: row.key_hash.toString('latin1') })).not.toContain(part);
    expect(row.key_hash.includes(Buffer.from(part, 'base64url').subarray(0, 16))).toBe(false);
  }
});
