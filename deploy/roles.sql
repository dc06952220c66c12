-- Roles with the least privileges: one that migrates, one that serves, one for the commands of keys, one for backups.
--
--   psql "$ADMIN_URL" --variable service=shop --file roles.sql   before the first migration
--   DATABASE_URL=postgres://shop_owner… shop-server migrate
--   psql "$ADMIN_URL" --variable service=shop --file roles.sql   after it, and after one that adds tables
--
-- The administrator is a superuser, or may create roles, has created these, and owns the database. All of it happens, or nothing.
-- new-password gives a role a password.
\set ON_ERROR_STOP on
\set QUIET on
set client_min_messages = warning;
\if :{?service}
\else
  \warn 'Name the service: --variable service=shop'
  \quit
\endif
\set owner :service _owner
\set server :service _server
\set keys :service _keys
\set backup :service _backup
\set unscoped :service _unscoped

begin;
select format('do $$ begin raise exception using message = %L; end $$', format('%s cannot set up the roles: ', current_user) || problem)
from pg_roles cross join lateral (values
  (not rolcreaterole, 'it may not create roles (alter role … createrole)'),
  (not pg_has_role((select datdba from pg_database where datname = current_database()), 'member'),
    'it does not own the database (alter database … owner to …)'),
  (current_setting('server_version_num')::int >= 160000 and exists (
    select from pg_roles as role where rolname in (:'owner', :'server', :'keys', :'backup') and not exists (
      select from pg_auth_members where roleid = role.oid and member = pg_roles.oid and admin_option)),
    'another administrator has created some of them (grant … to … with admin option)')
) as problems (fails, problem)
where rolname = current_user and not rolsuper and fails limit 1 \gexec

select format('create role %I login', name)
from unnest(array[:'owner', :'server', :'keys', :'backup']) as name
where not exists (select from pg_roles where rolname = name) \gexec
-- The rows of all owners, where a service has tenants: the server becomes this role, and inherits nothing of it.
select format('create role %I', :'unscoped') where not exists (select from pg_roles where rolname = :'unscoped') \gexec
alter role :"server" noinherit;
grant :"unscoped" to :"server";

-- Strangers with CONNECT could take the advisory locks of the service.
revoke all on database :"DBNAME" from public;
grant connect on database :"DBNAME" to :"owner", :"server", :"keys", :"backup";
grant usage, create on schema public to :"owner";
grant usage on schema public to :"server", :"keys", :"backup", :"unscoped";

-- Only the owner creates: a function that another role plants runs with the rights of whoever calls it by its name. Databases from
-- before Postgres 15 let everybody create.
select format('revoke create on schema public from %s', case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end)
from pg_namespace cross join aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
where nspname = 'public' and privilege_type = 'CREATE' and pg_get_userbyid(grantee) <> :'owner' and grantee <> nspowner \gexec

-- The role for backups reads the tables of this database only. An earlier version let it read those of all databases of the cluster.
select format('revoke pg_read_all_data from %I', :'backup') where pg_has_role(:'backup', 'pg_read_all_data', 'member') \gexec

-- Tables of the service, also of later migrations.
grant :"owner" to current_user;
set role :"owner";
alter default privileges in schema public grant select, insert, update, delete on tables to :"server", :"unscoped";
alter default privileges in schema public grant usage on sequences to :"server", :"unscoped";
alter default privileges in schema public grant select on tables to :"backup";
alter default privileges in schema public grant select on sequences to :"backup";
grant usage on all sequences in schema public to :"server", :"unscoped";
grant select, insert, update, delete on all tables in schema public to :"server", :"unscoped";
grant select on all tables in schema public to :"backup";
grant select on all sequences in schema public to :"backup";

-- Tables of the runtime: the server cannot issue keys. Columns are granted one by one: no role replaces the hash or the id of a key.
-- Nobody but the owner writes the log of their changes, by functions that take role and time from the session.
select format('revoke all on %s from %I, %I, %I', name, :'server', :'keys', :'unscoped'),
  case when server <> '' then format('grant %s on %s to %I', server, name, :'server') end,
  case when keys <> '' then format('grant %s on %s to %I', keys, name, :'keys') end
from (values
  ('kysely_migration', 'select', 'select'),
  ('kysely_migration_lock', '', ''),
  ('api_keys', 'select', 'select, insert (name, plan, per_minute, per_day, owner, scopes, expires_at, key_hash), '
    'update (name, plan, per_minute, per_day, owner, scopes, expires_at, revoked_at, successor)'),
  ('api_key_changes', '', 'select'),
  ('rate_limits', 'select, insert, update, delete', 'select'),
  ('idempotency_keys', 'select, insert, update, delete', '')
) as privileges (name, server, keys)
where to_regclass(name) is not null \gexec
select format('revoke execute on function %s from public', lift_ban), format('grant execute on function %s to %I', lift_ban, :'keys')
from to_regprocedure('lift_ban(bigint)') as lift_ban where lift_ban is not null \gexec
reset role;
commit;

-- What a role has created while it could is for an administrator to look at and to drop.
select format('do $$ begin raise exception using message = %L; end $$', 'Look at these functions, and drop them: ' || string_agg(
  format('%s of %s', pg_proc.oid::regprocedure, pg_get_userbyid(proowner)), ', '))
from pg_proc where pronamespace = 'public'::regnamespace and pg_get_userbyid(proowner) in (:'server', :'keys', :'backup')
having count(*) > 0 \gexec
