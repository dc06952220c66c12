import { hash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { FairSemaphore, isLostAfter, Pipeline, prepare, ROLLBACK } from '@petstore-platform/kysely-pipeline';
import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Caller } from '../caller.ts';
import { OutcomeUnknown } from '../errors.ts';
import { causeOf } from './cause.ts';
import { type Index, nameMissingIndexes } from './indexes.ts';
import { readers } from './kysely.ts';
import type { DatabaseHandle } from './open.ts';
import type { Scope } from './tenants.ts';

/** A text with the name that Postgres, the log and traces show. */
export interface Named {
  name: string;
  sql: string;
}

/** The statement of an operation. Its text begins with its name, so that `pg_stat_statements` shows it, too. */
export function named(operation: string, text: string): Named {
  const name = `${operation.replace(/\W/g, '_').slice(0, 46)}_${hash('sha256', text).slice(0, 16)}`;
  return { name, sql: `/* ${name} */ ${text}` };
}

export interface Timing {
  /** The purpose of the statement: it reads or changes resources, counts requests of keys, or looks up keys. */
  kind: 'read' | 'change' | 'count' | 'key';
  /** Milliseconds for which its first request waited for its turn or for a connection. */
  waited?: number;
  /** Milliseconds until its result. */
  took?: number;
}

const timings = channel('@petstore-platform/server-runtime:statement');

/** Publishes a timing, which costs nothing without a listener. */
export const noteTiming = (timing: Timing): void => timings.publish(timing);

/** Publishes how long work takes, however it ends. */
export async function timed<Output>(kind: Timing['kind'], work: () => Promise<Output>): Promise<Output> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    noteTiming({ kind, took: performance.now() - began });
  }
}

export const onTiming = (listener: (timing: Timing) => void): void =>
  timings.subscribe((timing) => listener(timing as Timing));

const tracer = trace.getTracer('@petstore-platform/server-runtime');

/** Runs a statement in a span with its name, if its request is traced. */
export async function traced<Output>({ name, sql }: Named, send: () => Promise<Output>): Promise<Output> {
  if (!trace.getActiveSpan()) return send();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql };
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  try {
    return await send();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

const lost = new WeakMap<pg.Pool, number>();

/** `performance.now()` when a pool lost a prepared statement, for example because a pooler gives each transaction another session. */
export const statementLostAt = (pool: pg.Pool): number | undefined => lost.get(pool);

/** Notes whether a failure is such a loss. Returns it. */
function noteLost(pool: pg.Pool, error: unknown): unknown {
  if (causeOf(error) === 'pooler') lost.set(pool, performance.now());
  return error;
}

/** The error of a read. That of Postgres for one that changes something would make the server take the database for a standby. */
export function readFailure({ database }: RequestDb, error: unknown): unknown {
  const isChange = error instanceof pg.DatabaseError && causeOf(error) === 'read_only';
  return isChange
    ? new Error(`A read may only select: ${error.message}`, { cause: error })
    : noteLost(database.pool, error);
}

/** Runs a statement, which Postgres parses and plans once per connection, on any connection of a pool, or on the given one. */
export async function select<Row extends pg.QueryResultRow>(
  on: pg.Pool | pg.PoolClient,
  { name, sql: text }: Named,
  ...values: unknown[]
) {
  try {
    return (await on.query<Row>({ name, text, values })).rows;
  } catch (error) {
    throw on instanceof pg.Pool ? noteLost(on, error) : error;
  }
}

type Log = Parameters<typeof nameMissingIndexes>[2];

/** The facts about the statements that a transaction has sent so far. */
export interface Sent {
  /** Set before a statement that may commit. */
  mayCommit: boolean;
  /** Whether there was SQL of the author, which may have changed the session. It is then restored. */
  hasSql: boolean;
}

type Selecting = { scope: Scope | undefined; caller: Caller; isFresh?: boolean };

/** The database for the handlers of operations. */
export class RequestDb {
  readonly database: DatabaseHandle;
  readonly pipeline: Pipeline;
  readonly reader: ReturnType<typeof readers>;
  readonly service: string;
  readonly #log: Log | undefined;
  readonly #needed = new Set<string>();
  readonly #semaphore: FairSemaphore;

  /** @param log - of missing indexes */
  constructor(db: DatabaseHandle, { log, service = '' }: { log?: Log | undefined; service?: string } = {}) {
    const { pool } = db;
    this.database = db;
    this.service = service;
    this.#log = log;
    // A change may wait for a row that others have locked. The rest of the pool remains for reads.
    this.#semaphore = new FairSemaphore(Math.max(1, Math.floor((pool.options.max ?? 10) / 2)), this.timeout);
    const onRoundTrip = (waited: number, took: number) => noteTiming({ kind: 'read', waited, took });
    this.pipeline = new Pipeline({ pool, timeout: this.timeout, readOnly: true, onRoundTrip });
    this.reader = readers(pool, this.pipeline, {
      service,
      sessions: this.#semaphore,
      traced: ({ sql }, send) => traced(prepare(sql), send),
      failure: (error) => readFailure(this, error),
    });
  }

  /** The longest wait in milliseconds for a connection, or of a change that others precede. */
  get timeout(): number {
    return this.database.pool.options.connectionTimeoutMillis ?? 0;
  }

  /** Selects for a caller. @param query - of the handler, of which the statement is made */
  async read(
    { name, sql }: Named,
    query: CompiledQuery,
    { scope, caller, isFresh = false }: Selecting,
    values = query.parameters,
  ) {
    const options = { caller: caller.id, isFresh, ...scope?.reading(query, caller, this.service) };
    const { rows } = await traced({ name, sql }, () => this.pipeline.read(prepare(sql, values, name), options));
    return rows;
  }

  /** Logs an index that a statement needs, once, if it is missing. Several statements of an operation may need the same. */
  needs(index: Index): void {
    const need = JSON.stringify(index);
    if (this.#needed.has(need)) return;
    this.#needed.add(need);
    if (this.#log) nameMissingIndexes(this.database, [index], this.#log).catch(() => {});
  }

  /**
   * Runs a transaction, or one statement. A connection that is lost before `mayCommit` has stored nothing.
   *
   * @param caller - shares the connections with other callers: see `FairSemaphore`
   * @throws OutcomeUnknown for any failure after `mayCommit` after which the connection is gone. Any other failure has stored nothing
   */
  async transact<Output>(
    caller: unknown,
    work: (connection: pg.PoolClient, sent: Sent) => Promise<Output>,
  ): Promise<Output> {
    // A failure to connect is safe: nothing was sent.
    const since = performance.now();
    const connect = async () => {
      const release = await this.#semaphore.take(caller);
      try {
        return [await this.database.pool.connect(), release] as const;
      } catch (error) {
        release();
        throw error;
      }
    };
    // Published however it ends: during an outage, most waits fail.
    const noteWait = () => noteTiming({ kind: 'change', waited: performance.now() - since });
    const [connection, release] = await connect().finally(noteWait);
    const sent: Sent = { mayCommit: false, hasSql: false };
    let isReadOnly = false;
    try {
      return await timed('change', () => work(connection, sent));
    } catch (error) {
      const cause = Object(error).cause ?? error;
      noteLost(this.database.pool, cause);
      isReadOnly = causeOf(cause) === 'read_only';
      // The reply to a further query tells that all statements have ended. Without it, Postgres may have stored the commit before a crash.
      const isOpen = connection.getTransactionStatus() !== 'I' && !sent.mayCommit;
      const isLost = await isLostAfter(connection, ...(isOpen ? [ROLLBACK] : []));
      if (isLost && sent.mayCommit)
        throw new OutcomeUnknown('The connection to the database was lost during a write', { cause: error });
      throw error;
    } finally {
      // The caller waits until its locks are free, because a repetition could find its key in use.
      if (connection.getTransactionStatus() !== 'I') await connection.query('rollback').catch(() => {});
      const isClean = connection.getTransactionStatus() === 'I' && !isReadOnly;
      const free = (isBroken: boolean) => {
        connection.release(isBroken);
        release();
      };
      if (sent.hasSql && isClean) void isLostAfter(connection, ...this.database.restore()).then(free);
      else free(!isClean);
    }
  }
}
