import { isOperationNodeSource, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import pg from 'pg';
import { insertionsOf, isUnknown, type Privilege, privilegesOf, quoted } from '../database/nodes.ts';
import { builder } from '../database/prepared.ts';
import { type Handle, statement } from '../database/statement.ts';
import { EXPIRED, type FailureOf, type First, type Item, idempotent } from './idempotency.ts';
import { type Distributed, distribute, type Schema, type Step, type Steps } from './storage.ts';

/** A column of a table, as in `stores.name`. */
export type ColumnName<Tables> = {
  [Table in keyof Tables & string]: `${Table}.${keyof Selectable<Tables[Table]> & string}`;
}[keyof Tables & string];

type ValueOf<Tables, Name> = Name extends `${infer Table extends keyof Tables & string}.${infer Column}`
  ? Selectable<Tables[Table]>[Column & keyof Selectable<Tables[Table]>]
  : never;

/** The tables, and `new` with a row for each request that is not a repetition. */
export type WithNew<Tables, New> = Tables & {
  new: { [Name in keyof New]: ValueOf<Tables, New[Name]> | null } & { position: number };
};

export interface Change<Tables, Request, Status extends number, New> {
  /**
   * The columns of `new`, which has a row for each request that is not a repetition, and the columns of tables that give them their
   * types, as in `{ name: 'stores.name' }`. The platform adds the column `position`.
   */
  new: New;
  row(request: Request): { [Name in keyof New]: ValueOf<Tables, New[Name]> | null | undefined };
  /**
   * Reads `new`, and returns its `position` with the columns of `body`. A request without a result is answered with 404. A step
   * does not see the changes of another one, only its result. Insertions into the same table take turns.
   */
  change: Steps | ((db: Kysely<WithNew<Tables, New>>) => Steps);
  /** The tables into which steps of SQL insert. Those of the builder's steps are known. */
  inserts?: readonly (keyof Tables & string)[];
  status: Status;
  /**
   * The messages of failures. 404: there is no result. It is stored like a result, so that a repetition changes nothing either. 409: a
   * constraint refuses the change, and nothing is stored.
   */
  failures?: { 404?: FailureOf<Request>; 409?: FailureOf<Request> };
  /**
   * The most requests that share a statement. Set it only if they never change the same row. Default: each request has its own statement,
   * and those with the same path take turns.
   */
  batch?: number;
  /** How `create` inserts while its table is distributed. */
  distributed?: Distributed;
}

/** The JSON of the response's body, if it has one, from the columns of `change`: see {@link rowJson}. */
export type WithBody<Response> = Response extends { body: infer Body }
  ? { body(row: 'change'): RawBuilder<Extract<Body, string>> }
  : { body?: never };

/** The columns of `change` with the response's headers. A header is absent where its column is null. */
export type WithHeaders<Response> = Response extends { headers: infer Headers }
  ? { headers: HeadersOf<Headers> }
  : Response extends { headers?: infer Headers }
    ? { headers?: HeadersOf<NonNullable<Headers>> }
    : { headers?: never };
type HeadersOf<Headers> = { [Name in keyof Headers]: string };

type Columns = Record<string, string>;

export type AnyChange = Omit<Change<never, never, number, Columns>, 'change' | 'row' | 'failures' | 'inserts'> & {
  change: Steps | ((db: never) => Steps);
  row(request: never): Record<string, unknown>;
  failures?: Record<number, FailureOf<never>>;
  inserts?: readonly string[];
  headers?: Record<string, string>;
  body?: ((row: 'change') => RawBuilder<unknown>) | undefined;
};

type Parts = Pick<AnyChange, 'new' | 'status' | 'batch' | 'headers' | 'body' | 'inserts'> &
  Pick<Distributed, 'inserted'>;

/** A row of the statement's result. `position` is that of the request in the batch, from 1. */
type Row = Omit<First, 'headers'> & { headers?: string | null; position: number; row?: unknown };

/**
 * The handler of an operation that declares `Idempotency-Key`: changes the database once for each key. The change, its response and
 * its key are stored by one statement, under a lock on the key, so that a repetition changes nothing on any server.
 */
export function change(operation: string, definition: AnyChange, schema: Schema) {
  const { distributed } = schema;
  const written = typeof definition.change === 'function' ? definition.change(builder as never) : definition.change;
  const steps = isOperationNodeSource(written) ? { change: written } : written;
  const prepared = prepare(operation, definition, steps, schema);
  const apart =
    definition.distributed ??
    distribute(distributed, steps, { columns: Object.keys(definition.new), isBatch: Boolean(definition.batch) });
  let preparedApart: typeof prepared | undefined;

  const run = async (handle: Handle, items: Item[]): Promise<(First | undefined)[]> => {
    const kind = items.some(({ $key }) => $key !== undefined) ? 'keyed' : 'plain';
    const requests = JSON.stringify(definition.batch ? items : items[0]);
    try {
      const rows = await handle.transact(async (connection, commits) => {
        commits();
        if (!apart?.isActive(handle)) return prepared[kind](connection, { requests });
        preparedApart ??= prepare(
          `${operation}_distributed`,
          { ...definition, inserts: [], ...(apart.inserted && { inserted: apart.inserted }) },
          apart.change(),
          schema,
        );
        if (!apart.beforeCommit)
          return preparedApart[kind](connection, { requests, ...apart.values?.(items[0] as Item) });
        await connection.query('begin');
        const rows = await preparedApart[kind](connection, { requests });
        await apart.beforeCommit(
          handle.db.further(),
          rows.flatMap(({ row }) => (row ? [row] : [])),
        );
        await connection.query('commit');
        return rows;
      });
      const results: (First | undefined)[] = items.map(() => undefined);
      for (const row of rows) {
        const { $fingerprint = null } = items[row.position - 1] as Item;
        results[row.position - 1] = {
          ...row,
          headers: row.headers ?? null,
          fingerprint: row.fingerprint ?? $fingerprint,
        };
      }
      return results;
    } catch (error) {
      // The first request with the key ended between snapshot and lock. Its response is visible now.
      const isRepeated = error instanceof pg.DatabaseError && error.table === 'idempotency_keys';
      if (isRepeated && error.column === 'created_at' && items.length === 1) return run(handle, items);
      if (apart?.isActive(handle) && (await apart.repair?.(handle.db.further(), error))) return run(handle, items);
      throw error;
    }
  };
  const privileges = [
    ...(definition.inserts ?? []).map((table): Privilege => [table, 'insert']),
    ...Object.values<Step>(steps).flatMap((step) => privilegesOf(step.toOperationNode())),
  ];
  return Object.assign(idempotent(run, definition), { privileges });
}

const KEY = sql`request_api_key, request_key, request_fingerprint, `;

const TYPED_KEY = sql`"$apiKey" bigint, "$key" text, "$fingerprint" text, `;

/** `limit 1` makes Postgres look up keys one by one. A plan made while the table was small would read all of it. */
const knownWith = (headers: RawBuilder<unknown>) => sql`known as materialized (
    select position, first.* from request, lateral (
      select status, ${headers}nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint, ${EXPIRED} as expired
      from idempotency_keys where (api_key_id, key) = (request_api_key, request_key) limit 1
    ) as first where not expired
  ), `;

/** The locks come before the change: a key that is stored while the change waits would be missing from the snapshot. */
const IS_NEW = sql`where position not in (select position from known) and (request_key is null
      or pg_try_advisory_xact_lock(hashtextextended(request_api_key || ':' || request_key, 0)))`;

/**
 * Makes rows visible in the order of their ids, so that none appears behind a cursor: a lock is held from before the first id is drawn
 * until the commit. Keys are locked first, then tables in the order of their names, because two statements with different orders would wait
 * for each other.
 */
const takeTurns = (tables: string[]) => sql`request_turn as materialized (
    select ${sql.join(
      tables.map((table) => sql`pg_advisory_xact_lock(${sql.lit(table)}::regclass::oid::integer, 0)::text`),
    )}
    from (select count(*) from request_new) as request_new where count > 0
  ), `;

/** Stores a response, or replaces that of an expired key. For a valid key, `created_at` becomes null, which fails the statement. */
const storedWith = (headers: RawBuilder<unknown>) => sql`, stored as (
    insert into idempotency_keys as stored (api_key_id, key, fingerprint, status, ${headers}answer, created_at)
    select request_api_key, request_key, decode(request_fingerprint, 'hex'), answered.status, ${headers}
      coalesce(answered.body, 'null')::json, service_now()
    from new join answered using (position) where request_key is not null
    on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      headers = excluded.headers, answer = excluded.answer, created_at = case when stored.${EXPIRED} then excluded.created_at end
  )`;

/**
 * Composes the statement around a change. It is SQL, because the builder has no `rows from`. Without keys, it looks up and stores nothing.
 */
function prepare(name: string, definition: Parts, change: Steps, { typeOf, isListed }: Schema) {
  const { new: columns, status, headers = {}, body, batch, inserts, inserted } = definition;
  const named = Object.entries(headers).flatMap(([header, from]) => [
    sql.lit(header),
    sql`${sql.ref(`change.${from}`)}::text`,
  ]);
  const ifHeaders = (part: RawBuilder<unknown>) => (named.length > 0 ? part : sql``);
  const ifRow = (part: RawBuilder<unknown>) => (inserted ? part : sql``);
  const names = sql.join(Object.keys(columns).map(sql.ref));
  const typed = sql.join(
    Object.entries(columns).map(([column, like]) => {
      const [table = '', of = ''] = like.split('.');
      return sql`${sql.ref(column)} ${sql.raw(typeOf(table, of))}`;
    }),
  );
  // A single request is parsed as a record: for a set, Postgres expects a hundred rows, and may read a whole table for them.
  const parse = batch ? sql`json_to_recordset` : sql`json_to_record`;
  const steps = Object.entries<Step>(isOperationNodeSource(change) ? { change } : change);
  const nodes = steps.map(([step, source]) => ({ step, node: source.toOperationNode() }));
  const unknown = nodes.find(({ node }) => isUnknown(node));
  if (unknown && !inserts)
    throw new Error(
      `${name}: the step ${unknown.step} is SQL; name the tables into which it inserts, as in inserts: []`,
    );
  const into = [...(inserts ?? []).map((table) => quoted(table)), ...nodes.flatMap(({ node }) => insertionsOf(node))];
  const tables = [...new Set(into.filter(isListed))].sort();
  const turn = tables.length > 0 ? takeTurns(tables) : undefined;
  const isDone = sql`change.position is not null`;
  const compose = (name: string, ifKeyed: (part: RawBuilder<unknown>) => RawBuilder<unknown>) =>
    statement<{ requests: string }, Row>(
      name,
      (value) => sql`
  with request as materialized (
    select * from rows from (${parse}(${value('requests')}::json) as (${ifKeyed(TYPED_KEY)}${typed}))
      with ordinality as request (${ifKeyed(KEY)}${names}, position)
  ), ${ifKeyed(knownWith(ifHeaders(sql`headers::text, `)))}request_new as materialized (
    select * from request ${ifKeyed(IS_NEW)}
  ), ${turn ?? sql``}new as materialized (
    select request_new.* from request_new ${turn ? sql`cross join request_turn` : sql``}
  ), ${sql.join(steps.map(([step, text]) => sql`${sql.ref(step)} as materialized (${text})`))}, answered as materialized (
    select position, case when ${isDone} then ${sql.lit(status)} else 404 end as status${ifHeaders(sql`,
      case when ${isDone} then json_strip_nulls(json_build_object(${sql.join(named)})) end as headers`)},
      ${body ? sql`case when ${isDone} then ${body('change')} end` : sql`null`} as body${ifRow(sql`, ${inserted} as row`)}
    from new left join change using (position)
  )${ifKeyed(storedWith(ifHeaders(sql`headers, `)))}
  select position::integer, status, ${ifHeaders(sql`headers::text, `)}body, null as fingerprint${ifRow(sql`, row`)} from answered
  ${ifKeyed(
    sql`union all select position::integer, status, ${ifHeaders(sql`headers, `)}body, fingerprint${ifRow(sql`, null`)} from known`,
  )}`,
    );
  return { keyed: compose(`${name}_keyed`, (part) => part), plain: compose(name, () => sql``) };
}
