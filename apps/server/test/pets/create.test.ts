import { expect, test } from 'vitest';
import { countAnimals, temporaryServer } from '../support/server.ts';

test('a creation for an API key that was deleted by SQL fails, and stores nothing', async () => {
  const server = await temporaryServer();
  const { id, key: apiKey } = await server.createKey();
  const create = (key: string) => server.call('POST', '/pets', { name: 'Biscuit', categoryId: 7 }, key, apiKey);
  expect((await create('first')).status).toBe(201);
  await server.db.pool.query('delete from idempotency_keys where api_key_id = $1', [id]);
  await server.db.pool.query('delete from api_keys where id = $1', [id]);
  expect((await create('second')).status).toBe(500);
  expect(await countAnimals(server)).toBe(1);
});
