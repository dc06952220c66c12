import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { isDatabaseUnavailable, OutcomeUnknown } from '../database/errors.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { statement, write } from '../database/statement.ts';
import type { NewPet, Pet } from '../generated/operations.ts';

/** A request to add a pet. */
export interface PetCreation {
  newPet: NewPet;
  apiKeyId: number;
  /** Its idempotency key, unique for an API key. A repetition adds nothing. */
  key?: string | undefined;
  /** Required with a key. */
  fingerprint?: string | undefined;
}

/** The response to the first request with an idempotency key, and that request's fingerprint. */
export interface Created {
  pet: Pet;
  fingerprint?: string | undefined;
}

/**
 * Pets in a statement, at most, each with a lock on its key. Postgres has room for 64 locks per connection, of which a server has
 * twelve; when they are used up, statements of all its users fail.
 */
export const MAX_CREATIONS = 128;

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
 * @param creations - no two of them with the same key of the same API key
 * @returns undefined where the first request with the key is still in progress
 * @throws OutcomeUnknown when the connection is lost while the statement runs
 */
export async function createPets(db: DatabaseHandle, creations: PetCreation[]): Promise<(Created | undefined)[]> {
  const values = JSON.stringify(creations.map(({ newPet, ...of }) => ({ ...newPet, ...of })));
  try {
    const rows = await (db.shards
      ? insertIntoShards(db, db.shards, creations, values)
      : write(db, (connection) => insertPets(connection, { creations: values })));
    return creations.map(({ newPet: { name, categoryId, status }, fingerprint }, index) => {
      const { id, answer, fingerprint: first } = rows[index] as Row;
      // The fields in the order of the stored response.
      if (id !== null) return { pet: { id, name, categoryId, ...(status && { status }) }, fingerprint };
      return answer ? { pet: answer, fingerprint: first ?? undefined } : undefined;
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isDatabaseUnavailable(error)) throw error;
    // Rows of an unfinished creation have the ids. The lock waits for the others.
    if (db.shards && error.code === '23505') {
      const room = 'delete from pets where id > (select last from pets_visible)';
      await db.pool.query(`lock table pets_visible in exclusive mode; ${room}`);
      return createPets(db, creations);
    }
    // A repetition: the first request with the key ended between snapshot and lock. Its response is visible now.
    if (creations.length === 1 && error.column === 'created_at') return createPets(db, creations);
    throw error;
  }
}

/** One for each creation, in their order. */
interface Row {
  /** Null: not added. */
  id: number | null;
  /** The answer to the first request with this key, and its fingerprint; null when there was none. */
  answer: Pet | null;
  fingerprint: string | null;
}

/** @param turn - makes creations wait for each other */
const addPets = (name: string, turn: RawBuilder<unknown>, id: RawBuilder<unknown>, added: RawBuilder<unknown>) =>
  statement<{ creations: string }, Row>(
    name,
    (value) => sql`
    with creation as materialized (
      select * from rows from (json_to_recordset(${value('creations')}::json) as
        (name text, "categoryId" bigint, status text, "apiKeyId" bigint, key text, fingerprint text)
      ) with ordinality as creation (name, category_id, status, api_key_id, key, fingerprint, position)
    ), known as materialized (
      -- The limit has keys looked up one by one: a plan from when the table was small would read all of it.
      select position, answer, first.fingerprint from creation, lateral (
        select answer, encode(fingerprint, 'hex') as fingerprint, ${EXPIRED} as expired
        from idempotency_keys where (api_key_id, key) = (creation.api_key_id, creation.key) limit 1
      ) as first where not expired
    ), new as materialized (
      select position from creation where position not in (select position from known)
        and (key is null or pg_try_advisory_xact_lock(hashtextextended(api_key_id || ':' || key, 0)))
    ), turn as materialized (
      ${turn}
    ), numbered as materialized (
      select ${id} as id, creation.*
      from turn cross join creation join new using (position)
      order by position
    ), added as (
      ${added}
    ), remembered as (
      insert into idempotency_keys as stored (api_key_id, key, fingerprint, answer, created_at)
      select api_key_id, key, decode(fingerprint, 'hex'), json_strip_nulls(json_build_object(
        'id', id, 'name', name, 'categoryId', category_id, 'status', status)), petstore_now()
      from numbered where key is not null
      -- Replaces an expired key. Otherwise the time is null, which fails: a repetition must not add a pet.
      on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint, answer = excluded.answer,
        created_at = case when stored.${EXPIRED} then excluded.created_at end
    )
    select id, answer, known.fingerprint
    from creation left join known using (position) left join numbered using (position)
    order by position`,
  );

const insertPets = addPets(
  'insert_pets',
  sql`select pg_advisory_xact_lock('pets'::regclass::oid::integer, 0)
      from (select count(*) from new) as new where count > 0`,
  sql`nextval('pets_id_seq')`,
  sql`insert into pets (id, name, category_id, status) overriding system value
      select id, name, category_id, status from numbered`,
);

/** The lock on the only row of `pets_visible` lasts until the commit. */
const numberPets = addPets(
  'number_pets',
  sql`update pets_visible set last = last + count from (select count(*) from new) as new where count > 0
      returning last - count as before`,
  sql`before + row_number() over (order by position)`,
  sql`select`,
);

/**
 * Adds pets on Citus, where a commit reaches one node after the other. While this transaction is open, another connection commits
 * their rows. Then the commit, on the coordinator alone, makes them visible: reads go no further than `pets_visible`.
 *
 * Rows of a creation that did not get that far stay invisible. Their ids are given again, and the primary key refuses them until
 * they are deleted, even if Citus commits them later.
 */
function insertIntoShards(db: DatabaseHandle, { kysely }: DatabaseHandle, creations: PetCreation[], values: string) {
  return write(db, async (connection) => {
    await connection.query('begin');
    const rows = await numberPets(connection, { creations: values });
    const pets = rows.flatMap(({ id }, index) => {
      const { name, categoryId, status = null } = (creations[index] as PetCreation).newPet;
      return id === null ? [] : sql`(${id}, ${name}, ${categoryId}, ${status})`;
    });
    if (pets.length > 0) {
      // Values: Citus copies the rows of any other source, which takes ten times as long.
      const columns = sql`(id, name, category_id, status) overriding system value`;
      await sql`insert into pets ${columns} values ${sql.join(pets)}`.execute(kysely);
      const ids = rows.map(({ id }) => id);
      const stored = await sql`select id from pets where id = any(${ids}::bigint[])`.execute(kysely);
      // Citus only warns of a node that has not committed.
      if (stored.rows.length < pets.length) throw new OutcomeUnknown('A node has not committed');
    }
    await connection.query('commit');
    return rows;
  });
}

/** Identifies a body: a repetition must have the same one. */
export function fingerprintOf({ name, categoryId, status }: NewPet): string {
  return hash('sha256', JSON.stringify([name, categoryId, status]));
}
