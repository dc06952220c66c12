import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../database/schema.ts';
import { statement } from '../database/statement.ts';
import type { Plan } from '../generated/plans.ts';
import { createKey, hashKey } from './format.ts';

export interface NewApiKey {
  name: string;
  plan: Plan;
  /** Requests per minute and day, when the plan does not say. */
  perMinute?: number | undefined;
  perDay?: number | undefined;
}

const COLUMNS = ['id', 'name', 'plan', 'per_minute', 'per_day', 'created_at', 'revoked_at'] as const;

/** Issues a key. Only here it is known; the database keeps its hash. */
export async function insertApiKey(db: Kysely<Database>, { name, plan, perMinute, perDay }: NewApiKey) {
  const key = createKey();
  const { id } = await db
    .insertInto('api_keys')
    .values({
      name,
      plan,
      per_minute: perMinute ?? null,
      per_day: perDay ?? null,
      key_hash: hashKey(key),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, key };
}

export function selectApiKeys(db: Kysely<Database>) {
  return db.selectFrom('api_keys').select(COLUMNS).orderBy('id').execute();
}

interface KeyRow {
  id: number;
  name: string;
  plan: Plan;
  per_minute: number | null;
  per_day: number | null;
  key_hash: Buffer;
}

const selectByHash = statement<{ hashes: Buffer[] }, KeyRow>(
  'select_api_keys_by_hash',
  (value) => sql`
    select id, name, plan, per_minute, per_day, key_hash from api_keys
    where key_hash = any(${value('hashes')}::bytea[]) and revoked_at is null`,
);

/** The keys with these hashes, in their order; undefined for one that there is not, or that was revoked. */
export async function selectApiKeysByHash(db: Kysely<Database>, hashes: Buffer[]): Promise<(KeyRow | undefined)[]> {
  const rows = await selectByHash(db, { hashes });
  const found = new Map(rows.map((row) => [row.key_hash.toString('hex'), row]));
  return hashes.map((hash) => found.get(hash.toString('hex')));
}

/** @returns whether there is such a key; revoking it again changes nothing */
export async function revokeApiKey(db: Kysely<Database>, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
