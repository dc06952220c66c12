-- Roles with the least privileges: one that migrates, one that serves, one for the commands of keys, one for backups.
--
--   psql "$ADMIN_URL" --variable service=shop --file roles.sql   before the first migration
--   DATABASE_URL=postgres://shop_owner… shop-server migrate
--   psql "$ADMIN_URL" --variable service=shop --file roles.sql   after it, and after one that adds tables
--
-- The administrator is a superuser, or may create roles and owns the database. Give the roles passwords: \password shop_server
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

select format('create role %I login', name)
from unnest(array[:'owner', :'server', :'keys', :'backup']) as name
where not exists (select from pg_roles where rolname = name) \gexec

-- Strangers with CONNECT could take the advisory locks of the service.
revoke all on database :"DBNAME" from public;
grant connect on database :"DBNAME" to :"owner", :"server", :"keys", :"backup";
grant usage, create on schema public to :"owner";
grant usage on schema public to :"server", :"keys";
grant pg_read_all_data to :"backup";

-- Tables of the service, also of later migrations.
grant :"owner" to current_user;
set role :"owner";
alter default privileges in schema public grant select, insert, update, delete on tables to :"server";
alter default privileges in schema public grant usage on sequences to :"server";
grant usage on all sequences in schema public to :"server";
grant select, insert, update, delete on all tables in schema public to :"server";

-- Tables of the runtime: the server cannot issue keys, and nobody can change the log of their changes.
select format('revoke all on %s from %I, %I', name, :'server', :'keys'),
  case when server <> '' then format('grant %s on %s to %I', server, name, :'server') end,
  case when keys <> '' then format('grant %s on %s to %I', keys, name, :'keys') end
from (values
  ('kysely_migration', 'select', 'select'),
  ('kysely_migration_lock', '', ''),
  ('api_keys', 'select', 'select, insert, update'),
  ('api_key_changes', '', 'select, insert'),
  ('rate_limits', 'select, insert, update', 'select, update'),
  ('idempotency_keys', 'select, insert, update, delete', '')
) as privileges (name, server, keys)
where to_regclass(name) is not null \gexec
