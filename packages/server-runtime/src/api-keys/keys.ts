import { MAX_LIMIT, type Quota } from '@petstore-platform/quota';
import { LRUCache } from 'lru-cache';
import { batcher } from '../batcher.ts';
import { type Caller, deeplyFrozen } from '../caller.ts';
import type { PlanLimits } from '../contract.ts';
import type { ApiKeyTable, DatabaseHandle } from '../database/open.ts';
import { named, select, timed } from '../database/statement.ts';
import { unavailable } from '../errors.ts';
import { hashKey, isWellFormed } from './format.ts';

/** The part of a service that its keys need. */
export interface KeysOf {
  keyPrefix: string;
  limitsBy?: 'caller' | 'owner' | undefined;
  contract: { plans: Readonly<Record<string, PlanLimits>> };
}

/** The identity that a valid credential proves: the caller, and the quota of its requests. */
export interface Identity {
  /** Of an API key. */
  id?: number;
  caller: Caller<'key' | 'token'>;
  quota: Quota;
  /** Unix time in milliseconds by the database's clock; infinite without an expiry. */
  expiresAt: number;
}

/** The subject for which the requests of a caller are counted. */
export const subjectOf = ({ limitsBy }: Pick<KeysOf, 'limitsBy'>, id: string, owner: string | null | undefined) =>
  limitsBy === 'owner' && owner != null ? `owner:${owner}` : id;

/** Milliseconds for which a key is cached: a revocation takes effect everywhere within ten seconds. */
const CACHE_TIME = 9_000;

/** Milliseconds after which a key that is used is looked up anew, while requests are answered. */
const REFRESH_TIME = CACHE_TIME / 2;

const CACHE_SIZE = 10_000;

export type ApiKeys = ReturnType<typeof apiKeysOf>;

/**
 * Finds keys that are not revoked, reading each from the database at most once per `CACHE_TIME`.
 *
 * @param now - monotonic clock in milliseconds; default: `performance.now`
 * @param onUnknownPlan - called once for each plan that this version does not know, with a key
 */
export function apiKeysOf(
  service: KeysOf,
  db: DatabaseHandle,
  now = () => performance.now(),
  onUnknownPlan = (_key: { keyId: number; plan: string }): void => {},
) {
  const times = { ttl: CACHE_TIME, ttlResolution: 0, perf: { now } };
  /** Only existing keys are cached, so guesses evict none. */
  const cache = new LRUCache<string, { apiKey: Identity; askedAt: number }>({ max: CACHE_SIZE, ...times });
  const selectAll = (keys: string[]) => timed('key', () => select<KeyRow>(db.pool, SELECT_BY_HASH, keys.map(hashKey)));
  /** Concurrent look-ups share a statement. Ten thousand made-up keys per second take less than a tenth of a core of Postgres. */
  const lookups = batcher(selectAll, { kind: 'key' });
  const unknownPlans = new Set<string>();

  function identityOf(id: number, row: KeyRow): Identity {
    const limits = limitsOf(service, row);
    const expiresAt = row.expires ?? Number.POSITIVE_INFINITY;
    const { plan, owner, scopes } = row;
    if (limits) {
      const fields = { id: `key:${id}`, owner: owner ?? undefined, scopes, plan, claims: undefined };
      const caller: Caller<'key'> = deeplyFrozen({ kind: 'key', ...fields });
      return { id, caller, quota: { subject: subjectOf(service, caller.id, owner), ...limits }, expiresAt };
    }
    if (!unknownPlans.has(plan)) onUnknownPlan({ keyId: id, plan });
    unknownPlans.add(plan);
    throw UNKNOWN_PLAN;
  }

  async function lookUp(key: string): Promise<Identity | undefined> {
    // The time in the cache begins before the query, which may read an older state than that at its end.
    const start = now();
    // Each caller reads its own row, so that no row fails the others of the batch.
    const row = await lookups.submit(key);
    const apiKey = row.id === null ? undefined : identityOf(row.id, row);
    cache.set(key, apiKey && { apiKey, askedAt: start }, { start });
    return apiKey;
  }

  return {
    /**
     * Finds a key: synchronously if it is cached, or if the text cannot be a key.
     *
     * @throws ApiError 503 for a key whose plan this version does not know
     */
    find(key: string): Identity | undefined | Promise<Identity | undefined> {
      const cached = cache.get(key);
      if (!cached) return isWellFormed(service.keyPrefix, key) ? lookUp(key) : undefined;
      if (now() - cached.askedAt >= REFRESH_TIME) {
        // The key is asked for once. Without an answer, it is looked up again when its time in the cache has passed.
        cached.askedAt = Number.POSITIVE_INFINITY;
        lookUp(key).catch(() => {});
      }
      return cached.apiKey;
    },
  };
}

/** During an upgrade, another server may know the plan. Shared by all requests, to avoid capturing a stack for each. */
const UNKNOWN_PLAN = unavailable('The plan of the key is not known yet');

type LimitsRow = Pick<ApiKeyTable, 'plan' | 'per_minute' | 'per_day'>;
type KeyRow = LimitsRow & Pick<ApiKeyTable, 'owner'> & { id: number | null; expires: number | null; scopes: string[] };

/**
 * Selects one row for each key, in their order. It is SQL, because the builder has no `with ordinality`. The id is null for a key that was
 * never issued, or was revoked.
 */
const SELECT_BY_HASH = named(
  'select_api_keys_by_hash',
  `select id, plan, per_minute, per_day, owner, scopes, (extract(epoch from expires_at) * 1000)::float8 as expires
    from unnest($1::bytea[]) with ordinality as wanted (hash, position) left join lateral (
      -- With the limit, keys are looked up one by one. Otherwise, a plan from when the table was small would read all of it.
      select * from api_keys where key_hash = hash and revoked_at is null limit 1
    ) as api_key on true
    order by position`,
);

/** The limits of the plan, or else the key's own; 0 without either. Undefined for a plan that this version does not know. */
export function limitsOf({ contract }: KeysOf, { plan, per_minute, per_day }: LimitsRow) {
  const limits = Object.hasOwn(contract.plans, plan) ? contract.plans[plan] : undefined;
  if (!limits) return undefined;
  const { perMinute, perDay } = limits;
  // Another number, set by SQL, could not be counted.
  const countable = (limit: number | null) => Math.min(MAX_LIMIT, Math.max(0, limit ?? 0));
  return { perMinute: perMinute ?? countable(per_minute), perDay: perDay ?? countable(per_day) };
}
