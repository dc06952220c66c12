import {
  type CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
  type RootOperationNode,
  SelectQueryNode,
  type TransactionSettings,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { isGone, isLostAfter, isStale, type Result, run } from './group.ts';
import { Pipeline, type PipelineOptions, type ReadOptions } from './pipeline.ts';
import { BEGIN, COMMIT, isControl, MAX_NAMES, prepare, ROLLBACK, type Statement, settingsOf } from './statement.ts';

export interface PipelineDialectOptions extends PipelineOptions {
  /** Default: one of its own. Several instances of Kysely may share one. */
  pipeline?: Pipeline;
  /** How its selects outside of transactions are read. */
  read?: ReadOptions;
}

/** SQLSTATE of a change in a transaction that only reads. */
const READ_ONLY = '25006';

/** A result as Kysely has it, which counts the rows that changes affect. */
export const queryResultOf = <Row>({ command, count, rows }: Result): QueryResult<Row> =>
  /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command)
    ? { rows: rows as Row[], numAffectedRows: BigInt(count) }
    : { rows: (/^(COMMIT|ROLLBACK)$/.test(command) ? [{ command }] : rows) as Row[] };

/**
 * A connection of Kysely. A select outside of a transaction shares a round trip with others. Any other statement takes a session of the pool,
 * which the connection keeps until its end, so that what follows in it sees the same session.
 */
export class PipelineConnection implements DatabaseConnection {
  readonly #driver: PipelineDriver;
  readonly #read: ReadOptions | undefined;
  #client: Promise<pg.PoolClient> | undefined;
  isInTransaction = false;
  #isReleased = false;
  #isRunning = false;
  #isBroken = false;
  #hasEnded = false;

  /** @param read - default: the options of the dialect */
  constructor(driver: PipelineDriver, read = driver.options.read) {
    this.#driver = driver;
    this.#read = read;
  }

  /** The options of a statement of its own. Default: those of its reads, whose settings a transaction has from its beginning. */
  protected optionsFor(_query: CompiledQuery): ReadOptions {
    return {};
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = prepare(query.sql, query.parameters);
    const options = this.optionsFor(query);
    this.#refuseReleased();
    const read = { ...this.#read, ...options };
    if (this.isInTransaction) {
      if (this.#hasEnded) throw new Error('The transaction has ended');
      const result = (await this.run(...settingsOf(options.settings), statement)).at(-1) as Result;
      if (options.hasSql && result.command !== 'SELECT') this.#isBroken = true;
      // After SQL such as `commit`, further statements could change rows.
      this.#hasEnded = this.#driver.options.readOnly === true && (await this.open()).getTransactionStatus() === 'I';
      return queryResultOf(result);
    }
    if (this.#client || !this.#driver.isRead(query.query, statement)) return this.#runAlone(statement, read);
    try {
      return queryResultOf(await this.#driver.pipeline.read(statement, read));
    } catch (error) {
      Error.captureStackTrace(error as Error);
      if (this.#driver.options.readOnly || !(error instanceof pg.DatabaseError) || error.code !== READ_ONLY)
        throw error;
      // A select that changes rows, as by a function.
      this.#driver.changes.set(statement.name, true);
      return this.#runAlone(statement, read);
    }
  }

  /**
   * Runs a statement outside of a transaction, with its settings in one of its own. One that a migration has made stale has changed nothing,
   * and runs again.
   */
  async #runAlone<Row>(statement: Statement, { settings }: ReadOptions): Promise<QueryResult<Row>> {
    const changes = settingsOf(settings);
    const client = await this.open();
    const isWhole = changes.length > 0 && client.getTransactionStatus() === 'I' && !isControl(statement.sql);
    const all = isWhole ? [BEGIN, ...changes, statement, COMMIT] : [...changes, statement];
    const once = () =>
      this.run(...all).catch(async (error: unknown) => {
        if (isWhole && !this.#isBroken) this.#isBroken = await isLostAfter(client, ROLLBACK);
        throw error;
      });
    const results = await once().catch((error: unknown) => {
      if (!isStale(error)) throw error;
      return once();
    });
    return queryResultOf(results.at(isWhole ? -2 : -1) as Result);
  }

  /** Takes a session of the pool. */
  async open(): Promise<pg.PoolClient> {
    this.#refuseReleased();
    this.#client ??= this.#driver.options.pool.connect();
    return this.#client;
  }

  #refuseReleased(): void {
    if (this.#isReleased) throw new Error('The connection has been released: a statement was not awaited');
  }

  /** Runs statements on the session of this connection, in one write. A failure gets the stack of its caller, as pg's has the parser's. */
  async run(...statements: Statement[]): Promise<Result[]> {
    const client = await this.open();
    this.#isRunning = true;
    try {
      return await run(client, ...statements);
    } catch (error) {
      Error.captureStackTrace(error as Error);
      if (isGone(error)) this.#isBroken = true;
      throw error;
    } finally {
      this.#isRunning = false;
    }
  }

  // biome-ignore lint/correctness/useYield: never called
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('PipelineDialect does not stream rows: use PostgresDialect with pg-cursor for such a query');
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await this.close();
  }

  /** Gives back the session. */
  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    this.#hasEnded = false;
    // The end of a statement that was not awaited would reach the next one on the session, which is closed instead.
    client?.release(this.#isBroken || this.#isRunning);
  }
}

export class PipelineDriver extends PostgresDriver {
  readonly options: PipelineDialectOptions;
  readonly pipeline: Pipeline;
  /** The selects that change rows, by the names of their statements. */
  readonly changes = new LRUCache<string, true>({ max: MAX_NAMES });

  constructor(options: PipelineDialectOptions) {
    super(options);
    this.options = options;
    this.pipeline = options.pipeline ?? new Pipeline(options);
  }

  /** Whether a statement is sent with those of others. SQL of the author may be anything, so that it is one only if all are. */
  isRead(node: RootOperationNode, { name }: Statement): boolean {
    return this.options.readOnly === true || (SelectQueryNode.is(node) && !this.changes.has(name));
  }

  override async acquireConnection(): Promise<PipelineConnection> {
    return new PipelineConnection(this);
  }

  override async beginTransaction(connection: PipelineConnection, settings: TransactionSettings): Promise<void> {
    await connection.open();
    await super.beginTransaction(
      connection,
      this.options.readOnly ? { ...settings, accessMode: 'read only' } : settings,
    );
    connection.isInTransaction = true;
    const statements = settingsOf(this.options.read?.settings);
    // After a statement, the transaction can no longer be made one that writes.
    if (this.options.readOnly) statements.push(prepare('select'));
    if (statements.length > 0) await connection.run(...statements);
  }

  override async commitTransaction(connection: PipelineConnection): Promise<void> {
    if (this.options.readOnly) return this.rollbackTransaction(connection);
    await super.commitTransaction(connection);
    connection.isInTransaction = false;
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PipelineConnection).run(ROLLBACK);
    (connection as PipelineConnection).isInTransaction = false;
    // Later statements could change rows, and the session for others.
    if (this.options.readOnly) await (connection as PipelineConnection).close();
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await (connection as PipelineConnection).release();
  }
}

/**
 * A dialect of Kysely for Postgres, on which concurrent queries share round trips.
 *
 * @example
 * const db = new Kysely<Tables>({ dialect: new PipelineDialect({ pool: new pg.Pool({ connectionString }) }) });
 */
export class PipelineDialect extends PostgresDialect {
  readonly #options: PipelineDialectOptions;

  constructor(options: PipelineDialectOptions) {
    super(options);
    this.#options = options;
  }

  override createDriver(): PipelineDriver {
    return new PipelineDriver(this.#options);
  }
}
