import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * What a server may reserve ahead of need (`spare`) and gives back (`returned`, of `returned_minute`), as it last asked and
 * got; and when a minute's first refusal was. A server of the version before leaves them as they are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table rate_limits
      add column refused_at bigint not null default 0,
      add column spare integer not null default 0,
      add column returned integer not null default 0,
      add column returned_minute integer not null default 0`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table rate_limits drop column refused_at, drop column spare, drop column returned, drop column returned_minute
  `.execute(db);
}
