import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { countAnimals, type TestServer, temporaryServer } from '../support/server.ts';

const create = (server: TestServer, body: object, apiKey = server.apiKey, key = randomUUID()) =>
  server.request('/v1/pets', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key, Authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  });

test('an omitted status stays absent in the stored response; fields in any order are the same request', async () => {
  const server = await temporaryServer();
  const key = randomUUID();
  for (const body of [
    { name: 'Olive', categoryId: 2 },
    { categoryId: 2, name: 'Olive' },
  ])
    expect(await (await create(server, body, server.apiKey, key)).json()).toEqual({
      id: 1,
      name: 'Olive',
      categoryId: 2,
    });
  expect((await create(server, { name: 'Olive', categoryId: 2, status: 'sold' }, server.apiKey, key)).status).toBe(422);
});

test('a creation for an API key that was deleted by SQL fails, and stores nothing', async () => {
  const server = await temporaryServer();
  const { id, key: apiKey } = await server.createKey();
  const biscuit = { name: 'Biscuit', categoryId: 7 };
  await create(server, biscuit, apiKey);
  await server.db.pool.query('delete from idempotency_keys where api_key_id = $1', [id]);
  await server.db.pool.query('delete from api_keys where id = $1', [id]);
  expect((await create(server, biscuit, apiKey)).status).toBe(500);
  expect(await countAnimals(server)).toBe(1);
});
