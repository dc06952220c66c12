import type { CompiledQuery, Driver, QueryResult, TransactionSettings } from 'kysely';
import type pg from 'pg';
import { noteLost } from './lost.ts';
import type { Known } from './nodes.ts';
import { PreparedConnection, STALE } from './prepared-connection.ts';
import { refusedChange, tryReadOnly } from './read-only.ts';
import type { Own } from './tenants.ts';
import { noteTiming, timeWait } from './timing.ts';

/** Runs each text for the first time in a read-only transaction, unless it is in one already. */
class ReadConnection extends PreparedConnection {
  readonly #began = performance.now();
  readonly #pool: pg.Pool;
  /** Whether a transaction is open. */
  #isOpen = false;
  #isRunning = false;
  #isReleased = false;

  constructor(pool: pg.Pool, client: pg.PoolClient, own: Own | undefined) {
    super(client, () => undefined, own);
    this.#pool = pool;
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#refuseIfReleased();
    return super.executeQuery<Row>(query).catch((error) => {
      if (this.#isOpen || error.code !== STALE) throw error;
      this.#refuseIfReleased();
      return super.executeQuery<Row>(query);
    });
  }

  protected override async run(statement: Known, config: pg.QueryConfig): Promise<pg.QueryResult> {
    const run = () => super.run(statement, config);
    this.#isRunning = true;
    try {
      const result = await (statement.isTried || this.#isOpen ? run() : tryReadOnly(this.client, run));
      statement.isTried = true;
      return result;
    } catch (error) {
      throw noteLost(this.#pool, refusedChange(error));
    } finally {
      this.#isRunning = false;
    }
  }

  /** One snapshot for several selects. */
  async begin({ isolationLevel }: TransactionSettings): Promise<void> {
    await this.client.query(`begin read only${isolationLevel ? ` isolation level ${isolationLevel}` : ''}`);
    this.#isOpen = true;
  }

  async end(): Promise<void> {
    await this.client.query('rollback');
  }

  #refuseIfReleased(): void {
    if (this.#isReleased) throw new Error('The connection has been released: a statement was not awaited');
  }

  release(): void {
    this.#isReleased = true;
    // The end of a statement that was not awaited would roll back the next transaction on the connection, which is closed instead.
    this.client.release(this.#isRunning);
    noteTiming({ kind: 'read', took: performance.now() - this.#began });
  }
}

/** Reads on connections of a pool. Each statement is prepared, under a name from its text. */
export class ReadDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #own: Own | undefined;

  constructor(pool: pg.Pool, own?: Own) {
    this.#pool = pool;
    this.#own = own;
  }

  async acquireConnection(): Promise<ReadConnection> {
    if (this.#own?.isOver) throw new Error('The handler is done: a statement was not awaited, or its query was kept');
    const client = await timeWait('read', () => this.#pool.connect());
    return new ReadConnection(this.#pool, client, this.#own);
  }

  async releaseConnection(connection: ReadConnection): Promise<void> {
    connection.release();
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async beginTransaction(connection: ReadConnection, settings: TransactionSettings): Promise<void> {
    await connection.begin(settings);
  }

  async commitTransaction(connection: ReadConnection): Promise<void> {
    await connection.end();
  }

  async rollbackTransaction(connection: ReadConnection): Promise<void> {
    await connection.end();
  }
}
