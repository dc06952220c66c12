/**
 * The promise of an `Idempotency-Key`: a change happens once for each key, and its response is stored with it, in the same commit. A
 * transaction locks its key, looks it up, changes rows, and stores the response. The statements tell more than their columns:
 *
 * - `found` is not null for a stored key, and its function keeps the statements behind it from waiting for locks.
 * - A `created_at` that becomes null fails the transaction: another one has stored the key since the look-up.
 * - The `answer` is `null` without a body; ` null`, with a space, is the body `null`.
 * - A status from 400 on without a body means that there was no row. The operation has the message.
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
  owner: string;
  callerNumber: number | string;
  value: string;
  fingerprint: string | undefined;
}

/** The response to the first request with a key, and that request's fingerprint. */
export interface StoredResponse {
  status: number;
  /** A JSON object. */
  headers: string | null;
  /** JSON. */
  body: string | null;
  /** Null without a key. */
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

/** How long keys are kept. */
const LIFETIME = `interval '24 hours'`;
export const EXPIRED = `created_at <= service_now() - ${LIFETIME}`;

/** The transaction will be rolled back, so later statements in this write should not wait for locks: 1 ms at most. */
const NO_WAIT = `set_config('lock_timeout', '1', true) || set_config('service.is_refused', 'true', true)`;

const LOCK = `select free, case when not free then ${NO_WAIT} end from (
    select pg_try_advisory_xact_lock(hashtextextended(api_key_id || ':' || key, 0)) as free
    from unnest($1::bigint[], $2::text[]) with ordinality as wanted (api_key_id, key, n) order by n
  ) as locked`;

/** A row for each key, in their order. With the limit, a plan from when the table was small looks each up by the index, too. */
const FIND = `select first.* from unnest($2::bigint[], $3::text[]) with ordinality as wanted (id, key, n) left join lateral (
    select ${NO_WAIT} as found, status, headers::text, nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint
    from idempotency_keys as stored where owner = $1 and api_key_id = id and stored.key = wanted.key and not (${EXPIRED}) limit 1
  ) as first on true order by n`;

/** Stores responses, or replaces those of expired keys. */
const STORE = `
    insert into idempotency_keys as stored (owner, api_key_id, key, fingerprint, status, headers, answer, created_at)
    select $1, id, key, decode(fingerprint, 'hex'), status, headers::json, coalesce(body, 'null')::json, service_now()
    from unnest($2::bigint[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[])
      as first (id, key, fingerprint, status, headers, body)
    on conflict (owner, api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      headers = excluded.headers, answer = excluded.answer,
      created_at = case when excluded.created_at - stored.created_at >= ${LIFETIME} then excluded.created_at end`;

/** Citus sends a statement to the shard of one owner. */
const byOwner = <Each extends Pick<IdempotencyKey, 'owner'>>(all: readonly Each[]) => [
  ...Map.groupBy(all, ({ owner }) => owner),
];

/** The values of some properties, each as a list. */
const columnsOf = <Row, Name extends keyof Row>(rows: readonly Row[], ...names: Name[]) =>
  names.map((name) => rows.map((row) => row[name]));

/** Stores responses with their keys, in the transaction that has locked and looked up these. */
export const storeKeys = (stored: readonly (Omit<IdempotencyKey, 'fingerprint'> & StoredResponse)[]): Statement[] =>
  byOwner(stored).map(([owner, all]) => {
    const columns = columnsOf(all, 'callerNumber', 'value', 'fingerprint', 'status', 'headers', 'body');
    return prepare(STORE, [owner, ...columns], 'runtime_store_keys');
  });

/**
 * Locks keys, and looks them up. The look-up has its own snapshot, taken after the lock, so it sees a key that was stored meanwhile. If the
 * transaction has one snapshot for all, storing such a key fails (SQLSTATE 40001), after which the transaction is tried again.
 */
export function claimKeys(keys: readonly IdempotencyKey[]): Statement[] {
  const find = byOwner(keys).map(([owner, all]) =>
    prepare(FIND, [owner, ...columnsOf(all, 'callerNumber', 'value')], 'runtime_find_keys'),
  );
  return [prepare(LOCK, columnsOf(keys, 'callerNumber', 'value'), 'runtime_lock_keys'), ...find];
}

/**
 * The keys that cannot be used, each with its first response, or with undefined while the first request with it is in progress.
 *
 * @param results - those of {@link claimKeys}
 */
export function refusedIn(keys: readonly IdempotencyKey[], [locked, ...found]: readonly Result[]) {
  const refused = new Map<IdempotencyKey | undefined, StoredResponse | undefined>();
  for (const [index, key] of keys.entries()) if (locked?.rows[index]?.free === false) refused.set(key, undefined);
  for (const [index, [, all]] of byOwner(keys).entries())
    for (const [at, { found: isFound, ...stored }] of found[index]?.rows.entries() ?? [])
      if (isFound !== null) refused.set(all[at], stored as unknown as StoredResponse);
  return refused;
}

/** The outcome of a request: a response, or a failure; undefined while the first request with its key runs. */
export type Outcome = StoredResponse | ApiError | undefined;

/** A response as it is stored. A failure that is not stored stays as it is. */
export function toStored(result: HandlerResult | ApiError, key: IdempotencyKey | undefined): StoredResponse | ApiError {
  if (result instanceof ApiError && !isStored(result)) return result;
  const { status, headers } = result;
  const body = result instanceof ApiError ? result.body() : result.body;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  // A failure after the commit would be the response to the key for ever.
  checkHeaders(headers);
  return {
    status,
    headers: headers ? JSON.stringify(headers) : null,
    body: text === 'null' ? ' null' : (text ?? null),
    fingerprint: key?.fingerprint ?? null,
  };
}

/**
 * Whether a failure is stored, so that a repetition gets it again. A conflict is not stored, because the client may resolve it. A time-out
 * or an overload is not a decision.
 */
const isStored = ({ status, code }: ApiError) => status < 500 && ![408, 409, 429].includes(status) && code !== NO_OWNER;
