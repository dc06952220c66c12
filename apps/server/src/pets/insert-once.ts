import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../database/schema.ts';
import type { NewPet, Pet } from '../generated/operations.ts';

/** Which request of whom: the same key of another API key is another request. */
export interface IdempotencyKey {
  apiKeyId: number;
  key: string;
  /** Unix time in milliseconds. */
  now: number;
}

export type InsertedOnce =
  /** `pet` is the answer, of this request or of the one that it repeats. */
  | { outcome: 'answered'; pet: Pet }
  /** The first request with this key is still being carried out. */
  | { outcome: 'in use' }
  /** The key was used with another body. */
  | { outcome: 'reused' };

/** How long in milliseconds a key is remembered. */
const RETENTION = 86_400_000;

const UNIQUE_VIOLATION = '23505';

interface Row {
  locked: boolean;
  /** Null: the key is not known. */
  known: { same: boolean; expired: boolean; answer: Pet } | null;
  answer: Pet | null;
}

/**
 * Adds an animal once, however often and on however many servers the request is made: the animal and its answer are
 * stored by the same statement, under a lock on the key.
 */
export async function insertPetOnce(db: Kysely<Database>, newPet: NewPet, id: IdempotencyKey): Promise<InsertedOnce> {
  try {
    return await attempt(db, newPet, id);
  } catch (error) {
    // The first request ended between this one's snapshot and its lock. Nothing was stored here; now its answer is seen.
    if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return attempt(db, newPet, id);
    throw error;
  }
}

async function attempt(db: Kysely<Database>, newPet: NewPet, id: IdempotencyKey): Promise<InsertedOnce> {
  const { name, categoryId, status } = newPet;
  const { apiKeyId, key, now } = id;
  const fingerprint = hash('sha256', JSON.stringify([name, categoryId, status]), 'buffer');
  const { rows } = await sql<Row>`
    with attempt as materialized (
      select pg_try_advisory_xact_lock(hashtextextended(${`${apiKeyId}:${key}`}, 0)) as locked
    ), known as materialized (
      select json_build_object(
        'same', fingerprint = ${fingerprint}, 'expired', created_at <= ${expiry(now)}, 'answer', answer) as known
      from idempotency_keys where api_key_id = ${apiKeyId} and key = ${key}
    ), pet as (
      insert into pets (name, category_id, status)
      select ${name}, ${categoryId}::bigint, ${status ?? null}
      from attempt where locked and not exists (select from known)
      returning id, name, category_id, status
    ), answer as materialized (
      select json_strip_nulls(json_build_object(
        'id', id, 'name', name, 'categoryId', category_id, 'status', status)) as answer
      from pet
    ), remembered as (
      insert into idempotency_keys (api_key_id, key, fingerprint, answer, created_at)
      select ${apiKeyId}::bigint, ${key}, ${fingerprint}::bytea, answer, ${new Date(now)}::timestamptz from answer
    )
    select locked, known, answer from attempt left join known on true left join answer on true`.execute(db);
  const { locked, known, answer } = rows[0] as Row;
  if (answer) return { outcome: 'answered', pet: answer };
  if (known?.expired) {
    await deleteExpiredKeys(db, now);
    return attempt(db, newPet, id);
  }
  if (known) return known.same ? { outcome: 'answered', pet: known.answer } : { outcome: 'reused' };
  if (!locked) return { outcome: 'in use' };
  throw new Error('An idempotent insert ended without an answer');
}

const expiry = (now: number) => new Date(now - RETENTION);

/** Forgets the keys that are no longer remembered. */
export async function deleteExpiredKeys(db: Kysely<Database>, now: number): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<=', expiry(now)).execute();
}
