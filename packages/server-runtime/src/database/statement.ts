import { hash } from 'node:crypto';
import { FairSemaphore } from '@petstore-platform/kysely-pipeline';
import { type RawBuilder, sql } from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import pg from 'pg';
import { OutcomeUnknown } from '../errors.ts';
import { causeOf } from './cause.ts';

import { type Index, nameMissingIndexes } from './indexes.ts';
import { builder, readerOn } from './kysely.ts';
import { noteLost } from './lost.ts';
import type { DatabaseHandle } from './open.ts';
import { tryReadOnly } from './read-only.ts';
import type { Own } from './tenants.ts';
import { timeWait } from './timing.ts';

export interface Statement<Values, Row> {
  (on: pg.PoolClient, values: Values): Promise<Row[]>;
  /**
   * @param onRow - takes the rows instead of the result, each when it arrives, while Postgres computes the next. After an
   *   exception, the statement fails at its end
   */
  (on: pg.Pool, values: Values, onRow?: (row: Row) => void): Promise<Row[]>;
}

type Value<Values> = (name: keyof Values & string) => RawBuilder<unknown>;

/** A placeholder for a value in a statement, in addition to the values of Kysely's builder. */
class Name {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The text of SQL without values. */
export const sqlOf = (part: RawBuilder<unknown>): string => part.compile(builder).sql;

/** The place of a value with this name. */
const namedValue = (name: string): RawBuilder<unknown> => sql`${new Name(name)}`;

/**
 * A prepared statement: Kysely compiles it once, Postgres parses and plans it once per connection. pg runs it, because Kysely
 * has no prepared statements.
 *
 * @param title - its name, shown by Postgres and in traces; with a hash where another statement has it
 * @param write - writes it, with `value(name)` in place of a value
 * @returns a function that runs it on any connection of a pool, or on the given connection
 * @example
 * const selectOlder = statement<{ age: number }, Person>('select_older', (value) => sql`select * from person where age > ${value('age')}`);
 * const people = await selectOlder(db.pool, { age: 40 });
 */
export function statement<Values extends object, Row extends object>(
  title: string,
  write: (value: Value<Values>) => RawBuilder<Row>,
): Statement<Values, Row> {
  const { sql: text, parameters } = write(namedValue).compile(builder);
  const name = nameOf(title, text);
  return async (on: pg.Pool | pg.PoolClient, values: Values, onRow?: (row: Row) => void): Promise<Row[]> => {
    try {
      const config = {
        name,
        text,
        values: parameters.map((each) => (each instanceof Name ? values[each.name as keyof Values] : each)),
      };
      if (!onRow) return (await on.query<Row>(config)).rows;
      const failures: unknown[] = [];
      const query = new pg.Query<Row>(config).on('row', (row) => {
        try {
          onRow(row);
        } catch (error) {
          // Thrown in pg's handler, the error would end the process.
          failures.push(error);
        }
      });
      // A pool returns a promise here, although its type does not say so.
      await on.query(query);
      if (failures.length > 0) throw failures[0];
      return [];
    } catch (error) {
      throw on instanceof pg.Pool ? noteLost(on, error) : error;
    }
  };
}

const texts = new Map<string, string>();

/** The length in bytes up to which Postgres tells names apart. */
const LENGTH = 63;

/** Two statements never share a name: a session would refuse the second, or run the first. */
function nameOf(title: string, text: string): string {
  const bytes = Buffer.from(title);
  const isFree = (texts.get(title) ?? text) === text;
  if (!isFree || bytes.length > LENGTH)
    return nameOf(`${bytes.subarray(0, 46)}_${hash('sha256', title + text).slice(0, 8)}`, text);
  texts.set(title, text);
  return title;
}

type Log = Parameters<typeof nameMissingIndexes>[2];

/** Status of a connection without a transaction. */
const IDLE = 'I';

/** The database for the handlers of operations. */
export class Handle {
  readonly db: DatabaseHandle;
  readonly #log: Log | undefined;
  readonly #needed = new Set<string>();
  readonly #semaphore: FairSemaphore;

  /** @param log - of missing indexes, and of warnings */
  constructor(db: DatabaseHandle, { log }: { log?: Log | undefined } = {}) {
    this.db = db;
    this.#log = log;
    this.#semaphore = new FairSemaphore(Math.max(1, Math.floor((db.pool.options.max ?? 10) / 2)), this.timeout);
  }

  /** The longest wait in milliseconds for a connection, or of a change that others precede. */
  get timeout(): number {
    return this.db.pool.options.connectionTimeoutMillis ?? 0;
  }

  /** Logs an index that a statement needs, once, if it is missing. Several statements of an operation may need the same. */
  needs(index: Index): void {
    const need = JSON.stringify(index);
    if (this.#needed.has(need)) return;
    this.#needed.add(need);
    if (this.#log) nameMissingIndexes(this.db, [index], this.#log).catch(() => {});
  }

  warn(details: object, message: string): void {
    this.#log?.warn(details, message);
  }

  reader<Tables>(own: Own | undefined): ReadonlyKysely<Tables> {
    return readerOn<Tables>(this.db.pool, own);
  }

  /**
   * Runs a transaction, or one statement, and calls `commits` before it sends a statement that may commit. A connection that is lost
   * before has stored nothing.
   *
   * @param caller - shares the connections with other callers: see {@link FairSemaphore}
   * @throws OutcomeUnknown for any failure after `commits` after which the connection is gone. Any other failure has stored nothing
   */
  async transact<Result>(
    caller: unknown,
    run: (connection: pg.PoolClient, commits: () => void) => Promise<Result>,
  ): Promise<Result> {
    // A failure to connect is safe: nothing was sent.
    const [connection, release] = await timeWait('change', async () => {
      const release = await this.#semaphore.take(caller);
      try {
        return [(await this.db.pool.connect()) as pg.PoolClient & { pipeline: boolean }, release] as const;
      } catch (error) {
        release();
        throw error;
      }
    });
    let mayCommit = false;
    let isReadOnly = false;
    try {
      connection.pipeline = true;
      return await run(connection, () => {
        mayCommit = true;
      });
    } catch (error) {
      isReadOnly = causeOf(error) === 'read_only';
      // Postgres reports an error before it frees its locks. This waits until they are free, because a repetition could find its key in
      // use. An answer means that the failure was rolled back. A session that ended may have committed, as a recovery may find the commit
      // on the disk.
      const end = connection.getTransactionStatus() === IDLE ? '' : 'rollback';
      const isAlive = await connection.query(end).then(
        () => true,
        () => false,
      );
      if (!isAlive && mayCommit)
        throw new OutcomeUnknown('The connection to the database was lost during a write', { cause: error });
      throw noteLost(this.db.pool, error);
    } finally {
      connection.pipeline = false;
      connection.release(isReadOnly);
      release();
    }
  }
}

/**
 * A {@link statement} that only reads: its first run is in a read-only transaction.
 */
export function query<Values extends object, Row extends object>(
  name: string,
  write: (value: Value<Values>) => RawBuilder<Row>,
) {
  const run = statement<Values, Row>(name, write);
  let isTried = false;
  return async ({ db }: Handle, values: Values, onRow?: (row: Row) => void): Promise<Row[]> => {
    if (isTried) return run(db.pool, values, onRow);
    const client = await db.pool.connect();
    try {
      const rows = await tryReadOnly(client, () => run(client, values));
      isTried = true;
      if (!onRow) return rows;
      for (const row of rows) onRow(row);
      return [];
    } catch (error) {
      throw noteLost(db.pool, error);
    } finally {
      client.release();
    }
  };
}

/**
 * Sends statements in one write, with any that follow in this turn, and without waiting for answers in between: sending takes half of a
 * transaction's CPU time. The client has to be in pipeline mode.
 */
export async function pipelined(client: pg.PoolClient, list: (string | pg.QueryConfig)[]): Promise<pg.QueryResult[]> {
  const { stream } = (client as pg.PoolClient & pg.Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
  // All answers are awaited, so that no statement is on its way when the connection is used again.
  const results = await Promise.allSettled(list.map((each) => client.query(each)));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
