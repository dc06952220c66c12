import { hash } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import { isDatabaseUnavailable } from '../database/errors.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { statement } from '../database/statement.ts';
import { write } from '../database/write.ts';
import type { NewPet, Pet, PetStatus } from '../generated/operations.ts';

/** A request to add an animal. */
export interface PetCreation {
  newPet: NewPet;
  apiKeyId: number;
  /** Its Idempotency-Key: with it, the same request of the same API key is carried out once. */
  key?: string;
}

export type Created =
  /** `pet` is the answer, of this request or of the one that it repeats. */
  | { outcome: 'answered'; pet: Pet }
  /** The first request with this key is still being carried out. */
  | { outcome: 'in use' }
  /** The key was used with another body. */
  | { outcome: 'reused' };

/** A key is remembered for 24 hours, by the database's clock. */
const EXPIRED = sql<boolean>`created_at <= petstore_now() - interval '24 hours'`;

const UNIQUE_VIOLATION = '23505';

/**
 * Adds animals, all of them in one statement, and those with a key once, however often and on however many servers the
 * request is made: the animal and its answer are stored together, under a lock on the key.
 *
 * Ids become visible in ascending order, so that no animal appears behind the cursor of a walk: from before the statement
 * draws its first id until its commit, no other server draws any. It takes the locks on keys before it waits for this one:
 * otherwise a key that was stored during the wait would be missing from the statement's snapshot.
 *
 * A member that the database refuses takes none of the others with it: nothing of the statement was stored then, and each
 * member gets one of its own.
 *
 * @param creations - no two of them with the same key of the same API key
 * @throws OutcomeUnknown when the connection is lost while the statement runs
 */
export async function createPets(
  db: DatabaseHandle,
  creations: PetCreation[],
): Promise<(Created | Promise<Created>)[]> {
  try {
    return await attempt(db, creations);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isDatabaseUnavailable(error)) throw error;
    return creations.map((creation) => createPet(db, creation));
  }
}

/** For each creation, in their order. */
interface Row {
  locked: boolean;
  /** Of the request that was the first with this key, as are the next two; null: there is none. */
  same: boolean | null;
  expired: boolean | null;
  answer: Pet | null;
  /** Null: not added. */
  id: number | null;
}

interface Values {
  names: string[];
  categoryIds: number[];
  statuses: (PetStatus | undefined)[];
  apiKeyIds: number[];
  keys: (string | undefined)[];
  fingerprints: (Buffer | undefined)[];
}

const insertPets = statement<Values, Row>(
  'insert_pets',
  (value) => sql`
    with creation as materialized (
      select * from unnest(
        ${value('names')}::text[], ${value('categoryIds')}::bigint[],
        ${value('statuses')}::text[], ${value('apiKeyIds')}::bigint[],
        ${value('keys')}::text[], ${value('fingerprints')}::bytea[]
      ) with ordinality as creation (name, category_id, status, api_key_id, key, fingerprint, position)
    ), attempt as materialized (
      select position,
        key is null or pg_try_advisory_xact_lock(hashtextextended(api_key_id || ':' || key, 0)) as locked
      from creation
    ), known as materialized (
      select position, answer, first.fingerprint = creation.fingerprint as same,
        ${EXPIRED} as expired
      from creation join idempotency_keys as first using (api_key_id, key)
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
    ), remembered as (
      insert into idempotency_keys (api_key_id, key, fingerprint, answer, created_at)
      select api_key_id, key, fingerprint, json_strip_nulls(json_build_object(
        'id', id, 'name', name, 'categoryId', category_id, 'status', status)), petstore_now()
      from numbered where key is not null
    )
    select locked, same, expired, answer, id
    from attempt left join known using (position) left join numbered using (position)
    order by position`,
);

async function attempt(db: DatabaseHandle, creations: PetCreation[]): Promise<(Created | Promise<Created>)[]> {
  const values: Values = {
    names: creations.map(({ newPet }) => newPet.name),
    categoryIds: creations.map(({ newPet }) => newPet.categoryId),
    statuses: creations.map(({ newPet }) => newPet.status),
    apiKeyIds: creations.map(({ apiKeyId }) => apiKeyId),
    keys: creations.map(({ key }) => key),
    fingerprints: creations.map(fingerprintOf),
  };
  const rows = await write(db, (connection) => insertPets(connection, values));
  return rows.map((row, index) => {
    const creation = creations[index] as PetCreation;
    return row.expired ? createAnew(db, creation) : outcomeOf(row, creation);
  });
}

/** Like {@link createPet}, with a key that is there from a request too long ago. */
async function createAnew(db: DatabaseHandle, creation: PetCreation): Promise<Created> {
  const { apiKeyId, key = '' } = creation;
  await db.kysely
    .deleteFrom('idempotency_keys')
    .where('api_key_id', '=', apiKeyId)
    .where('key', '=', key)
    .where(EXPIRED)
    .execute();
  return createPet(db, creation);
}

/** Like {@link createPets}, for one. */
export async function createPet(db: DatabaseHandle, creation: PetCreation): Promise<Created> {
  const alone = () => attempt(db, [creation]);
  const [created] = await alone().catch((error) => {
    // The first request ended between this one's snapshot and its lock. Nothing was stored here; now its answer is seen.
    if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return alone();
    throw error;
  });
  return created as Created;
}

function outcomeOf({ locked, same, answer, id }: Row, { newPet }: PetCreation): Created {
  // Its fields in the order of the stored answer, whatever that of the request was.
  const { name, categoryId, status } = newPet;
  if (id !== null) return { outcome: 'answered', pet: { id, name, categoryId, ...(status && { status }) } };
  if (answer) return same ? { outcome: 'answered', pet: answer } : { outcome: 'reused' };
  if (!locked) return { outcome: 'in use' };
  throw new Error('A creation ended without an answer');
}

/** What the request with a key was, for the next one with the same key to be compared with. */
function fingerprintOf({ newPet: { name, categoryId, status }, key }: PetCreation): Buffer | undefined {
  return key === undefined ? undefined : hash('sha256', JSON.stringify([name, categoryId, status]), 'buffer');
}

/** Forgets the keys that are no longer remembered. */
export function deleteExpiredKeys(db: DatabaseHandle): Promise<void> {
  return deleteInBatches(db, 'idempotency_keys', EXPIRED);
}
