import { type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Of the runtime's own tables. A service adds those of its own: all run in the order of their names, except that one which is new in a
 * version runs after those that have run before. A step up keeps the previous version working, because both run side by side during an
 * upgrade.
 */
export const migrations: Record<string, Migration> = {
  // The clock of the fleet, for windows, bans, expiry and retention. Constant during a statement, and inlined into it.
  'runtime-001-clock': migration(
    `create function service_now() returns timestamptz language sql stable as 'select statement_timestamp()'`,
    'drop function service_now()',
  ),

  'runtime-002-api-keys': migration(
    `create table api_keys (
      id bigint generated always as identity primary key,
      name text not null,
      plan text not null,
      per_minute integer,
      per_day integer,
      key_hash bytea not null unique,
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    )`,
    'drop table api_keys',
  ),

  // A row for each key counted today holds both windows and a ban. The columns from `per_minute` on are the input and the result of
  // the last statement: an upsert sees no other input.
  'runtime-003-rate-limits': migration(
    `create table rate_limits (
      subject text primary key,
      minute integer not null,
      minute_count integer not null,
      day integer not null,
      day_count integer not null,
      banned_until bigint not null,
      per_minute integer not null,
      per_day integer not null,
      requested integer not null,
      granted integer not null,
      returned integer not null,
      returned_minute integer not null
    ) with (fillfactor = 50);
    -- Old rows are found by day. It changes once a day, so all other updates stay within their page.
    create index rate_limits_day on rate_limits (day)`,
    'drop table rate_limits',
  ),

  'runtime-004-idempotency-keys': migration(
    `create table idempotency_keys (
      api_key_id bigint not null references api_keys,
      key text not null,
      fingerprint bytea not null,
      status smallint not null,
      answer json not null,
      created_at timestamptz not null,
      primary key (api_key_id, key)
    );
    create index idempotency_keys_created_at on idempotency_keys (created_at)`,
    'drop table idempotency_keys',
  ),

  'runtime-005-response-headers': migration(
    'alter table idempotency_keys add column headers json',
    'alter table idempotency_keys drop column headers',
  ),
};

/** @param up - and `down`: see {@link runEach} */
export function migration(up: string, down: string): Migration {
  return { up: (db) => runEach(db, up), down: (db) => runEach(db, down) };
}

/** Runs statements, which are separated by `;` at the end of a line, one by one, as Citus requires. */
export async function runEach(db: QueryExecutorProvider, statements: string): Promise<void> {
  for (const statement of statements.split(';\n')) await sql.raw(statement).execute(db);
}
