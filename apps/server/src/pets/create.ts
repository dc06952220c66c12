import { hash } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { isDatabaseUnavailable } from '../database/errors.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { statement } from '../database/statement.ts';
import { write } from '../database/write.ts';
import type { NewPet, Pet } from '../generated/operations.ts';

/** A request to add a pet. */
export interface PetCreation {
  newPet: NewPet;
  apiKeyId: number;
  /** Its idempotency key, unique for an API key. A repetition adds nothing. */
  key?: string;
}

export type Created =
  /** `pet` is the response to this request, or to the one that it repeats. */
  | { outcome: 'answered'; pet: Pet }
  /** The first request with this key is still in progress. */
  | { outcome: 'in use' }
  /** The first request with this key had another body. */
  | { outcome: 'reused' };

/** Idempotency keys are kept for 24 hours. */
export const EXPIRED = sql<boolean>`created_at <= petstore_now() - interval '24 hours'`;

/**
 * Adds pets in one statement. A pet and its idempotency key are stored together, under a lock on the key, so that a
 * repetition adds nothing on any server.
 *
 * Ids become visible in ascending order, so that no pet appears behind the cursor of a walk: a lock is held from before the
 * first id is drawn until the commit. The locks on keys come first: otherwise a key that was stored while the statement
 * waited would be missing from its snapshot.
 *
 * A pet that Postgres rejects fails alone: the statement has stored nothing, and each pet gets its own statement.
 *
 * @param creations - no two of them with the same key of the same API key
 * @throws OutcomeUnknown when the connection is lost while the statement runs
 */
export async function createPets(
  db: DatabaseHandle,
  creations: PetCreation[],
): Promise<(Created | Promise<Created>)[]> {
  try {
    return await insert(db, creations);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isDatabaseUnavailable(error)) throw error;
    // A duplicate key: the first request with it ended between snapshot and lock. Its response is visible now.
    if (creations.length === 1 && error.constraint !== 'idempotency_keys_pkey') throw error;
    return creations.map((creation) => createPet(db, creation));
  }
}

/** Like {@link createPets}, for one. */
export async function createPet(db: DatabaseHandle, creation: PetCreation): Promise<Created> {
  const [created] = await createPets(db, [creation]);
  return created as Created | Promise<Created>;
}

/** One for each creation, in their order. */
interface Row {
  /** Null: not added. */
  id: number | null;
  locked: boolean;
  /** The answer to the first request with this key; null when there was none. */
  answer: Pet | null;
  /** Whether that request had the same body. */
  same: boolean | null;
}

const insertPets = statement<{ creations: string }, Row>(
  'insert_pets',
  (value) => sql`
    with creation as materialized (
      select * from rows from (json_to_recordset(${value('creations')}::json) as
        (name text, "categoryId" bigint, status text, "apiKeyId" bigint, key text, fingerprint text)
      ) with ordinality as creation (name, category_id, status, api_key_id, key, fingerprint, position)
    ), attempt as materialized (
      select position,
        key is null or pg_try_advisory_xact_lock(hashtextextended(api_key_id || ':' || key, 0)) as locked
      from creation
    ), first as materialized (
      -- The limit has keys looked up one by one: a plan from when the table was small would read all of it.
      select position, first.* from creation, lateral (
        select answer, fingerprint = decode(creation.fingerprint, 'hex') as same, ${EXPIRED} as expired, ctid as place
        from idempotency_keys where (api_key_id, key) = (creation.api_key_id, creation.key) limit 1
      ) as first
    ), known as materialized (
      select position, answer, same from first where not expired
    ), new as materialized (
      select position from attempt where locked and position not in (select position from known)
    ), turn as materialized (
      select pg_advisory_xact_lock('pets'::regclass::oid::integer, 0)
      from (select count(*) from new) as new where count > 0
    ), numbered as materialized (
      select nextval('pets_id_seq') as id, creation.*
      from turn cross join creation join new using (position)
      order by position
    ), added as (
      insert into pets (id, name, category_id, status) overriding system value
      select id, name, category_id, status from numbered
    ), forgotten as (
      delete from idempotency_keys where ctid = any(array(
        select place from first join new using (position) where expired)) returning key
    ), remembered as (
      insert into idempotency_keys (api_key_id, key, fingerprint, answer, created_at)
      select api_key_id, key, decode(fingerprint, 'hex'), json_strip_nulls(json_build_object(
        'id', id, 'name', name, 'categoryId', category_id, 'status', status)), petstore_now()
      -- The count has expired keys deleted before they are stored anew.
      from numbered where key is not null and (select count(*) from forgotten) >= 0
    )
    select id, locked, answer, same
    from attempt left join known using (position) left join numbered using (position)
    order by position`,
);

async function insert(db: DatabaseHandle, creations: PetCreation[]): Promise<Created[]> {
  const rows = creations.map(({ newPet, ...of }) => ({
    ...newPet,
    ...of,
    fingerprint: of.key && fingerprintOf(newPet),
  }));
  const results = await write(db, (connection) => insertPets(connection, { creations: JSON.stringify(rows) }));
  return results.map((row, index) => outcomeOf(row, creations[index] as PetCreation));
}

function outcomeOf({ id, locked, answer, same }: Row, { newPet }: PetCreation): Created {
  // The fields in the order of the stored response.
  const { name, categoryId, status } = newPet;
  if (id !== null) return { outcome: 'answered', pet: { id, name, categoryId, ...(status && { status }) } };
  if (answer) return same ? { outcome: 'answered', pet: answer } : { outcome: 'reused' };
  if (!locked) return { outcome: 'in use' };
  throw new Error('A creation ended without an answer');
}

/** Identifies a body: a repetition must have the same one. */
function fingerprintOf({ name, categoryId, status }: NewPet): string {
  return hash('sha256', JSON.stringify([name, categoryId, status]));
}
