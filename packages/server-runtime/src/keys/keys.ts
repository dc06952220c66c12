import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { Batcher } from '../batcher.ts';
import type { PlanLimits } from '../contract.ts';
import type { ApiKeyTable, DatabaseHandle } from '../database/open.ts';
import { statement } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import type { Quota } from '../limits/usage.ts';
import { createKey, hashKey, isWellFormed } from './format.ts';

/** The part of a service that its keys need. */
export interface KeysOf {
  keyPrefix: string;
  contract: { plans: Readonly<Record<string, PlanLimits>> };
}

/** A valid key, with what its requests are counted for. */
export interface ApiKey {
  id: number;
  plan: string;
  quota: Quota;
}

/** Milliseconds for which a key is cached. A revocation takes effect everywhere after that. */
const CACHE_TIME = 5_000;

/** Keys cached at most. */
const CACHE_SIZE = 10_000;

/** Finds valid keys, reading each from the database at most once per `CACHE_TIME`. */
export class ApiKeys {
  /** Valid keys only: made-up ones evict none. */
  readonly #cache: LRUCache<string, ApiKey>;
  /** Concurrent look-ups share a statement. Ten thousand made-up keys per second take less than a tenth of a core of Postgres. */
  readonly #lookups: Batcher<string, KeyRow>;
  readonly #service: KeysOf;
  readonly #unknownPlans = new Set<string>();
  readonly #now: () => number;
  readonly #onUnknownPlan: (key: { keyId: number; plan: string }) => void;

  /**
   * @param now - monotonic clock in milliseconds; default: `performance.now`
   * @param onUnknownPlan - called once for each plan that this version does not know, with a key
   */
  constructor(
    service: KeysOf,
    db: DatabaseHandle,
    now = () => performance.now(),
    onUnknownPlan = (_key: object): void => {},
  ) {
    this.#service = service;
    this.#lookups = new Batcher((keys) => selectByHash(db.pool, { hashes: keys.map(hashKey) }));
    this.#cache = new LRUCache({ max: CACHE_SIZE, ttl: CACHE_TIME, ttlResolution: 0, perf: { now } });
    this.#now = now;
    this.#onUnknownPlan = onUnknownPlan;
  }

  /**
   * Synchronous for a cached key and for text that cannot be a key.
   *
   * @throws ApiError 503 for a key whose plan this version does not know
   */
  find(key: string): ApiKey | undefined | Promise<ApiKey | undefined> {
    const cached = this.#cache.get(key);
    if (cached || !isWellFormed(this.#service.keyPrefix, key)) return cached;
    // The time begins before the query, which may read an older state than its end.
    const start = this.#now();
    // Each caller reads its own row, so that no row fails the others of the batch.
    return this.#lookups.submit(key).then((row) => {
      const apiKey = row.id === null ? undefined : this.#read(row.id, row);
      this.#cache.set(key, apiKey, { start });
      return apiKey;
    });
  }

  #read(id: number, row: KeyRow): ApiKey {
    const limits = limitsOf(this.#service, row);
    if (limits) return { id, plan: row.plan, quota: { subject: `key:${id}`, ...limits } };
    if (!this.#unknownPlans.has(row.plan)) this.#onUnknownPlan({ keyId: id, plan: row.plan });
    this.#unknownPlans.add(row.plan);
    throw UNKNOWN_PLAN;
  }
}

/** As while servers are upgraded: another server may know it. Shared: avoids capturing a stack per request. */
const UNKNOWN_PLAN = new ApiError(503, 'The plan of the key is not known yet', { headers: { 'Retry-After': '1' } });

type KeyRow = Pick<ApiKeyTable, 'plan' | 'per_minute' | 'per_day'> & { id: number | null };

/** One row for each key, in their order; without an id for one that was never issued, or was revoked. */
const selectByHash = statement<{ hashes: Buffer[] }, KeyRow>(
  'select_api_keys_by_hash',
  (value) => sql`
    select id, plan, per_minute, per_day
    from unnest(${value('hashes')}::bytea[]) with ordinality as asked (hash, position) left join lateral (
      -- The limit has keys looked up one by one: a plan from when the table was small would read all of it.
      select * from api_keys where key_hash = hash and revoked_at is null limit 1
    ) as api_key on true
    order by position`,
);

/** The limits of the plan, or else the key's own; 0 without either. Undefined for a plan that this version does not know. */
export function limitsOf({ contract }: KeysOf, { plan, per_minute, per_day }: Omit<KeyRow, 'id'>) {
  const limits = Object.hasOwn(contract.plans, plan) ? contract.plans[plan] : undefined;
  if (!limits) return undefined;
  const { perMinute, perDay } = limits;
  // A negative number, set by SQL, would overflow the counts of the whole batch.
  return { perMinute: perMinute ?? Math.max(0, per_minute ?? 0), perDay: perDay ?? Math.max(0, per_day ?? 0) };
}

export interface NewApiKey {
  name: string;
  plan: string;
  /** Requests per minute and day, if the plan leaves them open. */
  perMinute?: number | undefined;
  perDay?: number | undefined;
}

/** Issues a key. The database keeps only its hash. */
export async function insertApiKey(
  { keyPrefix }: KeysOf,
  { kysely }: Pick<DatabaseHandle, 'kysely'>,
  { name, plan, perMinute, perDay }: NewApiKey,
) {
  const key = createKey(keyPrefix);
  const row = { name, plan, per_minute: perMinute ?? null, per_day: perDay ?? null, key_hash: hashKey(key) };
  const { id } = await kysely.insertInto('api_keys').values(row).returning('id').executeTakeFirstOrThrow();
  return { id, key };
}

/** All keys in the order of their ids, a thousand at a time: their number does not matter to memory and time limit. */
export async function* selectApiKeys({ kysely }: DatabaseHandle) {
  const columns = ['id', 'name', 'plan', 'per_minute', 'per_day', 'created_at', 'revoked_at'] as const;
  const page = kysely.selectFrom('api_keys').select(columns).orderBy('id').limit(1_000);
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await page.where('id', '>', after).execute();
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.id ?? after;
  }
}

/** @returns whether the key exists; revoking it again changes nothing */
export async function revokeApiKey({ kysely }: DatabaseHandle, id: number): Promise<boolean> {
  const revoked = kysely.updateTable('api_keys').set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` });
  return (await revoked.where('id', '=', id).executeTakeFirst()).numUpdatedRows > 0n;
}
