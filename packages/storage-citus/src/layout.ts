import { sql } from 'kysely';

/** A block is 65,536 ids. Its rows lie in one shard, and a shard is a table on one node. */
export const BLOCK_BITS = 16;
export const BLOCK_SIZE = 2 ** BLOCK_BITS;

export const blockOf = (id: number): number => Math.floor(id / BLOCK_SIZE);

/** The block of a row, in SQL. */
export const BLOCK = sql`id >> ${sql.lit(BLOCK_BITS)}`;

/** A distributed table, and what the coordinator knows of it. */
export interface Layout {
  table: string;
  /** The table that counts the rows of each block: all, and by the values of columns that lists filter by. */
  counts: string;
  /** The table with the last `id` of which all rows are committed. */
  visible: string;
  /** An empty table: see {@link inTwoPhases}. */
  commits: string;
  /** The columns whose values are counted. */
  filters: ReadonlySet<string>;
}

/**
 * Citus commits a change of a single shard first there and then here. An error in between would lose its key and its counts. A change of a
 * table that Citus manages on this node, even of no row, makes it commit in two phases.
 */
export const inTwoPhases = ({ commits }: Layout) => sql`update ${sql.table(commits)} set id = id where id = 0`;
