import { type Kysely, sql } from 'kysely';
import type { Database } from './open.ts';

/** Ends the `application_name` of commands, by which they are no servers. */
export const OF_COMMANDS = ' command';

/** Counts the sessions of servers. It is SQL, because the builder has no types for the catalog. */
export async function countServerSessions(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where application_name = replace(current_setting('application_name'), ${OF_COMMANDS}, '')
      and datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  return rows[0]?.count ?? 0;
}
