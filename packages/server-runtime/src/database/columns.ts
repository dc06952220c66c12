import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { DatabaseHandle } from './open.ts';
import type { Tables } from './tables.ts';

/**
 * Logs the columns that the database lacks, or has with another type than the generated one. It only warns, as a database may be newer.
 * A migration that has run does not run again, so a later change in it changes nothing.
 */
export async function nameOtherColumns(
  { kysely }: DatabaseHandle,
  columns: Tables['columns'],
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const wanted = Object.entries(columns).flatMap(([table, types]) =>
    Object.entries(types).map(([column, type]) => ({ table, column, type })),
  );
  const { rows } = await sql<{ name: string; type: string; stored: string | null }>`
    select wanted.table || '.' || wanted.column as name, type, format_type(atttypid, null) as stored
    from json_to_recordset(${JSON.stringify(wanted)}) as wanted ("table" text, "column" text, type text)
      left join pg_attribute on attrelid = to_regclass(quote_ident(wanted.table)) and attname = wanted.column
        and not attisdropped
    where atttypid is distinct from to_regtype(type) order by 1`.execute(kysely);
  for (const { name, type, stored } of rows)
    log.warn(
      `the column ${name} is ${stored ?? 'missing'}, not ${type}: write the types of the tables again, or put a change of a migration that has run into a new one`,
    );
}
