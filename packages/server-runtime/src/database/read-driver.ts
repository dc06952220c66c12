import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import type pg from 'pg';
import { noteLost } from './lost.ts';
import type { Known } from './nodes.ts';
import { PreparedConnection, STALE } from './prepared-connection.ts';
import { refusedChange, tryReadOnly } from './read-only.ts';
import type { Own } from './tenants.ts';
import { noteTiming, timeWait } from './timing.ts';

/** Throws for a statement that it refuses. */
export type Check = (statement: Pick<Known, 'tables'>) => void;

/** Runs each text for the first time in a read-only transaction, unless it is in one already. */
class ReadConnection extends PreparedConnection {
  readonly began = performance.now();
  readonly #pool: pg.Pool;
  isOpen = false;
  isRunning = false;
  isReleased = false;

  constructor(pool: pg.Pool, client: pg.PoolClient, check: (statement: Known) => void, own: Own | undefined) {
    super(client, (statement) => void check(statement), own);
    this.#pool = pool;
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return super.executeQuery<Row>(query).catch((error) => {
      if (this.isOpen || error.code !== STALE) throw error;
      return super.executeQuery<Row>(query);
    });
  }

  protected override async run(statement: Known, config: pg.QueryConfig): Promise<pg.QueryResult> {
    const run = () => super.run(statement, config);
    this.isRunning = true;
    try {
      const result = await (statement.isTried || this.isOpen ? run() : tryReadOnly(this.client, run));
      statement.isTried = true;
      return result;
    } catch (error) {
      throw noteLost(this.#pool, refusedChange(error));
    } finally {
      this.isRunning = false;
    }
  }
}

/** Reads on connections of a pool. Each statement is prepared, under a name from its text. */
export class ReadDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #check: Check | undefined;
  readonly #own: Own | undefined;

  constructor(pool: pg.Pool, check?: Check, own?: Own) {
    this.#pool = pool;
    this.#check = check;
    this.#own = own;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#own?.isOver) throw new Error('The handler is done: a statement was not awaited, or its query was kept');
    const client = await timeWait('read', () => this.#pool.connect());
    const check = (statement: Known) => {
      if (connection.isReleased) throw new Error('The connection has been released: a statement was not awaited');
      this.#check?.(statement);
    };
    const connection: ReadConnection = new ReadConnection(this.#pool, client, check, this.#own);
    return connection;
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const { client, began, isRunning } = connection as ReadConnection;
    (connection as ReadConnection).isReleased = true;
    // The end of a statement that was not awaited would roll back the next transaction on the connection, which is closed instead.
    client.release(isRunning);
    noteTiming({ kind: 'read', took: performance.now() - began });
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  /** One snapshot for several selects. */
  async beginTransaction(connection: DatabaseConnection, { isolationLevel }: TransactionSettings): Promise<void> {
    const { client } = connection as ReadConnection;
    await client.query(`begin read only${isolationLevel ? ` isolation level ${isolationLevel}` : ''}`);
    (connection as ReadConnection).isOpen = true;
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.rollbackTransaction(connection);
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as ReadConnection).client.query('rollback');
  }
}
