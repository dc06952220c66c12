import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { BLOCK, type Layout } from './layout.ts';

/**
 * The number of groups in which the values of a column are counted, so that a column with many values does not fill the memory of servers.
 * A count may therefore be too high, which costs a look into a block, but never too low, which would cost a row.
 */
const GROUPS = 32;

/** The filter under which the rows with a value of a column are counted. */
export const filterOf = (column: string, value: unknown) =>
  `${column}=${hash('sha256', String(value), 'buffer').readUInt8(0) % GROUPS}`;

/** The filter in SQL. It is null for null, which no filter matches. */
const filterIn = (column: string) =>
  sql`${sql.lit(`${column}=`)} || get_byte(sha256(convert_to(${sql.ref(column)}::text, 'UTF8')), 0) % ${sql.lit(GROUPS)}`;

/** The counts of rows, which have `id` and the columns. The filter '' is any row. */
export const countsOf = (rows: RawBuilder<unknown>, columns: Iterable<string>) => {
  const values = [...columns].map(filterIn);
  return sql`
    select filter, block, count(*) from (
      select unnest(array[${sql.join([sql`''`, ...values])}]) as filter, ${BLOCK} as block from ${rows}
    ) as row where filter is not null group by filter, block`;
};

/** Counts rows, in the order of their filters: in different ones, two transactions would wait for each other. */
export const countBlocks = (
  { counts, filters }: Layout,
  rows: RawBuilder<unknown>,
  transaction = sql`pg_current_xact_id()`,
) => sql`
    insert into ${sql.table(counts)} as counted (filter, block, count, changed)
    select row.*, ${transaction} from (${countsOf(rows, filters)}) as row order by filter, block
    on conflict (filter, block) do update set count = counted.count + excluded.count, changed = excluded.changed`;

/**
 * The counted columns of a table: those of a set, or all others. While versions are replaced, a server may not count a column. Until
 * `distribute` counts the column again, lists by it use the counts of all rows.
 */
export const stillCounted = (how: 'intersect' | 'except', columns: Iterable<string>) =>
  sql`array(select unnest(counted) ${sql.raw(how)} select unnest(${sql.lit(`{${[...columns]}}`)}::text[]))`;
