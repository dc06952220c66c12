import {
  type ConnectionProvider,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  type KyselyProps,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutor,
  SingleConnectionProvider,
  Transaction,
} from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type pg from 'pg';
import { ApiError } from '../errors.ts';
import { insertLockQuery, type Locked } from './insert-lock.ts';
import type { Known } from './nodes.ts';
import { PreparedConnection } from './prepared-connection.ts';
import { ReadDriver } from './read-driver.ts';
import { recordQueries } from './recorded.ts';
import { type Own, type Scope, unscopedExecutor } from './tenants.ts';

const offline: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/** Builds statements, and runs none. */
export const builder = new Kysely<never>({ dialect: offline });

/** Kysely would wrap a driver of a dialect for each connection, to log and to initialize it. */
const running = (executor: QueryExecutor, driver: Driver = new DummyDriver()): KyselyProps => ({
  config: { dialect: offline },
  dialect: offline,
  driver,
  executor,
});
const { adapter } = builder.getExecutor();
const executorOn = (provider: ConnectionProvider, scope: Scope | undefined): QueryExecutor =>
  scope
    ? new DefaultQueryExecutor(scope.compiler, adapter, provider)
    : builder.getExecutor().withConnectionProvider(provider);

/** Builds statements. Those that are run have no result, so that a handler cannot go on. */
export function buildOnly(scope: Scope | undefined): Kysely<never> {
  const db = new Kysely<never>(running(executorOn({ provideConnection: () => new Promise(() => {}) }, scope)));
  // A text that is limited to an owner belongs to its own compiler.
  if (!scope) recordQueries(db);
  return db;
}

/** Begins transactions on connections of any pool. */
const beginning = new ReadDriver(undefined as never);

/** @param own - of one request. Default: it runs statements that are bound to their owner, or need none */
export function readerOn<Tables>(pool: pg.Pool, own?: Own): ReadonlyKysely<Tables> {
  const driver = new ReadDriver(pool, own);
  const db = reading<Tables>(executorOn(new DefaultConnectionProvider(driver), own?.scope), driver);
  if (!own) recordQueries(db);
  // Its type keeps the methods of changes, so that the compiler says why they cannot be used.
  return db as unknown as ReadonlyKysely<Tables>;
}

function reading<Tables>(executor: QueryExecutor, driver: ReadDriver): Kysely<Tables> {
  const db = new Kysely<Tables>(running(executor, driver));
  // The pool would lose the connection of a transaction that its handler does not end, for example after an exception.
  const startTransaction = () => {
    throw new Error('A read may not use startTransaction(), but transaction(), which always ends');
  };
  return Object.assign(db, { startTransaction });
}

/** The same Kysely, on the same connection, for the rows of all owners. */
export function unscoped(db: Kysely<never>): Kysely<never> {
  const executor = unscopedExecutor(db.getExecutor());
  return db.isTransaction ? new Transaction<never>(running(executor)) : reading(executor, beginning);
}

/** An open transaction. */
export interface Open {
  client: pg.PoolClient;
  /** Resolves when the transaction is open. Until then, only selects are sent. */
  begun?: Promise<unknown> | undefined;
  /** Whether all its statements see the same snapshot, so that a row that others have changed since then fails a change of it. */
  isSnapshot: boolean;
  locked: Locked;
}

/** Thrown for a select that does not lock its rows in a transaction without a snapshot: others may change them before it does. */
export class NeedsSnapshot extends Error {}

export interface Opening {
  /** Called at the first statement, which waits for it. */
  open(): Promise<Open>;
  isListed(table: string): boolean;
  own: Own | undefined;
}

/**
 * Kysely in a transaction. Rows become visible in the order of their ids, as lists need it: before the first insertion into a table that
 * they walk, its lock is taken until the end.
 */
export function transactionOn<Tables>({ open, isListed, own }: Opening) {
  const sending = Promise.withResolvers<void>();
  const state = { isOpen: true, isAnswering: false, needsSnapshot: false, isChanged: false, unfinished: 0 };
  const refuseAfterEnd = () => {
    if (!state.isOpen) throw new Error('The transaction has ended: a statement was not awaited');
  };
  const connectionTo = ({ client, begun, isSnapshot, locked }: Open) => {
    const allow = async (statement: Known) => {
      refuseAfterEnd();
      if (statement.isUnlocked && !isSnapshot && !state.isAnswering) {
        state.needsSnapshot = true;
        throw new NeedsSnapshot('The transaction runs again');
      }
      if (statement.isUnknown)
        throw new Error('In a transaction, Kysely builds the statements: SQL hides what they insert into');
      if (statement.isEmpty) throw new ApiError(400, 'The request changes nothing');
      if (begun && statement.isChange) await begun;
      for (const table of statement.insertions) {
        if (locked.has(table) || !isListed(table)) continue;
        refuseAfterEnd();
        locked.set(table, Number.POSITIVE_INFINITY);
        await client.query(insertLockQuery(table));
        locked.set(table, performance.now());
      }
      state.isChanged ||= statement.isChange;
      return () => {
        refuseAfterEnd();
        if (state.isAnswering) sending.resolve();
      };
    };
    return new PreparedConnection(client, allow, own);
  };
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
  const db = new Transaction<Tables>(running(executorOn(provider, own?.scope)));
  return {
    db,
    state,
    /** Resolves when the statement of its answer is sent. */
    sent: sending.promise,
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
