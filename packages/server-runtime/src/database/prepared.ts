import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultConnectionProvider,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  type KyselyProps,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SingleConnectionProvider,
  Transaction,
  type TransactionSettings,
} from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type pg from 'pg';
import { ApiError } from '../errors.ts';
import { reuseBeginnings } from './beginnings.ts';
import { noteLost } from './lost.ts';
import type { Known } from './nodes.ts';
import { PreparedConnection, STALE } from './prepared-connection.ts';
import { refusedChange, tryReadOnly } from './read-only.ts';
import { noteTiming, timeWait } from './timing.ts';

/** Runs each text for the first time in a read-only transaction, unless it is in one already. */
class ReadConnection extends PreparedConnection {
  readonly began = performance.now();
  readonly #pool: pg.Pool;
  isOpen = false;
  isRunning = false;
  isReleased = false;

  constructor(pool: pg.Pool, client: pg.PoolClient, check: (statement: Known) => void) {
    super(client, (statement) => void check(statement));
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
class ReadDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #check: Check | undefined;

  constructor(pool: pg.Pool, check?: Check) {
    this.#pool = pool;
    this.#check = check;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const client = await timeWait('read', () => this.#pool.connect());
    const connection = new ReadConnection(this.#pool, client, (statement) => {
      if (connection.isReleased) throw new Error('The connection has been released: a statement was not awaited');
      this.#check?.(statement);
    });
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

const offline: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/** Builds statements, and runs none. */
export const builder = new Kysely<never>({ dialect: offline });

/** Kysely would wrap a driver of a dialect for each connection, to log and to initialize it. */
const runningOn = (provider: ConnectionProvider, driver: Driver = new DummyDriver()): KyselyProps => ({
  config: { dialect: offline },
  dialect: offline,
  driver,
  executor: builder.getExecutor().withConnectionProvider(provider),
});

/** Builds statements. Those that are run have no result, so that a handler cannot go on. */
export const buildOnly = new Kysely<never>(runningOn({ provideConnection: () => new Promise(() => {}) }));

/** Throws for a statement that it refuses. */
export type Check = (statement: Pick<Known, 'tables'>) => void;

export function readerOn<Tables>(pool: pg.Pool, check?: Check): ReadonlyKysely<Tables> {
  const driver = new ReadDriver(pool, check);
  const db = new Kysely<Tables>(runningOn(new DefaultConnectionProvider(driver), driver));
  // The pool would lose the connection of a transaction that its handler does not end, for example after an exception.
  const startTransaction = () => {
    throw new Error('A read may not use startTransaction(), but transaction(), which always ends');
  };
  Object.assign(db, { startTransaction });
  reuseBeginnings(db);
  // Its type keeps the methods of changes, so that the compiler says why they cannot be used.
  return db as unknown as ReadonlyKysely<Tables>;
}

/** An open transaction. */
export interface Open {
  client: pg.PoolClient;
  /** Resolves when the transaction is open. Until then, only selects are sent. */
  begun?: Promise<unknown> | undefined;
  /** Whether all its statements see the same snapshot, so that a row that others have changed since then fails a change of it. */
  isSnapshot: boolean;
}

/** Thrown for a select that does not lock its rows in a transaction without a snapshot: others may change them before it does. */
export class NeedsSnapshot extends Error {}

export interface Opening {
  /** Called at the first statement, which waits for it. */
  open(): Promise<Open>;
  isListed(table: string): boolean;
  check?: Check;
}

/**
 * Kysely in a transaction. Rows become visible in the order of their ids, as lists need it: before the first insertion into a table that
 * they walk, its lock is taken until the end.
 */
export function transactionOn<Tables>({ open, isListed, check }: Opening) {
  const locked = new Set<string>();
  const state = { isOpen: true, isAnswering: false, needsSnapshot: false, isChanged: false, unfinished: 0 };
  const refuseAfterEnd = () => {
    if (!state.isOpen) throw new Error('The transaction has ended: a statement was not awaited');
  };
  const connectionTo = ({ client, begun, isSnapshot }: Open) =>
    new PreparedConnection(client, async (statement) => {
      refuseAfterEnd();
      if (statement.isUnlocked && !isSnapshot && !state.isAnswering) {
        state.needsSnapshot = true;
        throw new NeedsSnapshot('The transaction runs again');
      }
      if (statement.isUnknown)
        throw new Error('In a transaction, Kysely builds the statements: SQL hides what they insert into');
      if (statement.isEmpty) throw new ApiError(400, 'The request changes nothing');
      check?.(statement);
      if (begun && statement.isChange) await begun;
      for (const table of statement.insertions) {
        if (locked.has(table) || !isListed(table)) continue;
        refuseAfterEnd();
        locked.add(table);
        await client.query({ name: 'runtime_take_turn', text: TAKE_TURN, values: [table] });
      }
      state.isChanged ||= statement.isChange;
      return refuseAfterEnd;
    });
  let single: SingleConnectionProvider | undefined;
  const provider: ConnectionProvider = {
    async provideConnection(run) {
      refuseAfterEnd();
      state.unfinished += 1;
      const opened = single ? undefined : await open();
      if (opened) single ??= new SingleConnectionProvider(connectionTo(opened));
      const result = await (single as SingleConnectionProvider).provideConnection(run);
      state.unfinished -= 1;
      return result;
    },
  };
  const db = new Transaction<Tables>(runningOn(provider));
  return {
    db,
    state,
    /**
     * Runs nothing from now on, as another transaction has the connection.
     *
     * @returns whether all statements are done, and none failed
     */
    end() {
      state.isOpen = false;
      return state.unfinished === 0;
    },
  };
}

const TAKE_TURN = 'select pg_advisory_xact_lock($1::regclass::oid::integer, 0)';
