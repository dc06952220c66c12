import type { Database } from '@petstore-platform/server-runtime/storage';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countBlocks, countsOf } from './counts.ts';
import { BLOCK_BITS, BLOCK_SIZE, type Layout } from './layout.ts';

/**
 * Selects the id of this transaction. It is a statement of its own, because within a select from a distributed table Citus would ask a node
 * for its own id.
 */
export async function thisTransaction(db: Kysely<Database>) {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db);
  return sql`${sql.lit(rows[0]?.id)}::xid8`;
}

const visibleIn = ({ visible }: Layout) => sql`id <= (select last from ${sql.table(visible)})`;

/** Counts columns that lists filter by now. Servers of this version count them in new rows already: some are counted twice. */
export async function countFilters(db: Kysely<Database>, layout: Layout): Promise<void> {
  const { table, visible, filters } = layout;
  const { rows } = await sql<{ counted: string[] }>`select counted from ${sql.table(visible)}`.execute(db);
  const missing = [...filters].filter((column) => !rows[0]?.counted.includes(column));
  if (missing.length === 0) return;
  console.log(`Counting ${table} by ${missing.join(', ')}`);
  const all = sql`${sql.table(table)} where ${visibleIn(layout)}`;
  await db.transaction().execute(async (db) => {
    await countBlocks({ ...layout, filters: new Set(missing) }, all, await thisTransaction(db)).execute(db);
    await sql`update ${sql.table(visible)} set counted = counted || ${sql.lit(`{${missing}}`)}::text[]`.execute(db);
  });
}

/** The blocks that have more rows than counted, so that lists would miss them. */
export async function missingCounts(
  db: Kysely<Database>,
  layout: Layout,
  rows: RawBuilder<unknown>,
  which = sql`true`,
) {
  const { counts, filters } = layout;
  const { rows: found } = await sql<{ block: number; text: string }>`
    select block, format('%s counts %s rows of %L in block %s, there are %s', ${sql.lit(counts)}, coalesce(counted.count, 0), filter,
      block, there.count) as text
    from (${countsOf(rows, filters)}) as there left join ${sql.table(counts)} as counted using (filter, block)
    where there.count > coalesce(counted.count, 0) and ${which} order by filter, block`.execute(db);
  return found;
}

/** @throws Error for a count that is too low */
export async function checkAll(db: Kysely<Database>, layout: Layout): Promise<void> {
  const rows = sql`${sql.table(layout.table)} where ${visibleIn(layout)}`;
  const found = await missingCounts(db, layout, rows);
  if (found.length === 0) return;
  // Changes that were on their way are in the rows, but not in the counts.
  const again = await whileStill(db, layout, (db) => missingCounts(db, layout, sql`${rows} and ${rowsIn(found)}`));
  for (const { text } of again) throw new Error(text);
}

const isIn = (blocks: { block: number }[]) =>
  sql`block = any(${sql.lit(`{${blocks.map(({ block }) => block)}}`)}::bigint[])`;

/** Rows of blocks. Their shards are found by the block, and the rows there by the primary key. */
const rowsIn = (blocks: { block: number }[]) => {
  const first = Math.min(...blocks.map(({ block }) => block)) * BLOCK_SIZE;
  const end = (Math.max(...blocks.map(({ block }) => block)) + 1) * BLOCK_SIZE;
  return sql`${isIn(blocks)} and id >= ${sql.lit(first)} and id < ${sql.lit(end)}`;
};

/** Works while no change or creation is in progress, so that each is in both the counts and the rows, or in neither. */
function whileStill<Result>(db: Kysely<Database>, { counts }: Layout, work: (db: Kysely<Database>) => Promise<Result>) {
  return db.transaction().execute(async (db) => {
    await sql`select set_config('lock_timeout', '5s', true)`.execute(db);
    await sql`lock table ${sql.table(counts)} in share row exclusive mode`.execute(db);
    // This ends the transactions of a node that was lost after it had prepared to commit.
    await sql`select recover_prepared_transactions()`.execute(db);
    return work(db);
  });
}

/** Blocks that are recounted at once. */
const AT_ONCE = 16;

/**
 * Corrects the counts of rows that now match another filter, or are deleted. No change lowers a count, because one that is undone on a node
 * would leave it too low. Changes and creations wait while such blocks are counted.
 */
export async function recount(db: Kysely<Database>, layout: Layout): Promise<void> {
  const { table, counts, visible, filters } = layout;
  const own = sql`split_part(filter, '=', 1) = any(${sql.lit(`{"",${[...filters]}}`)}::text[])`;
  const wrongIn = (blocks: { block: number }[]) => sql`
    select filter, block, coalesce(there.count, 0) as count
    from (${countsOf(sql`${sql.table(table)} where ${rowsIn(blocks)}`, filters)}) as there
    full join (select * from ${sql.table(counts)} where ${isIn(blocks)} and ${own}) as counted using (filter, block)
    where coalesce(there.count, 0) <> coalesce(counted.count, 0)`;
  const { rows: blocks } = await sql<{ block: number }>`
    select block from ${sql.table(counts)} union
    select generate_series(0, last >> ${sql.lit(BLOCK_BITS)}) from ${sql.table(visible)} order by block`.execute(db);
  let corrected = 0n;
  for (let index = 0; index < blocks.length; index += AT_ONCE) {
    const portion = blocks.slice(index, index + AT_ONCE);
    const { rows: wrong } = await sql<{ block: number }>`
      select distinct block from (${wrongIn(portion)}) as wrong`.execute(db);
    if (wrong.length === 0) continue;
    corrected += await whileStill(db, layout, async (db) => {
      const { numAffectedRows = 0n } = await sql`insert into ${sql.table(counts)} (filter, block, count, changed)
        select wrong.*, ${await thisTransaction(db)} from (${wrongIn(wrong)}) as wrong
        on conflict (filter, block) do update set count = excluded.count, changed = excluded.changed`.execute(db);
      return numAffectedRows;
    });
  }
  if (corrected > 0n) console.log(`Corrected ${corrected} counts of ${table}`);
}
