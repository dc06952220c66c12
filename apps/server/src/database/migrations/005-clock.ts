import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * The one clock of a fleet of servers: windows, bans, expiry and retention go by it. It stands still during a statement,
 * and is inlined into it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function petstore_now() returns timestamptz language sql stable as 'select statement_timestamp()'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function petstore_now()`.execute(db);
}
