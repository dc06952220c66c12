import { sql } from 'kysely';
import pg from 'pg';
import { UsageError } from '../usage.ts';
import { migrations } from './migrations.ts';
import type { DatabaseHandle } from './open.ts';
import { statement } from './statement.ts';

const UNDEFINED_TABLE = '42P01';

/** SQLSTATE of a prepared statement that is not there, or is there although this session did not prepare it. */
const PREPARED_ELSEWHERE = /^(26000|42P05)$/;

interface Executed {
  name: string;
  readOnly: 'on' | 'off';
}

const selectExecuted = statement<object, Executed>(
  'select_migrations',
  () => sql`select name, current_setting('transaction_read_only') as "readOnly" from kysely_migration`,
);

/** Why a database cannot serve this version; undefined when it can. */
export async function databaseProblem(db: DatabaseHandle): Promise<string | undefined> {
  try {
    // On two sessions: a pooler that makes them one refuses the statement that the first has prepared.
    const connection = await db.pool.connect();
    try {
      await executedOn(connection);
      const executed = await executedOn(db.pool);
      const missing = firstMissing(executed);
      if (missing) return `the database lacks migration ${missing}`;
      // As a standby is until its promotion.
      return executed[0]?.readOnly === 'on' ? 'the database is read-only' : undefined;
    } finally {
      connection.release();
    }
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
    if (PREPARED_ELSEWHERE.test(code)) return 'the connection pooler does not support prepared statements';
    return 'the database does not answer';
  }
}

/** @throws UsageError when the database lacks a migration of this version */
export async function requireMigrated(db: DatabaseHandle): Promise<void> {
  const missing = firstMissing(await executedOn(db.pool));
  if (missing) throw new UsageError(`The database lacks migration ${missing}: run petstore-server migrate first`);
}

/** The migrations that ran on a database. */
async function executedOn(on: pg.Pool | pg.PoolClient): Promise<Executed[]> {
  return selectExecuted(on, {}).catch((error) => {
    if (error.code === UNDEFINED_TABLE) return [];
    throw error;
  });
}

/** The first migration of this version that did not run. On a newer database, all of them ran. */
function firstMissing(executed: Executed[]): string | undefined {
  const names = new Set(executed.map(({ name }) => name));
  return Object.keys(migrations).find((name) => !names.has(name));
}
