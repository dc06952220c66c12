import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, type MockInstance, test, vi } from 'vitest';
import { apiKeysOf, createKey, hashKey, insertApiKey, isWellFormed, revokeApiKey } from '../support/runtime.ts';
import { ONE, sharedServer } from '../support/server.ts';

const server = sharedServer(() => ONE);
/** Each statement takes a connection. */
let connects: MockInstance<() => Promise<unknown>>;
beforeAll(() => {
  connects = vi.spyOn(server.db.pool, 'connect') as never;
});

/** The result and the number of statements. */
async function counted<T>(work: () => T | Promise<T>): Promise<[T, number]> {
  const before = connects.mock.calls.length;
  const result = await work();
  return [result, connects.mock.calls.length - before];
}

test('a mistyped key, as any text, is refused without a query; an unknown key costs one each time', async () => {
  const apiKeys = apiKeysOf(server.db, Date.now);
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  // New keys are random by themselves.
  const key = fc.constant(null).map(createKey);
  const mistyped = fc.tuple(key, fc.nat({ max: 56 }), visible).map(([each, at, character]) => {
    const [start, old, next = '', rest] = [each.slice(0, at), each[at], each[at + 1], each.slice(at + 1)];
    const swapped = start + next + old + rest.slice(1);
    return [start + character + rest, start + rest, start + character + old + rest, swapped].filter(
      (text) => text !== each,
    );
  });
  fc.assert(
    fc.property(
      fc.oneof(
        { weight: 9, arbitrary: mistyped },
        fc.string().map((text) => [text]),
      ),
      (texts) => {
        for (const text of texts) expect([text, apiKeys.find(text)]).toEqual([text, undefined]);
      },
    ),
    { numRuns: 1_000 },
  );
  const unknown = createKey();
  for (let times = 0; times < 2; times++) expect(await counted(() => apiKeys.find(unknown))).toEqual([undefined, 1]);
});

test('made-up keys do not evict valid ones', async () => {
  const apiKeys = apiKeysOf(server.db, () => 60_000);
  const valid = Array.from({ length: 10_000 }, createKey);
  await server.db.pool.query(`insert into api_keys (name, plan, key_hash) select 'Ada', 'free', unnest($1::bytea[])`, [
    valid.map(hashKey),
  ]);
  const findAll = (keys: string[]) => Promise.all(keys.map((key) => apiKeys.find(key)));
  await findAll(valid);
  await findAll(Array.from({ length: 1_000 }, createKey));
  const [found, statements] = await counted(() => findAll(valid));
  expect([found.filter(Boolean).length, statements]).toEqual([10_000, 0]);
});

test('the nine seconds of a key begin before it is looked up', async () => {
  let now = 60_000;
  const apiKeys = apiKeysOf(server.db, () => now);
  const { id, key } = await insertApiKey(server.db, { name: 'Ada', plan: 'free' });
  const found = apiKeys.find(key);
  now += 8_000;
  await found;
  await revokeApiKey(server.db, id);
  now += 1_001;
  expect(await apiKeys.find(key)).toBeUndefined();
});

test('concurrent lookups of any keys are two statements, of a half each', async () => {
  const apiKeys = apiKeysOf(server.db, Date.now);
  const issued = await Promise.all([1, 2, 3].map((n) => insertApiKey(server.db, { name: `${n}`, plan: 'free' })));
  const unknown = Array.from({ length: 30 }, createKey);
  const keys = [...issued.map(({ key }) => key), ...unknown, ...issued.map(({ key }) => key)];
  const [found, statements] = await counted(() => Promise.all(keys.map((key) => apiKeys.find(key))));
  const ids = issued.map(({ id }) => id);
  expect(found.map((apiKey) => apiKey?.id)).toEqual([...ids, ...unknown.map(() => undefined), ...ids]);
  expect(statements).toBe(2);
});

test('a key in use is looked up once in the second half of its time, while it is answered from memory', async () => {
  let now = Date.now();
  const apiKeys = apiKeysOf(server.db, () => now);
  const { id, key } = await insertApiKey(server.db, { name: 'Ada', plan: 'free' });
  const apiKey = await apiKeys.find(key);
  for (const isRevoked of [false, true]) {
    if (isRevoked) await revokeApiKey(server.db, id);
    now += 4_500;
    const before = connects.mock.calls.length;
    for (let times = 0; times < 3; times++) expect(apiKeys.find(key)).toEqual(apiKey);
    await expect.poll(() => connects.mock.calls.length - before).toBe(1);
    if (!isRevoked) await expect.poll(() => apiKeys.find(key)).toEqual(apiKey);
  }
  // A revoked key that is in use is refused after half of its time.
  await expect.poll(() => apiKeys.find(key)).toBeUndefined();
});

test('a key is recognizable, fit for a header, unique and stored as its SHA-256', () => {
  const keys = Array.from({ length: 1_000 }, createKey);
  expect(new Set(keys).size).toBe(1_000);
  for (const key of keys) {
    expect([key, isWellFormed(key)]).toEqual([expect.stringMatching(/^bookstore_[\w-]{48}$/), true]);
    expect(hashKey(key)).toEqual(createHash('sha256').update(key).digest());
  }
});
