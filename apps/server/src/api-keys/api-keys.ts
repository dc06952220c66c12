import type { Kysely } from 'kysely';
import { Batcher } from '../database/batcher.ts';
import { isDatabaseUnavailable } from '../database/errors.ts';
import type { Database } from '../database/schema.ts';
import { type Plan, plans } from '../generated/plans.ts';
import { hashKey, isWellFormed } from './format.ts';
import { selectApiKeysByHash } from './queries.ts';

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

  constructor(db: Kysely<Database>, now: () => number) {
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
