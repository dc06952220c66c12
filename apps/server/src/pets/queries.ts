import { sql } from 'kysely';
import type { DatabaseHandle } from '../database/open.ts';
import { statement } from '../database/statement.ts';
import type { Pet, PetStatus } from '../generated/operations.ts';

/** Which animals of the list, by ascending `id`. */
export interface PetsQuery {
  /** Animals at most. */
  limit: number;
  /** Default: any, or none. */
  status?: PetStatus | undefined;
  /** The `id` before the first of them. Default: from the beginning. */
  after?: number | undefined;
}

/** No animal is before it. */
const BEGINNING = Number.MIN_SAFE_INTEGER - 1;

/** What each of many queries finds, for the price of one statement. */
export async function selectPets(db: DatabaseHandle, queries: PetsQuery[]): Promise<Map<PetsQuery, Pet[]>> {
  const found = new Map<PetsQuery, Pet[]>();
  // An index walk of its own for each form. One without queries is not sent.
  const forms = [
    { walk: walkAll, queries: queries.filter(({ status }) => status === undefined) },
    { walk: walkStatus, queries: queries.filter(({ status }) => status !== undefined) },
  ].filter(({ queries }) => queries.length > 0);
  await Promise.all(
    forms.map(async ({ walk, queries }) => {
      const pages = await walk(db.pool, {
        statuses: queries.map(({ status }) => status),
        afters: queries.map(({ after = BEGINNING }) => after),
        limits: queries.map(({ limit }) => limit),
      });
      for (const { position, pets } of pages) found.set(queries[position - 1] as PetsQuery, pets.map(toPet));
    }),
  );
  return found;
}

interface Walks {
  statuses: (PetStatus | undefined)[];
  afters: number[];
  limits: number[];
}

interface Found {
  /** Of the query, from 1. */
  position: number;
  /** As JSON: that is read several times faster than rows. */
  pets: StoredPet[];
}

const walkAll = statement<Walks, Found>(
  'select_pets',
  (value) => sql`
    select position, pets
    from unnest(${value('afters')}::bigint[], ${value('limits')}::integer[]) with ordinality as query (after, max, position),
    lateral (
      select coalesce(json_agg(pet), '[]') as pets from (
        select id, name, category_id as "categoryId", status from pets where id > query.after order by id limit query.max
      ) as pet
    ) as page`,
);

/**
 * The range on both columns of the index, rather than `status = … and id > …`: so no statistics, however skewed, let
 * Postgres walk the primary key past all the animals of another status.
 */
const walkStatus = statement<Walks, Found>(
  'select_pets_by_status',
  (value) => sql`
    select position, pets
    from unnest(${value('statuses')}::text[], ${value('afters')}::bigint[], ${value('limits')}::integer[])
      with ordinality as query (status, after, max, position),
    lateral (
      select coalesce(json_agg(pet), '[]') as pets from (
        select id, name, category_id as "categoryId", pets.status from pets
        where (pets.status, id) > (query.status, query.after) and pets.status <= query.status
        order by pets.status, id limit query.max
      ) as pet
    ) as page`,
);

const selectById = statement<{ ids: number[] }, StoredPet>(
  'select_pets_by_id',
  (value) => sql`
    select id, name, category_id as "categoryId", status from pets where id = any(${value('ids')}::bigint[])`,
);

/** The animals with these ids, in their order; undefined for one that there is not. */
export async function selectPetsById(db: DatabaseHandle, ids: number[]): Promise<(Pet | undefined)[]> {
  const rows = await selectById(db.pool, { ids });
  const found = new Map(rows.map((row) => [row.id, toPet(row)]));
  return ids.map((id) => found.get(id));
}

type StoredPet = Omit<Pet, 'status'> & { status: PetStatus | null };

/** A status that was not given stays absent. */
function toPet({ id, name, categoryId, status }: StoredPet): Pet {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status };
}
