import type { Kysely } from 'kysely';
import { sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id bigint generated always as identity primary key,
      name text not null,
      plan text not null,
      per_minute integer,
      per_day integer,
      key_hash bytea not null unique,
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table api_keys`.execute(db);
}
