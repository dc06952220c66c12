import { type ChangedRow, type ChangingRow, sqlOf } from '@petstore-platform/server-runtime/storage';
import { sql } from 'kysely';
import { countBlocks, stillCounted } from './counts.ts';
import { inTwoPhases, type Layout } from './layout.ts';

/**
 * Adapts an update or a deletion of a row, whose author does not know of distribution. It leaves out rows of unfinished creations, and
 * counts a row that matches another filter now, so that lists find it.
 *
 * @param block - SQL of the block of the row. Without it, Citus would ask each shard: with eight shards, there would be a thirteenth of
 *   the changes per second
 */
export function changeBlocks(layout: Layout, { alias, columns }: ChangedRow, block: string): ChangingRow {
  const { visible, filters, commits } = layout;
  const column = (of: string) => sql.ref(`${alias}.${of}`);
  // An update of other columns leaves the row where lists find it.
  const isCounted = columns.some((each) => filters.has(each));
  const counted = isCounted ? ['id', ...filters] : [];
  const uncounted = columns.filter((each) => !filters.has(each));
  const values = counted.map((of) => sql`${sql.ref(`counted_${of}`)} as ${sql.ref(of)}`);
  const steps = {
    ...(isCounted && { counted: countBlocks(layout, sql`(select ${sql.join(values)} from "$own") as changed`) }),
    [commits]: inTwoPhases(layout),
    ...(uncounted.length > 0 && {
      uncounted: sql`update ${sql.table(visible)} set counted = ${stillCounted('except', uncounted)}
        where counted && ${sql.lit(`{${uncounted}}`)}::text[]`,
    }),
  };
  return {
    where: sqlOf(
      sql`${column('id')} <= (select last from ${sql.table(visible)}) and ${column('block')} = ${sql.raw(block)}`,
    ),
    returning: Object.fromEntries(counted.map((of) => [`counted_${of}`, sqlOf(column(of))])),
    steps: Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, sqlOf(step)])),
  };
}
