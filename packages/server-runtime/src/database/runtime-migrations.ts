import { table } from '@petstore-platform/quota';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The fleet's time as Unix time in milliseconds. */
export const NOW = sql<number>`floor(extract(epoch from service_now()) * 1000)::bigint`;

const OWNED = 'security definer set search_path = pg_catalog, pg_temp';

/** The counts of a key, and of its owner. */
const SUBJECTS = `subject in ('key:' || key_id, 'owner:' || (select owner from %1$I.api_keys where id = key_id))`;

/**
 * The trigger that notes the change of a key, and the function that ends the ban of one, which returns the time until which it was banned, or
 * null. They are functions of the owner, so that no other role has to be able to write the log: neither the tables nor the functions that they
 * use depend on the caller's search path, in which a role that may create functions would plant its own.
 */
const FUNCTIONS = `create function note_api_key_change() returns trigger language plpgsql ${OWNED} as $$ begin
      insert into %1$I.api_key_changes (api_key_id, action, before, after)
      select coalesce(new.id, old.id), case
          when current_setting('service.action', true) = 'rotate' then 'rotate'
          when tg_op = 'INSERT' then 'create' when tg_op = 'DELETE' then 'delete'
          when old.revoked_at is null and new.revoked_at is not null then 'revoke' else 'update' end,
        case when tg_op <> 'INSERT' then jsonb_object_agg(key, b.value) end,
        case when tg_op <> 'DELETE' then jsonb_object_agg(key, a.value) end
      from jsonb_each(to_jsonb(old)) as b full join jsonb_each(to_jsonb(new)) as a using (key)
      where coalesce(b.value, 'null') <> coalesce(a.value, 'null') and (key <> 'key_hash' or tg_op = 'UPDATE')
      having count(*) > 0; return null; end $$;
    create function lift_ban(key_id bigint) returns text language plpgsql ${OWNED} as $$
      declare until text; begin
      with banned as (
        select banned_until from %1$I.rate_limits where ${SUBJECTS}
          and banned_until > floor(extract(epoch from %1$I.service_now()) * 1000)::bigint for update
      ) update %1$I.rate_limits set banned_until = 0 from banned where ${SUBJECTS}
      returning to_char(to_timestamp(banned.banned_until / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      into until; if until is not null then
      insert into %1$I.api_key_changes (api_key_id, action, before)
      values (key_id, 'unban', jsonb_build_object('banned_until', until)); end if; return until; end $$`;

/**
 * Migrations of the runtime's own tables. A service adds those of its own. All run in the order of their names, but one that is new in a
 * version runs after those that ran before. A step up keeps the previous version working, because both run side by side during an upgrade.
 */
export const migrations: Record<string, Migration> = {
  // The clock of the fleet, for windows, bans, expiry and retention. Constant during a statement, and inlined into it.
  'runtime-001-clock': migration(
    `create function service_now() returns timestamptz language sql stable as 'select pg_catalog.statement_timestamp()'`,
    'drop function service_now()',
  ),

  // A key without scopes may call what needs none. It is rotated once.
  'runtime-002-api-keys': migration(
    `create table api_keys (
      id bigint generated always as identity primary key,
      name text not null,
      plan text not null,
      per_minute integer,
      per_day integer,
      key_hash bytea not null unique,
      created_at timestamptz not null default now(),
      revoked_at timestamptz,
      owner text,
      expires_at timestamptz,
      successor bigint references api_keys on delete set null,
      scopes text[] not null default '{}'
    )`,
    'drop table api_keys',
  ),

  // The row of a key shows its last use, so it is never deleted, and needs no index by day.
  'runtime-003-rate-limits': migration(table.up, table.down),

  // The number of a caller that is no key is below zero, and in no table. On Citus, a key is in the shard of its owner's rows.
  'runtime-004-idempotency-keys': migration(
    `create table idempotency_keys (
      owner text not null default '',
      api_key_id bigint not null,
      key text not null,
      fingerprint bytea not null,
      status smallint not null,
      headers json,
      answer json not null,
      created_at timestamptz not null,
      primary key (owner, api_key_id, key)
    );
    create index idempotency_keys_created_at on idempotency_keys (created_at)`,
    'drop table idempotency_keys',
  ),

  // A trigger also notes changes by SQL. `keys` sets `service.by` and `service.action` in a transaction.
  'runtime-005-api-key-changes': migration(
    `create table api_key_changes (
      id bigint generated always as identity primary key,
      api_key_id bigint not null,
      changed_at timestamptz not null default service_now(),
      action text not null,
      before jsonb,
      after jsonb,
      role text not null default session_user,
      changed_by text default nullif(current_setting('service.by', true), '')
    );
    create index api_key_changes_api_key_id on api_key_changes (api_key_id);
    do $do$ begin execute format($format$${FUNCTIONS}$format$, current_schema()); end $do$;
    create trigger note_change after insert or update or delete on api_keys
      for each row execute function note_api_key_change();
    create function refuse_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$ begin
      raise exception '% is append-only', tg_table_name; end $$;
    create trigger append_only before update or delete or truncate on api_key_changes
      for each statement execute function refuse_change()`,
    `drop trigger note_change on api_keys;
    drop function note_api_key_change();
    drop function lift_ban(bigint);
    drop table api_key_changes;
    drop function refuse_change()`,
  ),
};

/** A migration by SQL of any number of statements, which Postgres gets as it is written. */
export function migration(up: string, down: string): Migration {
  const run = (statements: string) => async (db: QueryExecutorProvider) => void (await sql.raw(statements).execute(db));
  return { up: run(up), down: run(down) };
}
