import { sql } from 'kysely';
import pg from 'pg';
import { migrations } from './migrations.ts';
import type { DatabaseHandle } from './open.ts';
import { statement } from './statement.ts';

const UNDEFINED_TABLE = '42P01';

/** SQLSTATE of a prepared statement that is missing, or that another session has prepared. */
const PREPARED_ELSEWHERE = /^(26000|42P05)$/;

const names = Object.keys(migrations);

/** The first migration of this version that did not run. On a newer database, all of them ran. */
const selectMissing = statement<{ names: string[] }, { missing: string | null; readOnly: 'on' | 'off' }>(
  'select_missing_migration',
  (value) => sql`
    select min(name) as missing, current_setting('transaction_read_only') as "readOnly"
    from unnest(${value('names')}::text[]) as name where name not in (select name from kysely_migration)`,
);

/** Why a database cannot serve this version; undefined when it can. */
export async function databaseProblem({ pool }: DatabaseHandle): Promise<string | undefined> {
  try {
    // On two sessions: a pooler that merges them refuses the second preparation of the statement.
    const connection = await pool.connect();
    try {
      await selectMissing(connection, { names });
      const [found] = await selectMissing(pool, { names });
      if (found?.missing) return `the database lacks migration ${found.missing}`;
      // A standby, until its promotion.
      return found?.readOnly === 'on' ? 'the database is read-only' : undefined;
    } finally {
      connection.release();
    }
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
    if (code === UNDEFINED_TABLE) return `the database lacks migration ${names[0]}`;
    if (PREPARED_ELSEWHERE.test(code)) return 'the connection pooler does not support prepared statements';
    return 'the database does not answer';
  }
}
