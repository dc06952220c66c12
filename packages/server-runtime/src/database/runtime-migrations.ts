import { table } from '@petstore-platform/quota';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const OWNED = 'security definer set search_path = pg_catalog, pg_temp';

/** The trigger that notes the change of a key. @param log - the table */
const noteChange = (log: string, how = '') => `create or replace function note_api_key_change() returns trigger
      language plpgsql ${how} as $$ begin
      insert into ${log} (api_key_id, action, before, after)
      select coalesce(new.id, old.id), case
          when current_setting('service.action', true) = 'rotate' then 'rotate'
          when tg_op = 'INSERT' then 'create' when tg_op = 'DELETE' then 'delete'
          when old.revoked_at is null and new.revoked_at is not null then 'revoke' else 'update' end,
        case when tg_op <> 'INSERT' then jsonb_object_agg(key, b.value) end,
        case when tg_op <> 'DELETE' then jsonb_object_agg(key, a.value) end
      from jsonb_each(to_jsonb(old)) as b full join jsonb_each(to_jsonb(new)) as a using (key)
      where coalesce(b.value, 'null') <> coalesce(a.value, 'null') and (key <> 'key_hash' or tg_op = 'UPDATE')
      having count(*) > 0; return null; end $$`;

/** Ends the ban of a key, and notes it. It returns the time until which the key was banned, or null. @param subjects - SQL of a condition */
const liftBan = (
  subjects: string,
) => `create or replace function lift_ban(key_id bigint) returns text language plpgsql ${OWNED} as $$
      declare until text; begin
      with banned as (
        select banned_until from %1$I.rate_limits where ${subjects}
          and banned_until > floor(extract(epoch from %1$I.service_now()) * 1000)::bigint for update
      ) update %1$I.rate_limits set banned_until = 0 from banned where ${subjects}
      returning to_char(to_timestamp(banned.banned_until / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      into until; if until is not null then
      insert into %1$I.api_key_changes (api_key_id, action, before)
      values (key_id, 'unban', jsonb_build_object('banned_until', until)); end if; return until; end $$`;

const OF_KEY = `subject = 'key:' || key_id`;
const OF_OWNER = `subject in ('key:' || key_id, 'owner:' || (select owner from %1$I.api_keys where id = key_id))`;

/** As DDL that runs in the schema of the tables. */
const inSchema = (text: string) => `do $do$ begin execute format($format$${text}$format$, current_schema()); end $do$`;

/**
 * Migrations of the runtime's own tables. A service adds those of its own. All run in the order of their names, but one that is new in a
 * version runs after those that ran before. A step up keeps the previous version working, because both run side by side during an upgrade.
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

  // Old rows are found by day. It changes once a day, so all other updates stay within their page.
  'runtime-003-rate-limits': migration(
    `${table.up};
    create index rate_limits_day on rate_limits (day)`,
    table.down,
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

  // The row of a key in `rate_limits` shows its last use, so it is never deleted, and needs no index by day.
  'runtime-006-expiry': migration(
    `alter table api_keys add owner text, add expires_at timestamptz;
    drop index rate_limits_day`,
    `create index rate_limits_day on rate_limits (day);
    alter table api_keys drop owner, drop expires_at`,
  ),

  // A trigger also notes changes by SQL and by the previous version. `keys` sets `service.by` and `service.action` in a transaction.
  'runtime-007-api-key-changes': migration(
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
    ${noteChange('api_key_changes')};
    create trigger note_change after insert or update or delete on api_keys
      for each row execute function note_api_key_change();
    create function refuse_change() returns trigger language plpgsql as $$ begin
      raise exception '% is append-only', tg_table_name; end $$;
    create trigger append_only before update or delete or truncate on api_key_changes
      for each statement execute function refuse_change()`,
    `drop trigger note_change on api_keys;
    drop function note_api_key_change();
    drop table api_key_changes;
    drop function refuse_change()`,
  ),

  // A key is rotated once. Its log is written by functions of the owner, so that no other role has to be able to: neither the tables nor
  // the functions that they use depend on the caller's search path, in which a role that may create functions would plant its own.
  'runtime-008-owned-log': migration(
    `alter table api_keys add successor bigint references api_keys on delete set null;
    create or replace function service_now() returns timestamptz language sql stable as 'select pg_catalog.statement_timestamp()';
    alter function refuse_change() set search_path = pg_catalog, pg_temp;
    ${inSchema(noteChange('%1$I.api_key_changes', OWNED))};
    ${inSchema(liftBan(OF_KEY))}`,
    `drop function lift_ban(bigint);
    ${noteChange('api_key_changes')};
    alter function refuse_change() reset search_path;
    create or replace function service_now() returns timestamptz language sql stable as 'select statement_timestamp()';
    alter table api_keys drop successor`,
  ),

  // A key without scopes may call what needs none. The number of a caller that is no key is below zero, and in no table.
  'runtime-009-callers': migration(
    `alter table api_keys add scopes text[] not null default '{}';
    alter table idempotency_keys drop constraint idempotency_keys_api_key_id_fkey;
    ${inSchema(liftBan(OF_OWNER))}`,
    `${inSchema(liftBan(OF_KEY))};
    delete from idempotency_keys where api_key_id < 0;
    alter table idempotency_keys add constraint idempotency_keys_api_key_id_fkey
      foreign key (api_key_id) references api_keys not valid;
    alter table api_keys drop scopes`,
  ),
};

/** A migration by SQL of any number of statements, which Postgres gets as it is written. */
export function migration(up: string, down: string): Migration {
  const run = (statements: string) => async (db: QueryExecutorProvider) => void (await sql.raw(statements).execute(db));
  return { up: run(up), down: run(down) };
}
