import type { Pet, PetStatus } from '@petstore/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cursorAfter, insertPets, newPet, statuses } from '../support/animals.ts';
import { rowsOf } from '../support/database.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();

test('createPet and getPet: any valid animal is returned as it was sent, with an id of its own, and read and listed identically', async () => {
  const ids = new Set<number>();
  await fc.assert(
    fc.asyncProperty(newPet, async (animal) => {
      const created = await server.petstore.createPet(animal);
      expect(created).toEqual({ id: expect.any(Number), ...animal });
      expect(await server.petstore.getPet({ petId: created.id })).toEqual(created);
      expect(await server.petstore.listPets({ limit: 1, cursor: cursorAfter(created.id - 1) })).toEqual([created]);
      expect(ids).not.toContain(created.id);
      ids.add(created.id);
    }),
  );
});

describe('listPets', () => {
  test('at most 20 by default, and up to 100', async () => {
    await insertAnimals(Array.from({ length: 110 }, () => 'available'));
    expect(await server.petstore.listPets()).toHaveLength(20);
    for (const limit of [1, 100]) expect(await server.petstore.listPets({ limit })).toHaveLength(limit);
  });

  test('paging with any limit and filter returns exactly the matching animals, by ascending id', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.constantFrom(...statuses)), { maxLength: 30 }),
        fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 100 })),
        fc.option(fc.constantFrom(...statuses), { nil: undefined }),
        async (stored, limit, status) => {
          const all = await insertAnimals(stored);
          const matching = all.filter((pet) => status === undefined || pet.status === status);
          const listed: Pet[] = [];
          for await (const pet of server.petstore.listPets({ limit, status })) listed.push(pet);
          expect(listed).toEqual(matching);
          // The last page may be full.
          const whole = server.petstore.listPets({ limit: Math.max(1, matching.length), status }).withResponse();
          expect(await whole).toMatchObject({ data: matching, nextCursor: undefined });
        },
      ),
      { numRuns: 50 },
    );
  });

  test('an animal added or removed during paging moves no other to another page', async () => {
    const animals = await insertAnimals(['sold', 'sold', 'sold', 'sold']);
    const listed: Pet[] = [];
    for await (const pet of server.petstore.listPets({ limit: 2 })) {
      listed.push(pet);
      if (listed.length !== 2) continue;
      await rowsOf(server.db, `delete from pets where name = '#1'`);
      animals.push(await server.petstore.createPet({ name: 'Late', categoryId: 1 }));
    }
    expect(listed).toEqual(animals);
  });
});

/** Stores these animals only. Removes some and updates some, so that rows do not lie in the order of their ids. */
async function insertAnimals(stored: (PetStatus | null)[]): Promise<Pet[]> {
  await rowsOf(server.db, 'delete from pets');
  const animals = stored.map((status, index) => ({ name: `#${index}`, categoryId: index, ...(status && { status }) }));
  await insertPets(server.db, animals);
  await rowsOf(server.db, `delete from pets where name in ('#4', '#7')`);
  await rowsOf(server.db, `update pets set name = 'moved' where name in ('#0', '#5')`);
  const rows = await rowsOf<Pet>(
    server.db,
    `select id, name, category_id as "categoryId", status from pets order by id`,
  );
  return rows.map(({ status, ...pet }) => ({ ...pet, ...(status && { status }) }));
}
