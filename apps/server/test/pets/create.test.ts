import { TestClock } from '@petstore-platform/server-runtime/testing';
import { expect, test } from 'vitest';
import { countAnimals, temporaryServer } from '../support/server.ts';

test('an API key that was deleted by SQL creates nothing once its time in the cache has passed, as a revoked one', async () => {
  const clock = new TestClock(Date.UTC(2026, 10, 20, 12));
  const server = await temporaryServer({ clock });
  const { id, key: apiKey } = await server.createKey();
  const create = (key: string) => server.call('POST', '/pets', { name: 'Biscuit', categoryId: 7 }, key, apiKey);
  expect((await create('first')).status).toBe(201);
  await server.db.pool.query('delete from api_keys where id = $1', [id]);
  await clock.pass(10_000);
  expect((await create('second')).status).toBe(401);
  expect(await countAnimals(server)).toBe(1);
});
