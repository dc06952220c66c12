import { hash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SingleConnectionProvider,
  Transaction,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { changesOf, insertionsOf, isUnknown, tablesOf, writeOf } from './nodes.ts';
import { run as runPrepared } from './run.ts';

/** Texts with a name, at most, in the process and in each session. A text whose length varies, as of a list, would fill its memory. */
const NAMED = 500;

/** What a statement is, found once for each text: the tree takes longer to walk than to compile. */
export interface Known {
  name: string;
  /** See {@link writeOf}. */
  write: string | undefined;
  isUnknown: boolean;
  insertions: string[];
  changes: string[];
  tables: string[];
}

/** By text. */
const known = new LRUCache<string, Known, CompiledQuery>({
  max: NAMED,
  memoMethod: (text, _, { context: { query } }) => ({
    name: `q_${hash('sha256', text).slice(0, 16)}`,
    write: writeOf(query),
    isUnknown: isUnknown(query),
    insertions: insertionsOf(query),
    changes: changesOf(query),
    tables: tablesOf(query),
  }),
});

/** The statements that a session has prepared, and those that it has to forget. */
const sessions = new WeakMap<object, { prepared: LRUCache<string, true>; old: string[] }>();

function sessionOf(client: pg.PoolClient) {
  const session = sessions.get(client);
  if (session) return session;
  const old: string[] = [];
  const prepared = new LRUCache<string, true>({ max: NAMED, dispose: (_, name) => void old.push(name) });
  sessions.set(client, { prepared, old });
  return { prepared, old };
}

type Parsed = { connection: { parsedStatements: Record<string, unknown> } };

class PreparedConnection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  readonly #check: (statement: Known) => Promise<void> | void;

  constructor(client: pg.PoolClient, check: (statement: Known) => Promise<void> | void) {
    this.client = client;
    this.#check = check;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = known.memo(query.sql, { context: query });
    await this.#check(statement);
    const { name } = statement;
    const { prepared, old } = sessionOf(this.client);
    prepared.set(name, true);
    const { parsedStatements } = (this.client as unknown as Parsed).connection;
    for (const each of old.splice(0)) {
      // One that Postgres refused is not there, and an error would end a transaction.
      if (parsedStatements[each]) await this.client.query(`deallocate "${each}"`);
      delete parsedStatements[each];
    }
    const { command, rowCount, rows } = await runPrepared<pg.QueryResult>(this.client, {
      name,
      text: query.sql,
      values: [...query.parameters],
    });
    const isChange = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command);
    return isChange ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows };
  }

  // biome-ignore lint/correctness/useYield: never called
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed');
  }
}

/** Reads on connections of a pool, each statement prepared under a name from its text. Refuses what is no select. */
class ReadDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #check: Check | undefined;

  constructor(pool: pg.Pool, check?: Check) {
    this.#pool = pool;
    this.#check = check;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new PreparedConnection(await this.#pool.connect(), (statement) => {
      if (statement.write) throw new Error(`A read may only select: ${statement.write}`);
      this.#check?.(statement);
    });
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as PreparedConnection).client.release();
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  beginTransaction = refuse;
  commitTransaction = refuse;
  rollbackTransaction = refuse;
}

const refuse = () => Promise.reject(new Error('A read has no transaction'));

const dialectOf = (createDriver: () => Driver): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

const offline = dialectOf(() => new DummyDriver());

/** Builds statements, and runs none. */
export const builder = new Kysely<never>({ dialect: offline });

/** Kysely, as far as it reads: no changes, no transactions, no SQL that it did not build. */
export type ReadDatabase<Tables> = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'fn' | 'case' | 'dynamic'>;

/** Refuses a statement, by an exception. */
export type Check = (statement: Known) => void;

export function readerOn<Tables>(pool: pg.Pool, check?: Check): ReadDatabase<Tables> {
  return new Kysely<Tables>({ dialect: dialectOf(() => new ReadDriver(pool, check)) });
}

/**
 * Kysely in a transaction that is open on a connection. Rows become visible in the order of their ids, as lists need it: before the
 * first insertion into a table, its lock is taken until the end.
 *
 * @returns also `end`, after which it runs nothing: another transaction has the connection
 */
export function transactionOn<Tables>(client: pg.PoolClient, check?: Check) {
  const locked = new Set<string>();
  let isOpen = true;
  const connection = new PreparedConnection(client, async (statement) => {
    if (!isOpen) throw new Error('The transaction has ended: a statement was not awaited');
    if (statement.isUnknown)
      throw new Error('In a transaction, Kysely builds the statements: SQL hides what they insert into');
    check?.(statement);
    for (const table of statement.insertions) {
      if (locked.has(table)) continue;
      locked.add(table);
      await runPrepared(client, { name: 'take_turn', text: TAKE_TURN, values: [table] });
    }
  });
  const executor = builder.getExecutor().withConnectionProvider(new SingleConnectionProvider(connection));
  const db = new Transaction<Tables>({
    config: { dialect: offline },
    dialect: offline,
    driver: new DummyDriver(),
    executor,
  });
  return {
    db,
    end() {
      isOpen = false;
    },
  };
}

const TAKE_TURN = 'select pg_advisory_xact_lock($1::regclass::oid::integer, 0)';
