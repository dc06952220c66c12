import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { quoted } from './nodes.ts';
import type { DatabaseHandle } from './open.ts';

export interface Index {
  table: string;
  columns: { column: string; isBytewise: boolean }[];
  /** The columns by which pages are sorted, which have to be unique together with those that have one value. */
  unique?: { fixed: readonly string[]; order: readonly string[] };
  /** The column of an integer in whose ascending order rows are read, although they may become visible in another. */
  ascending?: string | undefined;
  /** The operation that needs it, for the log. */
  use: string;
}

interface Stored {
  table: string;
  /** `collated`: in the order of the column's own collation. `bytewise`: in that of code points. */
  columns: { column: string; collated: boolean; bytewise: boolean; descending: boolean }[];
  /** Its columns, if each row has others; null for an expression. */
  unique: { column: string | null; isNullable: boolean }[] | null;
}

/**
 * Selects the indexes that serve any row: B-trees with the default operators and no condition. It is SQL, as the builder
 * has no subscripts.
 */
const STORED = (tables: string[]) => sql<Stored>`
  select relname as table, (
      select json_agg(json_build_object('column', attname, 'collated', indcollation[at] = attcollation,
        'bytewise', indcollation[at] = '"C"'::regcollation, 'descending', indoption[at] <> 0) order by at)
      from generate_series(0, indnkeyatts - 1) as at
        left join pg_attribute on (attrelid, attnum) = (indrelid, indkey[at])
          and exists (select from pg_opclass where oid = indclass[at] and opcdefault) and indoption[at] in (0, 3)
    ) as columns, case when indisunique then (
      select json_agg(json_build_object('column', attname, 'isNullable', not attnotnull))
      from generate_series(0, indnkeyatts - 1) as at left join pg_attribute on (attrelid, attnum) = (indrelid, indkey[at])
    ) end as unique
  from pg_index join pg_class on pg_class.oid = indrelid
  where relname = any(${tables}) and relnamespace = current_schema()::regnamespace and indisvalid and indpred is null
    and (select amname from pg_class join pg_am on pg_am.oid = relam where pg_class.oid = indexrelid) = 'btree'`;

/**
 * Logs the indexes that are missing, each with the statement that creates it. It only warns, as nothing is wrong while the table is
 * small. Also logs pages whose columns may occur twice: a cursor between two equal rows would pass over the second.
 */
export async function nameMissingIndexes(
  { kysely }: DatabaseHandle,
  needed: readonly Index[],
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const { rows } = await STORED([...new Set(needed.map(({ table }) => table))]).execute(kysely);
  const generated = await sql<{ table: string }>`
    select "table" from json_to_recordset(${JSON.stringify(needed)}::json) as need ("table" text, ascending text)
    where pg_get_serial_sequence(quote_ident("table"), ascending) is not null`.execute(kysely);
  const messages = new Map<string, string[]>();
  const note = (message: string, use: string) => messages.set(message, [...(messages.get(message) ?? []), use]);
  for (const { table, columns, unique, ascending, use } of needed) {
    if (ascending && generated.rows.some((each) => each.table === table))
      note(
        `pages may miss rows that are inserted meanwhile: add ${table} to \`ordered\` if each has to be seen, or sort by ${ascending} in descending order`,
        use,
      );
    const stored = rows.filter((index) => index.table === table);
    // A view has no indexes.
    if (unique && stored.length > 0 && !stored.some((index) => isUnique(index, unique))) {
      const order = unique.order.join(', ');
      note(`pages may lose rows: ${order} may occur twice in ${table}. Add its key to \`by\`, or a unique index`, use);
    }
    if (stored.some((index) => serves(index, columns))) continue;
    const list = columns
      .map(({ column, isBytewise }) => `${quoted(column)}${isBytewise ? ' collate "C"' : ''}`)
      .join(', ');
    note(`an index is missing: create index on ${quoted(table)} (${list})`, use);
  }
  for (const [message, operations] of messages) log.warn({ operations }, message);
}

/** Whether an index begins with the columns, and goes through all of them in one direction. */
const serves = (index: Stored, columns: Index['columns']) =>
  columns.every(({ column, isBytewise }, at) => {
    const stored = index.columns[at];
    const isSorted = isBytewise ? stored?.bytewise : stored?.collated;
    return stored?.column === column && isSorted && stored.descending === index.columns[0]?.descending;
  });

/** Whether an index says that no two rows have the same values. Those without a value (null) are not the same to it, but to a page. */
const isUnique = (index: Stored, { fixed, order }: NonNullable<Index['unique']>) =>
  index.unique?.every(
    ({ column, isNullable }) => column !== null && (fixed.includes(column) || (order.includes(column) && !isNullable)),
  );
