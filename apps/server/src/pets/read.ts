import { sql } from 'kysely';
import { list } from '../api/pages.ts';
import { Batcher } from '../batcher.ts';
import { pagesByBlock, rowsById } from '../citus/blocks.ts';
import { query, type ReadHandle } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import type { GetPetRequest, JsonText, Pet } from '../generated/operations.ts';
import { petJson } from './pet.ts';

export const listPets = list('listPets', {
  from: 'pets',
  order: 'id',
  item: petJson,
  filters: { status: 'text' },
  where: ({ query: { status } }) => ({ status }),
  // Of the previous version.
  cursor: 'after',
  onCitus: pagesByBlock,
});

const selectPets = query<{ ids: number[] }, { id: number; pet: JsonText<Pet> }>(
  'select_pets_by_id',
  (value, table) =>
    sql`select id, ${petJson('pets')} as pet from ${table('pets')} as pets where id = any(${value('ids')}::bigint[])`,
);

/** Concurrent requests share a statement. */
export const getPet = (db: ReadHandle) => {
  const pets = new Batcher(async (ids: number[]) => {
    const rows = await rowsById(db, ids, selectPets);
    const found = new Map(rows.map(({ id, pet }) => [id, pet]));
    return ids.map((id) => found.get(id));
  });
  return ({ path: { petId } }: GetPetRequest) =>
    pets.submit(petId).then((body) => {
      if (!body) throw new ApiError(404, `There is no animal ${petId}`);
      return { status: 200 as const, body };
    });
};
