import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { Batcher } from '../batcher.ts';
import type { ApiKeyTable, DatabaseHandle } from '../database/open.ts';
import { statement } from '../database/statement.ts';
import { type Plan, plans } from '../generated/plans.ts';
import type { Check } from '../limits/entry.ts';
import { createKey, hashKey, isWellFormed } from './format.ts';

/** A valid key, with what its requests are counted for. */
export interface ApiKey extends Check {
  id: number;
  plan: Plan;
}

/** Milliseconds for which a key is cached. A revocation takes effect everywhere after that. */
const CACHE_TIME = 5_000;

/** Keys cached at most. */
const CACHE_SIZE = 10_000;

/** Look-ups per second, at most, for unknown keys from an address that is refused. */
const MAX_SUSPECTS = 10;

/** Finds valid keys, reading each from the database at most once per `CACHE_TIME`. */
export class ApiKeys {
  /** Keys, and the look-ups that are running: a burst with a new key is one. */
  readonly #cache: LRUCache<string, ApiKey | Promise<ApiKey | undefined>>;
  /** Concurrent look-ups, invalid keys included, share one connection. */
  readonly #lookups: Batcher<string, ApiKey | undefined>;
  /** Refused addresses with their look-ups of this second. */
  readonly #suspects: LRUCache<string, number>;

  /** @param now - monotonic clock in milliseconds; default: `performance.now` */
  constructor(db: DatabaseHandle, now = () => performance.now()) {
    this.#lookups = new Batcher((keys) => selectValidKeys(db, keys));
    const options = { max: CACHE_SIZE, ttlResolution: 0, perf: { now } };
    this.#cache = new LRUCache({ ...options, ttl: CACHE_TIME, noDeleteOnStaleGet: true });
    this.#suspects = new LRUCache({ ...options, ttl: 1_000, noUpdateTTL: true });
  }

  /**
   * Synchronous for a cached key and for text that cannot be a key.
   *
   * @param suspectOf - called for a key that was not valid here before; its address if that is refused. Few such keys are looked
   *   up, the others count as invalid. Default: never.
   */
  find(key: string, suspectOf = (): string | undefined => undefined): ApiKey | undefined | Promise<ApiKey | undefined> {
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const stale = this.#cache.peek(key, { allowStale: true });
    if (!isWellFormed(key) || (!stale && !this.#mayLookUp(suspectOf()))) return undefined;
    const lookUp = this.#lookups.submit(key);
    // The time begins before the query, which may read an older state than its end.
    this.#cache.set(key, lookUp);
    lookUp.then(
      (apiKey) => this.#cache.set(key, apiKey, { noUpdateTTL: true }),
      () => this.#cache.set(key, stale, { start: Number.NEGATIVE_INFINITY }),
    );
    return lookUp;
  }

  #mayLookUp(suspect: string | undefined): boolean {
    if (suspect === undefined) return true;
    const before = this.#suspects.get(suspect) ?? 0;
    this.#suspects.set(suspect, before + 1);
    return before < MAX_SUSPECTS;
  }
}

type KeyRow = Pick<ApiKeyTable, 'plan' | 'per_minute' | 'per_day'> & { id: number | null };

const selectByHash = statement<{ hashes: Buffer[] }, KeyRow>(
  'select_api_keys_by_hash',
  (value) => sql`
    select id, plan, per_minute, per_day
    from unnest(${value('hashes')}::bytea[]) with ordinality as asked (key_hash, position)
      -- The limit has keys looked up one by one: a plan from when the table was small would read all of it.
      left join lateral (
        select * from api_keys where api_keys.key_hash = asked.key_hash and revoked_at is null limit 1
      ) as valid on true
    order by position`,
);

/** The keys in their order; undefined for one that was never issued, or was revoked. */
async function selectValidKeys(db: DatabaseHandle, keys: string[]): Promise<(ApiKey | undefined)[]> {
  const rows = await selectByHash(db.pool, { hashes: keys.map(hashKey) });
  return rows.map((row) => {
    const { id, plan } = row;
    return id === null ? undefined : { id, plan, subject: `key:${id}`, ...limitsOf(row) };
  });
}

/** The limits of the plan, or else the key's own. A key without either gets 0, rather than no limit. */
export function limitsOf({ plan, per_minute, per_day }: Omit<KeyRow, 'id'>) {
  const { perMinute, perDay } = plans[plan];
  return { perMinute: perMinute ?? per_minute ?? 0, perDay: perDay ?? per_day ?? 0 };
}

export interface NewApiKey {
  name: string;
  plan: Plan;
  /** Requests per minute and day, if the plan leaves them open. */
  perMinute?: number | undefined;
  perDay?: number | undefined;
}

/** Issues a key. The database keeps only its hash. */
export async function insertApiKey({ kysely }: DatabaseHandle, { name, plan, perMinute, perDay }: NewApiKey) {
  const key = createKey();
  const row = { name, plan, per_minute: perMinute ?? null, per_day: perDay ?? null, key_hash: hashKey(key) };
  const { id } = await kysely.insertInto('api_keys').values(row).returning('id').executeTakeFirstOrThrow();
  return { id, key };
}

export function selectApiKeys({ kysely }: DatabaseHandle) {
  const columns = ['id', 'name', 'plan', 'per_minute', 'per_day', 'created_at', 'revoked_at'] as const;
  return kysely.selectFrom('api_keys').select(columns).orderBy('id').execute();
}

/** @returns whether the key exists; revoking it again changes nothing */
export async function revokeApiKey({ kysely }: DatabaseHandle, id: number): Promise<boolean> {
  const revoked = kysely.updateTable('api_keys').set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` });
  return (await revoked.where('id', '=', id).executeTakeFirst()).numUpdatedRows > 0n;
}
