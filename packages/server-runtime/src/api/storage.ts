import type { Command } from 'commander';
import type { OperationNodeSource, RawBuilder } from 'kysely';
import type { DatabaseHandle, Distributable, SessionEngine } from '../database/open.ts';
import type { Check } from '../database/prepared.ts';
import type { Handle } from '../database/statement.ts';

/** The query of a page, with the values of its filters. */
export interface PageQuery extends Record<string, unknown> {
  /** The value of `order` before the first item. */
  after: number;
  /** The last value of `order` to read in a shard. */
  last: number;
  limit: number;
}

export interface Page {
  /** A JSON array. */
  body: string;
  /** The value of `order` in the last item; null when no page follows. */
  next: number | null;
  /** The link to the next page, written by the first request that needs it. */
  link?: string;
}

/** A page, or the part of it that a shard has. */
export interface Part extends Page {
  count: number;
}

/** Composes the pages of queries. @param walk - reads them from one table */
export type ReadParts = (
  db: Handle,
  queries: PageQuery[],
  walk: (shard: Handle, queries: PageQuery[]) => Promise<Part[]>,
) => Promise<Page[]>;

/** A statement of Kysely's builder, or SQL. */
export type Step = OperationNodeSource;

/** A statement that changes tables, or several steps by name, of which the last is `change`. */
export type Steps = Step | { change: Step; [step: string]: Step };

export type NamedSteps = Exclude<Steps, OperationNodeSource>;

/** Replaces the statement of a change while its table is distributed. */
export interface Distributed {
  isActive(db: Handle): boolean;
  /** Composes the change when it runs for the first time. */
  change(): Steps;
  values?(row: Record<string, unknown>): object;
  /** The rows for {@link beforeCommit}, from `change`. */
  inserted?: RawBuilder<unknown>;
  /** Called in the open transaction. @param beside - other connections @param rows - of requests that are no repetitions */
  beforeCommit?(beside: DatabaseHandle, rows: unknown[]): Promise<void>;
  /** Called after a failure. Returns whether its cause is gone, so that the change runs again. */
  repair?(beside: DatabaseHandle, error: unknown): Promise<boolean>;
}

export type Place = 'path' | 'query' | 'headers' | 'body';

export interface Schema {
  /** @throws Error for a column that the table does not have */
  typeOf(table: string, column: string): string;
  /** @throws Error for one of the columns that the table does not have, and for one of the times that has no time of day */
  check(table: string, columns: readonly string[], times: readonly string[]): void;
  placeOf(operation: string, field: string): Place;
  /** The SQL of a column's default, if it has one. */
  defaultOf(table: string, column: string): string | undefined;
  /** Whether lists may page through a table, so that insertions take turns. */
  isListed(table: string): boolean;
  distributed: readonly Storage[];
}

export interface ListedBy {
  order: readonly string[];
  direction: 'asc' | 'desc';
  filters: readonly { column: string; isPrefix: boolean }[];
}

export interface Insertion {
  table: string;
  /** The columns of a row, without its id. */
  columns: string[];
  /** The columns of the response. */
  answered: string[];
}

/** Runs a command on the migrated database, without a time limit, and prints its output. */
export type RunCommand = (work: (db: DatabaseHandle) => Promise<string>) => Promise<void>;

/** An extension of Postgres that distributes tables. */
export interface Engine extends SessionEngine {
  /** Adds commands for these tables to the command line. */
  addCommands(program: Command, run: RunCommand, storages: readonly Storage[]): void;
}

/** How the lanes work on a table that may be distributed over several nodes. Refuses definitions that it could not serve then. */
export interface Storage extends Distributable {
  engine: Engine;
  isActive(db: Handle): boolean;
  /** Called for each list before `pages`. @throws Error for one that it cannot page */
  list(list: ListedBy, schema: Schema): void;
  pages: ReadParts;
  /** Called for each get before `rows`. @throws Error for another key than the one by which the table is distributed */
  get(by: string): void;
  rows<Row>(
    db: Handle,
    ids: number[],
    select: (shard: Handle, values: { keys: number[] }) => Promise<Row[]>,
  ): Promise<Row[]>;
  create(insertion: Insertion, schema: Schema): Distributed;
  /** A change while the table is distributed; undefined if it does not touch it. @throws Error for what it cannot do */
  change(steps: NamedSteps, of: ChangedBy): Changed | undefined;
}

/** How the requests of a change become rows. */
export interface ChangedBy {
  columns: string[];
  isBatch: boolean;
}

interface Changed {
  steps: NamedSteps;
  /** Further values of the statement, from the row of the only request. */
  values(row: Record<string, unknown>): object;
}

/** Adapts a change whose author did not think of distribution. All lists have to be defined before. */
export function distribute(storages: readonly Storage[], written: NamedSteps, of: ChangedBy): Distributed | undefined {
  let steps = written;
  const touched = storages.flatMap((storage) => {
    const changed = storage.change(steps, of);
    steps = changed?.steps ?? steps;
    return changed ? [{ storage, values: changed.values }] : [];
  });
  if (touched.length === 0) return undefined;
  return {
    isActive: (db) => touched.some(({ storage }) => storage.isActive(db)),
    change: () => steps,
    values: (row) => Object.assign({}, ...touched.map(({ values }) => values(row))),
  };
}

/**
 * Refuses tables that may be distributed, as ordinary statements cannot read or change them. It does so also where they are not
 * distributed, so that a single Postgres shows the mistake.
 */
export function refuseDistributed(operation: string, distributed: readonly Storage[], isRead: boolean): Check {
  return ({ tables }) => {
    const storage = distributed.find(({ table }) => tables.includes(table));
    if (!storage) return;
    const lanes = isRead ? 'list and get read' : 'create and change change';
    throw new Error(
      `${operation}: ${storage.table} may be distributed: only ${lanes} its rows, unless service.ts leaves it out of \`distributed\``,
    );
  };
}
