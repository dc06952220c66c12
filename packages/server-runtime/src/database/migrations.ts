import { type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Of the runtime's own tables; an application adds those of its own. They run in the order of their names, except that one which is
 * new in a version runs after those that have run before. A step up keeps the previous version working, because both run side by
 * side during an upgrade.
 */
export const migrations: Record<string, Migration> = {
  '002-api-keys': migration(
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

  // A row for each key counted today holds both windows and a ban. The last four columns are the input and the result of the last
  // statement: an upsert sees no other input. Only servers of earlier versions count in `rejected`, and have rows for addresses.
  '003-rate-limits': migration(
    `create table rate_limits (
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
    ) with (fillfactor = 50);
    -- Old rows are found by day. It changes once a day, so all other updates stay within their page.
    create index rate_limits_day on rate_limits (day)`,
    'drop table rate_limits',
  ),

  '004-idempotency-keys': migration(
    `create table idempotency_keys (
      api_key_id bigint not null references api_keys,
      key text not null,
      fingerprint bytea not null,
      answer json not null,
      created_at timestamptz not null,
      primary key (api_key_id, key)
    );
    create index idempotency_keys_created_at on idempotency_keys (created_at)`,
    'drop table idempotency_keys',
  ),

  // What the last statement returned (of returned_minute). The other two are of earlier versions: the first refusal of the
  // minute, and the last statement's reservation.
  '006-reservations': migration(
    `alter table rate_limits
      add column refused_at bigint not null default 0,
      add column spare integer not null default 0,
      add column returned integer not null default 0,
      add column returned_minute integer not null default 0`,
    'alter table rate_limits drop refused_at, drop spare, drop returned, drop returned_minute',
  ),

  // Of the stored answer. Servers of the previous version store 201 only.
  '007-answer-status': migration(
    'alter table idempotency_keys add column status smallint not null default 201',
    'alter table idempotency_keys drop status',
  ),

  // The clock of the fleet, for windows, bans, expiry and retention. Constant during a statement, and inlined into it.
  '008-clock': migration(
    `create function service_now() returns timestamptz language sql stable as 'select statement_timestamp()'`,
    'drop function service_now()',
  ),
};

/** @param up - and `down`: see {@link runEach} */
export function migration(up: string, down: string): Migration {
  return { up: (db) => runEach(db, up), down: (db) => runEach(db, down) };
}

/** Runs statements, which are separated by `;` at the end of a line, one by one, as Citus requires. */
export async function runEach(db: QueryExecutorProvider, statements: string): Promise<void> {
  for (const statement of statements.split(/;$/m)) await sql.raw(statement).execute(db);
}
