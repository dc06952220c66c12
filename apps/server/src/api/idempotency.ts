import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { Batcher } from '../batcher.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { type ChangeHandle, statement } from '../database/statement.ts';
import type { Handlers, IdempotentOperation } from '../generated/operations.ts';
import { ApiError } from '../http/errors.ts';
import type { RequestContext } from './plugin.ts';

type All = Handlers<RequestContext>;
type RequestOf<Id extends IdempotentOperation> = Parameters<All[Id]>[0];
type ResponseOf<Id extends IdempotentOperation> = Awaited<ReturnType<All[Id]>>;

declare const idempotent: unique symbol;

/** Makes the handler of an operation that declares `Idempotency-Key`. Only {@link change} returns it. */
export type IdempotentHandler<Handler> = ((db: ChangeHandle) => Handler) & { readonly [idempotent]: true };

type ColumnType = 'bigint' | 'boolean' | 'integer' | 'json' | 'jsonb' | 'text' | 'text[]' | 'timestamptz';

/** SQL that changes tables: the statement, or several steps by name, of which the last is `change`. */
type Steps = RawBuilder<unknown> | ({ change: RawBuilder<unknown> } & Record<string, RawBuilder<unknown>>);

/** The change of one operation. */
export interface Change<Request, Status extends number, Column extends string> {
  /** The columns of `new`, which has a row for each request that is no repetition. Its `position` is the platform's. */
  new: Record<Column, ColumnType>;
  /** The row of a request. */
  row(request: Request): Record<Column, unknown>;
  /**
   * Reads `new`, and returns its `position` with the columns of `body`. A request without a row is answered with 404. A step
   * does not see the changes of another one, only what that returns.
   */
  change: Steps;
  /** The status of a row, or its SQL on `change`. */
  status: Status | RawBuilder<number>;
  /**
   * The messages of failures by their status. They are stored, too: a repetition must not change what the first request did
   * not. Except 409, of a row that a constraint refuses: it changed nothing.
   */
  failures?: Record<number, (request: Request) => string>;
  /**
   * Concurrent requests share a statement, at most as many. Only for requests that never change the same row. Default: each has
   * its own statement, and those with the same path take turns.
   */
  batch?: number;
  /** The value that a repetition must have in common. Default: path, query and body as they were sent. */
  fingerprint?(request: Request): unknown;
  onCitus?: OnCitus;
}

/** The JSON of the response's body, if it has one, from the columns of `change`: see {@link rowJson}. */
type WithBody<Response> = Response extends { body: infer Body }
  ? { body(row: 'change'): RawBuilder<Extract<Body, string>> }
  : { body?: never };

type Parts = Pick<Change<never, number, string>, 'new' | 'status' | 'batch'> & {
  body?: ((row: 'change') => RawBuilder<unknown>) | undefined;
};

/** Replaces the statement while tables are distributed. */
export interface OnCitus {
  change: Steps;
  /** Called with the new bodies in the open transaction, which changes the coordinator alone. */
  beforeCommit(shards: DatabaseHandle, bodies: string[]): Promise<void>;
}

/** A request as the platform sees it. */
interface Sent {
  headers: { 'idempotency-key'?: string | undefined };
  path?: object;
}

/** The row of a request, and its key, unique for an API key. */
interface Item extends Record<string, unknown> {
  $apiKey?: number;
  $key?: string;
  $fingerprint?: string;
}

/** The response to the first request with a key, and that request's fingerprint. */
interface Row {
  /** Of the request in the batch, from 1. */
  position: number;
  status: number;
  body: string | null;
  /** Null: this request is the first. */
  fingerprint: string | null;
}

/** Queues of requests with the same path at most. Requests of an evicted one wait for each other in Postgres. */
const QUEUES = 1_000;

/**
 * The handler of an operation that declares `Idempotency-Key`: changes the database once for each key. A change, its response and
 * its key are stored by one statement, under a lock on the key, so that a repetition changes nothing on any server.
 *
 * @param operation - the operationId
 */
export function change<const Id extends IdempotentOperation, Column extends string>(
  operation: Id,
  definition: Change<RequestOf<Id>, ResponseOf<Id>['status'], Column> & WithBody<ResponseOf<Id>>,
): IdempotentHandler<All[Id]> {
  const { batch, failures, onCitus } = definition;
  const prepared = prepare(operation, definition, definition.change);
  const preparedOnCitus = onCitus && prepare(`${operation}_on_citus`, definition, onCitus.change);

  /**
   * @param items - no two of them with the same key
   * @returns undefined where the first request with the key is still in progress
   */
  const run = async (db: ChangeHandle, items: Item[]): Promise<(Row | undefined)[]> => {
    const kind = items.some(({ $key }) => $key !== undefined) ? 'keyed' : 'plain';
    const requests = JSON.stringify(batch ? items : items[0]);
    const { shards } = db;
    try {
      const rows = await db.write(async (connection) => {
        if (!shards || !preparedOnCitus) return prepared[kind](connection, { requests });
        await connection.query('begin');
        const rows = await preparedOnCitus[kind](connection, { requests });
        await onCitus.beforeCommit(
          shards,
          rows.flatMap(({ fingerprint, body }) => (fingerprint ? [] : (body ?? []))),
        );
        await connection.query('commit');
        return rows;
      });
      const byPosition = new Map(rows.map((row) => [row.position, row]));
      return items.map(({ $fingerprint = null }, index) => {
        const row = byPosition.get(index + 1);
        return row && { ...row, fingerprint: row.fingerprint ?? $fingerprint };
      });
    } catch (error) {
      // A repetition: the first request with the key ended between snapshot and lock. Its response is visible now.
      const isRepeated = error instanceof pg.DatabaseError && error.table === 'idempotency_keys';
      if (isRepeated && items.length === 1) return run(db, items);
      throw error;
    }
  };

  const create = (db: ChangeHandle) => {
    const runAll = (items: Item[]) => run(db, items);
    const shared = batch ? new Batcher(runAll, batch) : undefined;
    const memoMethod = () => new Batcher(runAll, 1);
    const queues = new LRUCache<string, Batcher<Item, Row | undefined>>({ max: QUEUES, memoMethod });
    return async (request: RequestOf<Id>, { apiKey, fingerprint: sent }: RequestContext) => {
      const { headers, path }: Sent = request;
      const item: Item = definition.row(request);
      const key = headers['idempotency-key']?.replace(QUOTED, '$1');
      const same = key && `${apiKey.id} ${key}`;
      const fingerprint = key && definition.fingerprint ? fingerprintOf(definition.fingerprint(request)) : sent;
      if (key) Object.assign(item, { $apiKey: apiKey.id, $key: key, $fingerprint: fingerprint });
      const queue = path ? JSON.stringify(path) : same;
      const batcher = shared ?? (queue ? queues.memo(queue) : memoMethod());
      const first = await batcher.submit(item, same).catch((error) => {
        if (!(error instanceof pg.DatabaseError && CONFLICT.test(error.code ?? ''))) throw error;
        throw new ApiError(409, failures?.[409]?.(request) ?? CONFLICTING, { code: 'conflict' });
      });
      if (!first) throw new ApiError(409, IN_USE, { code: 'idempotency_key_in_use', headers: { 'Retry-After': '1' } });
      const { status, body } = first;
      if (key && first.fingerprint !== fingerprint) throw new ApiError(422, REUSED, { code: 'idempotency_key_reused' });
      if (status >= 400) throw new ApiError(status, failures?.[status]?.(request) ?? MISSING);
      return body === null ? { status } : { status, body };
    };
  };
  return create as unknown as IdempotentHandler<All[Id]>;
}

/** Idempotency keys are kept for 24 hours. */
export const EXPIRED = sql<boolean>`created_at <= petstore_now() - interval '24 hours'`;

/** The columns of a key in `request`, as in the JSON and in SQL. */
const KEY = sql`"$apiKey" bigint, "$key" text, "$fingerprint" text, `;
const KEY_COLUMNS = sql`request_api_key, request_key, request_fingerprint, `;

const KNOWN = sql`known as materialized (
    -- The limit has keys looked up one by one: a plan from when the table was small would read all of it.
    select position, first.* from request, lateral (
      select status, nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint, ${EXPIRED} as expired
      from idempotency_keys where (api_key_id, key) = (request_api_key, request_key) limit 1
    ) as first where not expired
  ), `;

/** The locks come before the change: a key that is stored while the change waits would be missing from the snapshot. */
const IS_NEW = sql`where position not in (select position from known) and (request_key is null
      or pg_try_advisory_xact_lock(hashtextextended(request_api_key || ':' || request_key, 0)))`;

const STORE = sql`, stored as (
    insert into idempotency_keys as stored (api_key_id, key, fingerprint, status, answer, created_at)
    select request_api_key, request_key, decode(request_fingerprint, 'hex'), status, coalesce(body, 'null')::json, petstore_now()
    from answered where request_key is not null
    -- Replaces an expired key. Otherwise the time is null, which fails: a repetition must not change anything.
    on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      answer = excluded.answer, created_at = case when stored.${EXPIRED} then excluded.created_at end
  )`;

/** The statement around a change, for requests with keys and for those without, which have nothing to look up or to store. */
function prepare(name: string, definition: Parts, change: Steps) {
  const { new: columns, status, body, batch } = definition;
  const names = sql.join(Object.keys(columns).map((column) => sql.ref(column)));
  const typed = sql.join(
    Object.entries(columns).map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(type as ColumnType)}`),
  );
  const steps = Object.entries('toOperationNode' in change ? { change } : change);
  // Postgres expects a hundred rows of a set, and may read a whole table for them.
  const parse = batch ? sql`json_to_recordset` : sql`json_to_record`;
  const compose = (isKeyed: boolean) => {
    const ifKeyed = (part: RawBuilder<unknown>) => (isKeyed ? part : sql``);
    return statement<{ requests: string }, Row>(
      isKeyed ? `${name}_keyed` : name,
      (value) => sql`
  with request as materialized (
    select * from rows from (${parse}(${value('requests')}::json) as (${ifKeyed(KEY)}${typed}))
      with ordinality as request (${ifKeyed(KEY_COLUMNS)}${names}, position)
  ), ${ifKeyed(KNOWN)}new as materialized (
    select * from request ${ifKeyed(IS_NEW)}
  ), ${sql.join(steps.map(([step, text]) => sql`${sql.ref(step)} as materialized (${text as RawBuilder<unknown>})`))}, answered as materialized (
    select ${ifKeyed(sql`new.request_api_key, new.request_key, new.request_fingerprint, `)}position, case when change.position is null then 404
      else ${typeof status === 'number' ? sql.lit(status) : status} end as status, ${body?.('change') ?? sql`null`} as body
    from new left join change using (position)
  )${ifKeyed(STORE)}
  select position::integer, status, body, null as fingerprint from answered
  ${ifKeyed(sql`union all select position::integer, status, body, fingerprint from known`)}`,
    );
  };
  return { keyed: compose(true), plain: compose(false) };
}

/** Identifies a request: a repetition must have the same path, query and body, its fields in any order. */
export function fingerprintOf(request: unknown): string {
  return hash('sha256', JSON.stringify(request, sorted));
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The IETF draft quotes the key, most clients do not. Both forms are the same key. */
const QUOTED = /^"(.*)"$/;

/** SQLSTATE of a row that a constraint refuses because of other rows: a foreign key, a unique or an exclusion constraint. */
const CONFLICT = /^23(503|505|P01)$/;

const CONFLICTING = 'The request conflicts with what is stored';

const IN_USE = 'A request with this Idempotency-Key is in progress';

const REUSED = 'This Idempotency-Key was already used with another request';

const MISSING = 'The requested resource could not be found';
