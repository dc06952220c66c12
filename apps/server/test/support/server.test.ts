import { expect, test } from 'vitest';
import { TestClock } from './clock.ts';
import { temporaryServer } from './server.ts';

test('two servers of a test have databases of their own, or share one with its clock', async () => {
  const clock = new TestClock(Date.UTC(2026, 10, 20, 12));
  const [one, other] = [await temporaryServer({ clock }), await temporaryServer()];
  const second = await temporaryServer({ clock, databaseUrl: one.databaseUrl });
  const { id } = await one.petstore.createPet({ name: 'Biscuit', categoryId: 7 });
  expect((await second.petstore.listPets()).map((pet) => pet.id)).toEqual([id]);
  expect(await other.petstore.listPets()).toEqual([]);

  const { key } = await one.createKey({ plan: 'enterprise', perMinute: 1, perDay: 10 });
  const statuses = () =>
    Promise.all(
      [one, second].map(async ({ request }) => {
        const { status } = await request('/v1/pets', { headers: { Authorization: `Bearer ${key}` } });
        return status;
      }),
    );
  expect((await statuses()).sort()).toEqual([200, 429]);
  await clock.pass(60_000);
  expect((await statuses()).sort()).toEqual([200, 429]);
});
