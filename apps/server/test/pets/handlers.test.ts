import type { Pet, PetStatus } from '@petstore/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cursorAfter, insertPets, newPet, statuses } from '../support/animals.ts';
import { rowsOf } from '../support/database.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();

const emptyStore = () => rowsOf(server.db, 'delete from pets');

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
    expect(await server.petstore.listPets({ limit: 1 })).toHaveLength(1);
    expect(await server.petstore.listPets({ limit: 100 })).toHaveLength(100);
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
          const pages = await walk({ limit, status });
          expect(pages.flat()).toEqual(matching);
          expect(pages).toHaveLength(Math.max(1, Math.ceil(matching.length / limit)));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('an animal added or removed during paging moves no other to another page', async () => {
    const animals = await insertAnimals(['sold', 'sold', 'sold', 'sold']);
    const page = await server.request('/v1/pets?limit=2');
    expect(await page.json()).toEqual(animals.slice(0, 2));
    await rowsOf(server.db, `delete from pets where name = '#1'`);
    const added = await server.petstore.createPet({ name: 'Late', categoryId: 1 });
    const rest = await server.request(nextLink(page) ?? '');
    expect(await rest.json()).toEqual(animals.slice(2));
    expect(await (await server.request(nextLink(rest) ?? '')).json()).toEqual([added]);
  });
});

/** Stores these animals only. Removes some and updates some, so that rows do not lie in the order of their ids. */
async function insertAnimals(stored: (PetStatus | null)[]): Promise<Pet[]> {
  await emptyStore();
  if (stored.length === 0) return [];
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

async function walk({ limit, status }: { limit: number; status: PetStatus | undefined }): Promise<Pet[][]> {
  const pages: Pet[][] = [];
  let next: string | undefined = `/v1/pets?limit=${limit}${status ? `&status=${status}` : ''}`;
  while (next) {
    const response: Response = await server.request(next);
    expect(response.status).toBe(200);
    pages.push((await response.json()) as Pet[]);
    next = nextLink(response);
  }
  return pages;
}

/** The target of `Link: <…>; rel="next"`, if any. */
function nextLink(response: Response): string | undefined {
  const link = response.headers.get('Link');
  if (link === null) return undefined;
  return /^<([^>]+)>; rel="next"$/.exec(link)?.[1] ?? expect.fail(`not a link to the next page: ${link}`);
}
