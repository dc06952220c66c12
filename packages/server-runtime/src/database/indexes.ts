import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { DatabaseHandle } from './open.ts';

export interface Index {
  table: string;
  columns: { column: string; isBytewise: boolean }[];
  /** The operation that needs it, for the log. */
  use: string;
}

interface Stored {
  table: string;
  /** `own`: in the order of the column's own collation. `bytewise`: in that of code points. */
  columns: { column: string; own: boolean; bytewise: boolean; descending: boolean }[];
}

/**
 * Selects the indexes that serve any row: B-trees with the default operators and no condition, also of distributed tables. It is SQL, as
 * the builder has no subscripts.
 */
const STORED = (tables: string[]) => sql<Stored>`
  select relname as table, (
      select json_agg(json_build_object('column', attname, 'own', indcollation[at] = attcollation,
        'bytewise', indcollation[at] = '"C"'::regcollation, 'descending', indoption[at] <> 0) order by at)
      from generate_series(0, indnkeyatts - 1) as at
        left join pg_attribute on (attrelid, attnum) = (indrelid, indkey[at])
          and exists (select from pg_opclass where oid = indclass[at] and opcdefault) and indoption[at] in (0, 3)
    ) as columns
  from pg_index join pg_class on pg_class.oid = indrelid
  where relname = any(${tables}) and relnamespace = current_schema()::regnamespace and indisvalid and indpred is null
    and (select amname from pg_class join pg_am on pg_am.oid = relam where pg_class.oid = indexrelid) = 'btree'`;

/**
 * Logs the indexes that are missing, each with the statement that creates it. It only warns, as nothing is wrong while the table is
 * small.
 */
export async function nameMissingIndexes(
  { kysely }: DatabaseHandle,
  needed: readonly Index[],
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const { rows } = await STORED([...new Set(needed.map(({ table }) => table))]).execute(kysely);
  // Postgres knows which names need quotes, as a word of SQL does.
  const names = needed.flatMap(({ table, columns }) => [table, ...columns.map(({ column }) => column)]);
  const quoted = await sql<{ name: string; printed: string }>`
    select name, quote_ident(name) as printed from unnest(${names}::text[]) as name`.execute(kysely);
  const printed = new Map(quoted.rows.map(({ name, printed }) => [name, printed]));
  const statements = new Map<string, string[]>();
  for (const { table, columns, use } of needed) {
    const isThere = rows.some((index) => index.table === table && serves(index, columns));
    if (isThere) continue;
    const list = columns
      .map(({ column, isBytewise }) => `${printed.get(column)}${isBytewise ? ' collate "C"' : ''}`)
      .join(', ');
    const statement = `create index on ${printed.get(table)} (${list})`;
    statements.set(statement, [...(statements.get(statement) ?? []), use]);
  }
  for (const [statement, uses] of statements) log.warn({ operations: uses }, `an index is missing: ${statement}`);
}

/** Whether an index begins with the columns, and goes through all of them in one direction. */
const serves = (index: Stored, columns: Index['columns']) =>
  columns.every(({ column, isBytewise }, at) => {
    const stored = index.columns[at];
    const isSorted = isBytewise ? stored?.bytewise : stored?.own;
    return stored?.column === column && isSorted && stored.descending === index.columns[0]?.descending;
  });
