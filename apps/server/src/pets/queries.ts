import type { Kysely } from 'kysely';
import type { Database, PetRow } from '../database/schema.ts';
import type { NewPet, Pet, PetStatus } from '../generated/operations.ts';

const COLUMNS = ['id', 'name', 'category_id', 'status'] as const;

/** Up to `limit` animals with an `id` above `after`, ascending. */
export async function selectPets(
  db: Kysely<Database>,
  { limit, status, after }: { limit: number; status?: PetStatus | undefined; after?: number | undefined },
): Promise<Pet[]> {
  let query = db.selectFrom('pets').select(COLUMNS);
  if (status !== undefined) query = query.where('status', '=', status).orderBy('status');
  if (after !== undefined) query = query.where('id', '>', after);
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map(toPet);
}

export async function selectPet(db: Kysely<Database>, id: number): Promise<Pet | undefined> {
  const row = await db.selectFrom('pets').select(COLUMNS).where('id', '=', id).executeTakeFirst();
  return row && toPet(row);
}

export async function insertPet(db: Kysely<Database>, { name, categoryId, status }: NewPet): Promise<Pet> {
  const row = await db
    .insertInto('pets')
    .values({ name, category_id: categoryId, status: status ?? null })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return toPet(row);
}

/** A status that was not given stays absent. */
function toPet({ id, name, category_id: categoryId, status }: PetRow): Pet {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status };
}
