/**
 * The promise of an `Idempotency-Key`: a change happens once for each key, and its response is stored with it. A change of one statement
 * looks up, locks and stores its keys itself. Any other does so at the ends of its transaction.
 */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { configure } from 'safe-stable-stringify';
import { insertLock } from '../database/insert-lock.ts';
import { type Handle, pipelined, sqlOf } from '../database/statement.ts';
import { NO_OWNER } from '../database/tenants.ts';
import { ApiError, checkHeaders } from '../errors.ts';
import { LEVELS } from '../http/field-errors.ts';
import type { HandlerResult } from './handler.ts';
import { recordset, type Typed } from './shared.ts';

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
const stringify = configure({ maximumDepth: LEVELS + 2 });

/** Identifies a request: a repetition must have the same path, query, headers and body, its fields in any order. */
export function fingerprintOf(request: unknown): string {
  return hash('sha256', String(stringify(request)));
}

/** Idempotency keys are kept for 24 hours. */
export const EXPIRED = `created_at <= service_now() - interval '24 hours'`;

const KEY: readonly Typed[] = [
  ['$apiKey', 'bigint'],
  ['$key', 'text'],
  ['$fingerprint', 'text'],
];
const RECORD = KEY.map(([name, type]) => `"${name}" ${type}`).join(', ');

/** `limit 1` makes Postgres look up keys one by one. A plan made while the table was small would read all of it. */
const FIRST_OF_REQUEST = `lateral (
    select status, headers::text, nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint
    from idempotency_keys where (api_key_id, key) = ("$apiKey", "$key") and not (${EXPIRED}) limit 1
  ) as first`;

const LOCKED = `pg_try_advisory_xact_lock(hashtextextended("$apiKey" || ':' || "$key", 0))`;

/** Stores a response, or replaces that of an expired key. For a valid key, `created_at` becomes null, which fails the statement. */
const storeFrom = (answered: string) => `
    insert into idempotency_keys as stored (api_key_id, key, fingerprint, status, headers, answer, created_at)
    select "$apiKey", "$key", decode("$fingerprint", 'hex'), status, headers::json, coalesce(body, 'null')::json, service_now()
    from ${answered} where "$key" is not null
    on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      headers = excluded.headers, answer = excluded.answer,
      created_at = case when stored.${EXPIRED} then excluded.created_at end`;

/** A statement that changes rows for several requests. */
export interface Change {
  /** SQL of a table that has a row for each request. */
  requests: string;
  /** The names of its columns, without those of the key. */
  columns: readonly string[];
  /** The steps of `with`, by name, which read `$new`: a row for each request that is no repetition, with its number, `$n`. */
  steps: Record<string, string>;
  /** SQL of a table with the `$n` of each request that has changed something, and its answer. */
  changed: string;
  status: number;
  /** SQL of the JSON of the headers and of the body. */
  headers: string | undefined;
  body: string | undefined;
  /** The tables whose insert locks it takes, in the order of their names. */
  insertLocks: readonly string[];
}

/** Keys are locked before tables, and tables in the order of their names: statements with other orders would wait for each other. */
const takeInsertLocks = (tables: readonly string[]) => `"$lock" as materialized (
    select ${tables.map((table) => `${insertLock(pg.escapeLiteral(table))}::text`).join(', ')}
    from (select count(*) from "$fresh") as "$fresh" where count > 0
  ), `;

/**
 * The text around a change. The locks come before the change: a key that is stored while the change waits would be missing from the
 * snapshot.
 *
 * @param isKeyed - without keys, it looks up and stores nothing
 */
export function changeText(
  { requests, columns, steps, changed, insertLocks, ...answer }: Change,
  isKeyed: boolean,
): string {
  const { status, headers, body } = answer;
  const ifKeyed = (part: string) => (isKeyed ? part : '');
  const names = [...(isKeyed ? KEY.map(([name]) => name) : []), ...columns, '$n'].map((name) =>
    pg.escapeIdentifier(name),
  );
  const isDone = 'row."$n" is not null';
  return `with "$request" (${names.join(', ')}) as materialized (select * from ${requests}
  ), ${ifKeyed(`"$known" as materialized (select "$n", first.* from "$request", ${FIRST_OF_REQUEST}
  ), `)}"$fresh" as materialized (
    select * from "$request" ${ifKeyed(`where "$n" not in (select "$n" from "$known") and ("$key" is null or ${LOCKED})`)}
  ), ${insertLocks.length > 0 ? takeInsertLocks(insertLocks) : ''}"$new" as materialized (
    select "$fresh".* from "$fresh" ${insertLocks.length > 0 ? 'cross join "$lock"' : ''}
  ), ${Object.entries(steps)
    .map(([name, text]) => `${pg.escapeIdentifier(name)} as materialized (${text})`)
    .join(', ')}, "$answered" as materialized (
    select "$new"."$n", ${ifKeyed('"$apiKey", "$key", "$fingerprint", ')}case when ${isDone} then ${status} else 404 end as status,
      ${headers ? `case when ${isDone} then ${headers}::text end` : 'null'} as headers,
      ${body ? `case when ${isDone} then ${body} end` : 'null'} as body
    from "$new" left join (${changed}) as row on row."$n" = "$new"."$n"
  )${ifKeyed(`, "$stored" as (${storeFrom('"$answered"')})`)}
  select "$n"::integer as position, status, headers, body, null as fingerprint from "$answered"
  ${ifKeyed(`union all select "$n"::integer as position, status, headers, body, fingerprint from "$known"`)}`;
}

/** SQL of a table of requests. @param columns - with their types */
export const requestsIn = (value: string, columns: readonly Typed[], isKeyed: boolean): string =>
  sqlOf(recordset(sql.raw(value), [...(isKeyed ? KEY : []), ...columns]));

/** Whether the first request with the key ended between the snapshot and the lock of a statement. Its response is visible now. */
export const isStoredMeanwhile = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.table === 'idempotency_keys' && error.column === 'created_at';

const GIVEN = `json_to_recordset($1::json) as request (${RECORD})`;

/** A key that is in use or stored raises an error, so that the statements after it, sent in the same write, do not run. */
const LOCK = `select (case when bool_and(${LOCKED}) then 'true' else 'Idempotency-Key in use' end)::boolean from ${GIVEN}`;
const REFUSE = `select (case when exists (select from ${GIVEN}, ${FIRST_OF_REQUEST})
    then 'Idempotency-Key stored' else 'true' end)::boolean`;
const SELECT = `select first.* from ${GIVEN}, ${FIRST_OF_REQUEST}`;
const STORE = storeFrom(
  `json_to_recordset($1::json) as answered (${RECORD}, status smallint, headers text, body text)`,
);

const named = (name: string, text: string) => (rows: readonly object[]) => ({
  name: `runtime_${name}`,
  text,
  values: [JSON.stringify(rows)],
});
const lock = named('lock_keys', LOCK);
const refuse = named('refuse_stored_keys', REFUSE);
const select = named('select_keys', SELECT);
const store = named('store_keys', STORE);

/** SQLSTATE of the errors of `LOCK` and `REFUSE`. */
const INVALID_TEXT = '22P02';

/** Thrown for a key whose first request is in progress, or has a response. */
class Repeated extends Error {}

/** The outcome of a request: a response, or a failure; undefined while the first request with its key runs. */
export type Outcome = First | ApiError | undefined;

export const UNDONE = 'A statement was not awaited, or it failed and its error was not thrown';

/**
 * Runs the changes of requests in one transaction, which stores their responses with their keys. A failure of a single request undoes its
 * changes.
 *
 * @param work - its first statement is sent in one write with those that look up the keys
 */
export function inTransaction(
  handle: Handle,
  { caller, keys, isSnapshot }: { caller: unknown; keys: readonly (IdempotencyKey | undefined)[]; isSnapshot: boolean },
  work: (client: pg.PoolClient, begun: Promise<unknown>) => Promise<(HandlerResult | ApiError)[]>,
): Promise<Outcome[]> {
  const given = keys.filter((key) => key !== undefined);
  return handle.transact<Outcome[]>(caller, async (client, commits) => {
    // One of several that waits for a lock would make all others wait.
    const limits = keys.length > 1 ? [QUICK] : [];
    const open = async (...before: string[]) => {
      // The look-up has its own snapshot, taken after the lock, so it sees a key that was stored meanwhile. If the transaction has one
      // snapshot for all, such a key fails `STORE`, after which the transaction is tried again.
      const keyed = given.length > 0 ? [lock(given), refuse(given)] : [];
      await pipelined(client, [...before, isSnapshot ? SNAPSHOT : 'begin', ...limits, ...keyed]).catch((error) => {
        throw error.code === INVALID_TEXT ? new Repeated() : error;
      });
    };
    const begun = open();
    begun.catch(() => {});
    try {
      const results = await work(client, begun).catch(async (error) => {
        await begun;
        throw error;
      });
      await begun;
      const outcomes = results.map((result, index) => firstOf(result, keys[index]));
      if (results.length === 1 && results[0] instanceof ApiError) {
        if (given.length === 0 || outcomes[0] instanceof ApiError) throw results[0];
        // This frees the key for a moment, in which another request may take it.
        await open('rollback');
      }
      const stored = keys.flatMap((key, index) => {
        const first = outcomes[index];
        return key && first && !(first instanceof ApiError) ? [{ ...key, ...first }] : [];
      });
      commits();
      const ended = await pipelined(client, stored.length > 0 ? [store(stored), 'commit'] : ['commit']);
      // Postgres answers COMMIT of a failed transaction with ROLLBACK.
      if (ended.at(-1)?.command !== 'COMMIT') throw new Error(UNDONE);
      return outcomes;
    } catch (error) {
      if (!(error instanceof Repeated) || keys.length > 1) throw error;
      const [, first] = await pipelined(client, ['rollback', select(given)]);
      return [first?.rows[0]];
    }
  });
}

const QUICK = 'set local lock_timeout = 100';

/** A row that others have changed since the first statement fails a change of it (SQLSTATE 40001). */
const SNAPSHOT = 'begin isolation level repeatable read';

/** A response as it is stored. A failure that is not stored stays as it is. */
function firstOf(result: HandlerResult | ApiError, key: IdempotencyKey | undefined): First | ApiError {
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
