/**
 * The promise of an `Idempotency-Key`: a change happens once for each key, and its response is stored with it, in the same commit. A
 * transaction locks its key, looks it up, changes rows, and stores the response.
 */
import { hash } from 'node:crypto';
import { prepare, type Result, type Statement } from '@petstore-platform/kysely-pipeline';
import { MAX_DEPTH } from '@petstore-platform/openapi-validation';
import { configure } from 'safe-stable-stringify';
import type { Caller } from '../caller.ts';
import { NO_OWNER } from '../database/tenants.ts';
import { ApiError, checkHeaders } from '../errors.ts';
import type { HandlerResult } from './handler.ts';

/** A key, which is unique for a caller, and the fingerprint of its request. */
export interface IdempotencyKey {
  /** Whose rows the request may change; empty in a service whose rows have no owners. */
  $owner: string;
  $apiKey: number | string;
  $key: string;
  $fingerprint: string | undefined;
}

/** The response to the first request with a key, and that request's fingerprint. */
export interface First {
  status: number;
  /** A JSON object. */
  headers: string | null;
  /** JSON. Without a body, a failure says only that there is no row. */
  body: string | null;
  /** Null in the result of a statement for the first request with the key. */
  fingerprint: string | null;
}

/** Deeper values are refused. The list of the parts of a request is a level, too. */
const stringify = configure({ maximumDepth: MAX_DEPTH + 2 });

/** Identifies a request: a repetition must have the same path, query, headers and body, its fields in any order. */
export function fingerprintOf(request: unknown): string {
  return hash('sha256', String(stringify(request)));
}

/**
 * The number of a caller: that of its API key or, below zero, 63 bits of the hash of its id and owner. A person may act for one owner after
 * another.
 */
export function numberOf({ id, owner }: Pick<Caller, 'id' | 'owner'>): number | string {
  if (/^key:\d+$/.test(id)) return Number(id.slice(4));
  return `${-(hash('sha256', JSON.stringify([id, owner]), 'buffer').readBigUInt64BE() >> 1n) - 1n}`;
}

/** Idempotency keys are kept for 24 hours. */
export const EXPIRED = `created_at <= service_now() - interval '24 hours'`;

/** What follows in the same write is undone, so that it need not wait for locks. */
const HURRY = `set_config('lock_timeout', '1', true)`;

const LOCK = `select free, case when not free then ${HURRY} end from (
    select pg_try_advisory_xact_lock(hashtextextended("$apiKey" || ':' || "$key", 0)) as free
    from rows from (json_to_recordset($1::json) as ("$apiKey" bigint, "$key" text)) with ordinality as given ("$apiKey", "$key", n) order by n
  ) as locked`;

/** A statement for each key, which Citus sends to the shard of its owner. */
const FIND = `select ${HURRY} as hurry, status, headers::text, nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint
    from idempotency_keys where owner = $1 and api_key_id = $2 and key = $3 and not (${EXPIRED})`;

/** Stores a response, or replaces that of an expired key. For a valid key, `created_at` becomes null, which fails the transaction. */
const STORE = `
    insert into idempotency_keys as stored (owner, api_key_id, key, fingerprint, status, headers, answer, created_at)
    values ($1, $2, $3, decode($4, 'hex'), $5, $6::json, coalesce($7, 'null')::json, service_now())
    on conflict (owner, api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      headers = excluded.headers, answer = excluded.answer,
      created_at = case when excluded.created_at - stored.created_at >= interval '24 hours' then excluded.created_at end`;

/** Stores a response with its key, in the transaction that has locked and looked up this. */
export function storeKey({ $owner, $apiKey, $key, $fingerprint }: IdempotencyKey, first: First): Statement {
  const { status, headers, body } = first;
  return prepare(STORE, [$owner, $apiKey, $key, $fingerprint, status, headers, body], 'runtime_store_key');
}

/**
 * Locks keys, and looks them up. The look-up has its own snapshot, taken after the lock, so it sees a key that was stored meanwhile. If the
 * transaction has one snapshot for all, storing such a key fails (SQLSTATE 40001), after which the transaction is tried again.
 */
export function claimKeys(keys: readonly IdempotencyKey[]): Statement[] {
  const locks = keys.map(({ $apiKey, $key }) => ({ $apiKey, $key }));
  const find = ({ $owner, $apiKey, $key }: IdempotencyKey) =>
    prepare(FIND, [$owner, $apiKey, $key], 'runtime_find_key');
  return [prepare(LOCK, [JSON.stringify(locks)], 'runtime_lock_keys'), ...keys.map(find)];
}

/**
 * The keys that cannot be used, each with its first response, or with undefined while the first request with it is in progress.
 *
 * @param results - those of {@link claimKeys}
 */
export function refusedIn(keys: readonly IdempotencyKey[], [locked, ...found]: readonly Result[]) {
  const refused = new Map<IdempotencyKey | undefined, First | undefined>();
  for (const [index, key] of keys.entries()) {
    const { hurry, ...first } = found[index]?.rows[0] ?? {};
    if (hurry !== undefined) refused.set(key, first as unknown as First);
    else if (locked?.rows[index]?.free === false) refused.set(key, undefined);
  }
  return refused;
}

/** The outcome of a request: a response, or a failure; undefined while the first request with its key runs. */
export type Outcome = First | ApiError | undefined;

/** A response as it is stored. A failure that is not stored stays as it is. */
export function firstOf(result: HandlerResult | ApiError, key: IdempotencyKey | undefined): First | ApiError {
  if (result instanceof ApiError && !isStored(result)) return result;
  const { status, headers } = result;
  const body = result instanceof ApiError ? result.body() : result.body;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  // A failure after the commit would be the response to the key for ever.
  checkHeaders(headers);
  return {
    status,
    headers: headers ? JSON.stringify(headers) : null,
    // In the table, `null` without a space is the absence of a body.
    body: text === 'null' ? ' null' : (text ?? null),
    fingerprint: key?.$fingerprint ?? null,
  };
}

/**
 * Whether a failure is stored, so that a repetition gets it again. A conflict is not stored, because the client may resolve it. A time-out
 * or an overload is not a decision.
 */
const isStored = ({ status, code }: ApiError) => status < 500 && ![408, 409, 429].includes(status) && code !== NO_OWNER;
