import { randomUUID } from 'node:crypto';
import { TestClock } from '@repo/server-runtime/testing';
import { countWaiting, withClient } from '@repo/testkit/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { creationEvent } from '../support/database.ts';
import { countAnimals, startServer, type TestServer } from '../support/server.ts';

const clock = new TestClock(Date.UTC(2026, 10, 20, 12));
let server: TestServer;
let other: TestServer;

beforeAll(async () => {
  server = await startServer({ clock });
  other = await startServer({ databaseUrl: server.databaseUrl });
});

afterAll(async () => {
  await other.close();
  await server.close();
});

const biscuit = { name: 'Biscuit', categoryId: 7, status: 'available' };

function create(key: string, body: object = biscuit, { from = server, apiKey = server.apiKey } = {}) {
  return from.request('/v1/pets', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key, Authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  });
}

test('a repeated request gets the same response and adds nothing', async () => {
  const key = randomUUID();
  const before = await countAnimals(server);
  const first = await create(key, { categoryId: 7, status: 'available', name: 'Biscuit' });
  expect(first.status).toBe(201);
  const text = await first.text();
  // Other key order, quoted idempotency key, other server.
  for (const repetition of [
    create(key),
    create(key, { status: 'available', categoryId: 7, name: 'Biscuit' }),
    create(`"${key}"`),
    create(key, biscuit, { from: other }),
  ]) {
    const response = await repetition;
    expect([response.status, await response.text()]).toEqual([201, text]);
  }
  expect(await countAnimals(server)).toBe(before + 1);
});

test('an omitted status stays absent in the stored response', async () => {
  const key = randomUUID();
  for (let i = 0; i < 2; i++) {
    expect(await (await create(key, { name: 'Olive', categoryId: 2 })).json()).toEqual({
      ...{ id: expect.any(Number), name: 'Olive', categoryId: 2 },
    });
  }
});

test('the same key with another body is refused and stores nothing', async () => {
  const key = randomUUID();
  await create(key);
  const before = await countAnimals(server);
  for (const body of [
    { ...biscuit, name: 'Olive' },
    { ...biscuit, categoryId: 8 },
    { name: 'Biscuit', categoryId: 7 },
  ]) {
    const response = await create(key, body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: 'idempotency_key_reused' });
  }
  expect(await countAnimals(server)).toBe(before);
});

test('another API key with the same idempotency key is another request', async () => {
  const key = randomUUID();
  const before = await countAnimals(server);
  const { key: apiKey } = await server.createKey();
  await create(key);
  await create(key, biscuit, { apiKey });
  expect(await countAnimals(server)).toBe(before + 2);
});

test('409 while the first is running, then its response', async () => {
  const key = randomUUID();
  const before = await countAnimals(server);
  await withClient(server.databaseUrl, async (client) => {
    // Blocks the first request in the middle of its statement.
    await client.query(`
      create function wait() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(42); return new; end';
      create trigger wait before ${creationEvent()} for each row execute function wait();
      select pg_advisory_lock(42)`);
    const first = create(key);
    await expect.poll(() => countWaiting(client)).toBe(1);
    const second = await create(key, biscuit, { from: other });
    expect(second.status).toBe(409);
    expect(second.headers.get('Retry-After')).toBe('1');
    expect(await second.json()).toMatchObject({ code: 'idempotency_key_in_use' });
    await client.query('select pg_advisory_unlock(42)');
    expect((await first).status).toBe(201);
    await client.query('drop function wait cascade');
  });
  expect((await create(key)).status).toBe(201);
  expect(await countAnimals(server)).toBe(before + 1);
});

test('at once on one server: the same body gets the same response, another body 422', async () => {
  for (let run = 0; run < 10; run++) {
    const key = randomUUID();
    const before = await countAnimals(server);
    const bodies = [biscuit, biscuit, biscuit, { ...biscuit, name: 'Rex' }];
    const responses = await Promise.all(bodies.map((body) => create(key, body)));
    const created = responses.filter(({ status }) => status === 201);
    expect(new Set(await Promise.all(created.map((response) => response.text()))).size).toBe(1);
    // Either body may be the first.
    expect(responses.map(({ status }) => status)).toEqual(
      responses[3]?.status === 422 ? [201, 201, 201, 422] : [422, 422, 422, 201],
    );
    expect(await countAnimals(server)).toBe(before + 1);
  }
});

test('two servers with the same key at once add one animal', async () => {
  for (let run = 0; run < 30; run++) {
    const key = randomUUID();
    const before = await countAnimals(server);
    const requests = Array.from({ length: 10 }, (_, index) =>
      create(key, biscuit, { from: index % 2 ? server : other }),
    );
    const responses = await Promise.all(requests);
    const statuses = new Set(responses.map(({ status }) => status));
    expect(statuses).toContain(201);
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const created = responses.filter(({ status }) => status === 201);
    expect(new Set(await Promise.all(created.map((response) => response.text()))).size).toBe(1);
    expect(await countAnimals(server)).toBe(before + 1);
  }
});

test('a key expires after 24 hours', async () => {
  const key = randomUUID();
  const before = await countAnimals(server);
  await create(key);
  await clock.pass(86_400_000 - 1);
  expect((await create(key, { ...biscuit, name: 'Olive' })).status).toBe(422);
  await clock.pass(1);
  expect((await create(key, { ...biscuit, name: 'Olive' })).status).toBe(201);
  expect(await countAnimals(server)).toBe(before + 2);
});

test('a creation for an API key that was deleted by SQL fails, and stores nothing', async () => {
  const { id, key: apiKey } = await server.createKey();
  await create(randomUUID(), biscuit, { apiKey });
  const before = await countAnimals(server);
  await server.db.pool.query('delete from idempotency_keys where api_key_id = $1', [id]);
  await server.db.pool.query('delete from api_keys where id = $1', [id]);
  expect((await create(randomUUID(), biscuit, { apiKey })).status).toBe(500);
  expect(await countAnimals(server)).toBe(before);
});
