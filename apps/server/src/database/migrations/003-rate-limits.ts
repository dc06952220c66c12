import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * One row for each key or address that was counted today, both windows in it: so one upsert counts, decides and bans.
 * The last four columns are what the last statement asked for and got: `on conflict do update` sees no other input.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rate_limits (
      subject text primary key,
      minute integer not null,
      minute_count integer not null,
      day integer not null,
      day_count integer not null,
      rejected integer not null,
      banned_until bigint not null,
      per_minute integer not null,
      per_day integer not null,
      requested integer not null,
      admitted integer not null
    ) with (fillfactor = 50)`.execute(db);
  // Old rows are found by day. It changes once a day, so all other updates stay within their page.
  await sql`create index rate_limits_day on rate_limits (day)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table rate_limits`.execute(db);
}
