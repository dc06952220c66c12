import { sql } from 'kysely';
import { Batcher } from '../batcher.ts';
import { isDatabaseUnavailable } from '../database/errors.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { statement } from '../database/statement.ts';
import { type Plan, plans } from '../generated/plans.ts';
import { createKey, hashKey, isWellFormed } from './format.ts';

/** Who a valid key belongs to, and what it may do. */
export interface ApiKey {
  id: number;
  name: string;
  plan: Plan;
  limits: { perMinute: number; perDay: number };
}

/** How long in milliseconds a key is believed after it was read: a revocation holds everywhere after that. */
const CACHE_TIME = 5_000;

/** Milliseconds after which a request that has waited in vain for its key gives up, rather than wait for its operation, too. */
const SLOW = 1_000;

/** Keys remembered at most. */
const CACHE_SIZE = 10_000;

/** Finds valid keys, reading each from the database at most once per `CACHE_TIME`. */
export class ApiKeys {
  readonly #cache = new Map<string, { apiKey: ApiKey; expires: number }>();
  /** All that are looked up at the same time, made-up ones included, take one connection. */
  readonly #lookups: Batcher<string, Awaited<ReturnType<typeof selectApiKeysByHash>>[number]>;
  readonly #now: () => number;

  /** @param now - milliseconds in even steps; default: `performance.now` */
  constructor(db: DatabaseHandle, now = () => performance.now()) {
    this.#lookups = new Batcher((keys) => selectApiKeysByHash(db, keys.map(hashKey)), { keyOf: (key) => key });
    this.#now = now;
  }

  async find(key: string): Promise<ApiKey | undefined> {
    const cached = this.#cache.get(key);
    if (cached && cached.expires > this.#now()) return cached.apiKey;
    if (!isWellFormed(key)) return undefined;
    // From before the query: what it reads is at least this new.
    const expires = this.#now() + CACHE_TIME;
    const started = performance.now();
    try {
      const row = await this.#lookups.submit(key);
      this.#cache.delete(key);
      if (!row) return undefined;
      const apiKey = { id: row.id, name: row.name, plan: row.plan, limits: limitsOf(row) };
      this.#remember(key, { apiKey, expires });
      return apiKey;
    } catch (error) {
      // Nobody revokes a key in a database that is away. Its operations fail, but counted under its own limits.
      const soon = performance.now() - started < SLOW;
      if (cached && soon && isDatabaseUnavailable(error)) return cached.apiKey;
      throw error;
    }
  }

  #remember(key: string, entry: { apiKey: ApiKey; expires: number }): void {
    // A Map keeps insertion order, and all entries live equally long: the first is the oldest.
    const oldest = this.#cache.keys().next();
    if (this.#cache.size >= CACHE_SIZE && !oldest.done) this.#cache.delete(oldest.value);
    this.#cache.set(key, entry);
  }
}

function limitsOf(row: { plan: Plan; per_minute: number | null; per_day: number | null }): ApiKey['limits'] {
  const { perMinute, perDay } = plans[row.plan];
  // 0: a key without a number may do nothing, rather than everything.
  return { perMinute: perMinute ?? row.per_minute ?? 0, perDay: perDay ?? row.per_day ?? 0 };
}

export interface NewApiKey {
  name: string;
  plan: Plan;
  /** Requests per minute and day, when the plan does not say. */
  perMinute?: number | undefined;
  perDay?: number | undefined;
}

const COLUMNS = ['id', 'name', 'plan', 'per_minute', 'per_day', 'created_at', 'revoked_at'] as const;

/** Issues a key. Only here it is known; the database keeps its hash. */
export async function insertApiKey(db: DatabaseHandle, { name, plan, perMinute, perDay }: NewApiKey) {
  const key = createKey();
  const { id } = await db.kysely
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

export function selectApiKeys(db: DatabaseHandle) {
  return db.kysely.selectFrom('api_keys').select(COLUMNS).orderBy('id').execute();
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
async function selectApiKeysByHash(db: DatabaseHandle, hashes: Buffer[]): Promise<(KeyRow | undefined)[]> {
  const rows = await selectByHash(db.pool, { hashes });
  const found = new Map(rows.map((row) => [row.key_hash.toString('hex'), row]));
  return hashes.map((hash) => found.get(hash.toString('hex')));
}

/** @returns whether there is such a key; revoking it again changes nothing */
export async function revokeApiKey(db: DatabaseHandle, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db.kysely
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
