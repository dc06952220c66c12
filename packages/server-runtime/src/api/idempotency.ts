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

const KEYS = `rows from (json_to_recordset($1::json) as ("$apiKey" bigint, "$key" text))
  with ordinality as given ("$apiKey", "$key", "$n")`;

/** What follows in the same write is undone, so that it need not wait for locks. */
const HURRY = `set_config('lock_timeout', '1', true)`;

const LOCK = `select free, case when not free then ${HURRY} end from (
    select pg_try_advisory_xact_lock(hashtextextended("$apiKey" || ':' || "$key", 0)) as free from ${KEYS} order by "$n"
  ) as locked`;

/** `limit 1` makes Postgres look up keys one by one. A plan made while the table was small would read all of it. */
const FIND = `select "$n" - 1 as index, ${HURRY} as hurry, first.* from ${KEYS}, lateral (
    select status, headers::text, nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint
    from idempotency_keys where (api_key_id, key) = ("$apiKey", "$key") and not (${EXPIRED}) limit 1
  ) as first`;

/** Stores responses, or replaces those of expired keys. For a valid key, `created_at` becomes null, which fails the transaction. */
const STORE = `
    insert into idempotency_keys as stored (api_key_id, key, fingerprint, status, headers, answer, created_at)
    select "$apiKey", "$key", decode("$fingerprint", 'hex'), status, headers::json, coalesce(body, 'null')::json, service_now()
    from json_to_recordset($1::json) as answered ("$apiKey" bigint, "$key" text, "$fingerprint" text, status smallint, headers text, body text)
    on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      headers = excluded.headers, answer = excluded.answer,
      created_at = case when stored.created_at <= excluded.created_at - interval '24 hours' then excluded.created_at end`;

/** Stores responses with their keys, in the transaction that has locked and looked up these. */
export const storeKeys = (outcomes: readonly object[]): Statement => {
  const rows = (outcomes as Partial<First>[]).map(({ fingerprint: _, ...row }) => row);
  return prepare(STORE, [JSON.stringify(rows)], 'runtime_store_keys');
};

/**
 * Locks keys, and looks them up. The look-up has its own snapshot, taken after the lock, so it sees a key that was stored meanwhile. If the
 * transaction has one snapshot for all, storing such a key fails (SQLSTATE 40001), after which the transaction is tried again.
 */
export function claimKeys(keys: readonly IdempotencyKey[]): Statement[] {
  const values = [JSON.stringify(keys.map(({ $apiKey, $key }) => ({ $apiKey, $key })))];
  return [prepare(LOCK, values, 'runtime_lock_keys'), prepare(FIND, values, 'runtime_find_keys')];
}

/**
 * The keys that cannot be used, by their index: each with its first response, or with undefined while the first request with it is in progress.
 *
 * @param results - those of {@link claimKeys}
 */
export function refusedIn([locked, found]: readonly Result[]): Map<number, First | undefined> {
  const refused = new Map<number, First | undefined>();
  for (const [index, { free }] of locked?.rows.entries() ?? []) if (!free) refused.set(index, undefined);
  for (const { index, hurry: _, ...first } of found?.rows ?? [])
    refused.set(index as number, first as unknown as First);
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
