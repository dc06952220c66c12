import type { Command } from 'commander';
import type { CompiledQuery } from 'kysely';
import { isAlone, knownOf } from '../database/nodes.ts';
import type { DatabaseHandle, Distributable, SessionEngine } from '../database/open.ts';
import type { Check } from '../database/read-driver.ts';
import type { Handle } from '../database/statement.ts';
import type { Scope } from '../database/tenants.ts';
import type { Settle } from './shared.ts';

/** The query of a page, with the values of its filters: `=column` for that of a column. */
export interface PageQuery extends Record<string, unknown> {
  /** The value of the order before the first item. */
  after: number;
  /** The last value of the order to read in a shard. */
  last: number;
  limit: number;
}

export interface Page {
  /** A JSON array. */
  body: string;
  /** The value of the order in the last item; null when no page follows. */
  next: number | null;
}

/** A page, or the part of it that a shard has. */
export interface Part extends Page {
  count: number;
}

export interface Schema {
  /** @throws Error for a column that the table does not have */
  typeOf(table: string, column: string): string;
  /** The SQL of a column's default, if it has one. */
  defaultOf(table: string, column: string): string | undefined;
  /** Whether lists may page through a table, so that insertions take its lock. */
  isListed(table: string): boolean;
  isTable(name: string): boolean;
  distributed: readonly Storage[];
  /** Undefined in a service whose rows have no owners. */
  scope: Scope | undefined;
}

export interface ListedBy {
  order: readonly string[];
  direction: 'asc' | 'desc';
  filters: readonly { column: string; isPrefix: boolean }[];
}

/** An insertion into a table that is distributed. */
export interface Inserting {
  /** The steps of the statement, in SQL. They read `$new`, and the last one, `$own`, has its `$n` and the columns of the table. */
  steps: Record<string, string>;
  /** SQL of the row for {@link beforeCommit}, from `row`, a row of `$own`. */
  row: string;
  /** Called in the open transaction. @param beside - other connections @param rows - of requests that are no repetitions */
  beforeCommit(beside: DatabaseHandle, rows: unknown[]): Promise<void>;
  /** Called after a failure. Returns whether its cause is gone, so that the insertion runs again. */
  repair(beside: DatabaseHandle, error: unknown): Promise<boolean>;
}

/** The additional parts of an update or a deletion of a row of a distributed table. */
export interface ChangingRow {
  /** SQL of conditions. */
  where: string;
  /** SQL of columns that it returns, by name. */
  returning: Record<string, string>;
  /** Further steps of the statement, in SQL, which may read `$own`, its result. */
  steps: Record<string, string>;
}

export interface ChangedRow {
  /** The name by which the statement calls the table. */
  alias: string;
  /** The columns that are set. */
  columns: readonly string[];
}

export interface InsertedRow {
  /** The columns that are given, and their names in `$new`. */
  given: readonly [column: string, name: string][];
  /** The columns of the response. */
  answered: readonly string[];
}

/** Runs a command on the migrated database, without a time limit, and prints its output. */
export type RunCommand = (work: (db: DatabaseHandle) => Promise<string>) => Promise<void>;

/** An extension of Postgres that distributes tables. */
export interface Engine extends SessionEngine {
  /** Adds commands for these tables to the command line. */
  addCommands(program: Command, run: RunCommand, storages: readonly Storage[]): void;
}

/** How operations work on a table that may be distributed over several nodes: by pages, and rows by their id. */
export interface Storage extends Distributable {
  engine: Engine;
  isActive(db: Handle): boolean;
  /** Called before `pages`, whether it is active or not. @throws Error for pages that it does not have */
  list(list: ListedBy, schema: Schema): void;
  /** Composes the pages of queries. @param read - reads them from one table */
  pages(
    db: Handle,
    queries: PageQuery[],
    read: (shard: Handle, queries: PageQuery[]) => Promise<Part[]>,
  ): Promise<Page[]>;
  /** Called before `rows`, whether it is active or not. @throws Error for another key than the one by which the table is distributed */
  get(by: string): void;
  rows<Row>(
    db: Handle,
    ids: number[],
    select: (shard: Handle, values: { keys: number[] }) => Promise<Row[]>,
  ): Promise<Row[]>;
  insert(row: InsertedRow, schema: Schema): Inserting;
  /** @param block - SQL of the parameter with {@link blockOf} the row */
  change(row: ChangedRow, block: string): ChangingRow;
  blockOf(id: number): number;
}

/**
 * Reads in one of two ways. A connection that is opened for a read may find that the table is distributed now, after which the read runs
 * again.
 */
export async function readIn<Result>(
  db: Handle,
  storage: Storage | undefined,
  settle: Settle<Result> | undefined,
  plain: (settle?: Settle<Result>) => Promise<Result[]>,
  apart: (storage: Storage) => Promise<Result[]>,
): Promise<Result[]> {
  if (!storage) return plain(settle);
  if (!storage.isActive(db)) {
    const [read] = await Promise.allSettled([plain((...each) => storage.isActive(db) || settle?.(...each))]);
    if (!storage.isActive(db)) return read.status === 'fulfilled' ? read.value : Promise.reject(read.reason);
  }
  return apart(storage);
}

/**
 * Refuses tables that may be distributed, as ordinary statements cannot read or change them. It does so also where they are not
 * distributed, so that a single Postgres shows the mistake.
 */
export function refuseDistributed(operation: string, distributed: readonly Storage[]): Check {
  return ({ tables }) => {
    const storage = distributed.find(({ table }) => tables.includes(table));
    if (!storage) return;
    throw new Error(
      `${operation}: ${storage.table} may be distributed: a page of it, a row by its id, and the insertion or the change of one are answers, unless service.ts leaves it out of \`distributed\``,
    );
  };
}

/**
 * The storage of the table of an answer.
 *
 * @param own - the table, if the answer is one that a storage has
 * @throws Error for any other answer that uses a distributed table, and for a further table in it
 */
export function storageOf(
  operation: string,
  query: CompiledQuery,
  own: string | undefined,
  { distributed, isTable }: Schema,
): Storage | undefined {
  const { tables } = knownOf(query);
  const storage = distributed.find(({ table }) => tables.includes(table));
  if (storage && !(storage.table === own && isAlone(query.query, isTable)))
    refuseDistributed(operation, distributed)({ tables });
  return storage;
}
