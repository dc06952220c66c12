import { sql } from 'kysely';
import type { DatabaseHandle } from './open.ts';
import { type Tenants, unscopedRole } from './tenants.ts';

/** A service whose rows may have owners. */
export interface Tenanted {
  name: string;
  tenants: Tenants;
}

/** The sources of the checks: tables and columns of owners, this role, policies, views and parts of the tables, visible schemas. */
const SOURCES = ({ name, tenants }: Tenanted) => sql`
  with recursive tenant as (
    select name, owner, to_regclass(quote_ident(name)) as id from json_each_text(${JSON.stringify(tenants)}::json) as listed (name, owner)
  ), owned as (
    select tenant.*, attnum, attnotnull, relkind, relowner, relrowsecurity, relforcerowsecurity, collisdeterministic,
      format_type(atttypid, null) in ('text', 'character varying') as is_text, pg_get_expr(adbin, adrelid) as initial,
      format('(%s = NULLIF(current_setting(''app.owner''::text, true), ''''::text))',
        format(case format_type(atttypid, null) when 'text' then '%I' else '(%I)::text' end, owner)) as condition
    from tenant left join pg_attribute on attrelid = id and attname = owner and not attisdropped
      left join pg_attrdef on adrelid = id and adnum = attnum
      left join pg_class on pg_class.oid = id left join pg_collation on pg_collation.oid = attcollation
  ), me as (
    select pg_roles.*, unscoped, other.oid as other
    from pg_roles cross join (values (${unscopedRole(name)})) as expected (unscoped) left join pg_roles as other on other.rolname = unscoped
    where pg_roles.rolname = current_user
  ), policy as (
    select pg_policy.*, owned.name, polcmd = '*' and polroles = '{0}' and pg_get_expr(polqual, polrelid) = condition
        and coalesce(pg_get_expr(polwithcheck, polrelid), condition) = condition as is_own,
      polcmd = '*' and polroles = array[other] and pg_get_expr(polqual, polrelid) = 'true' as is_unscoped
    from pg_policy join owned on id = polrelid cross join me where polpermissive and attnum is not null
  ), reading as (
    select id, name from tenant where id is not null
    union select ev_class, name from reading join pg_depend on refobjid = reading.id and refclassid = 'pg_class'::regclass
      join pg_rewrite on pg_rewrite.oid = objid and classid = 'pg_rewrite'::regclass
  ), part as (
    select inhrelid as id, name from pg_inherits join tenant on id = inhparent
    union select inhrelid, name from pg_inherits join part on id = inhparent
  ), seen as (select oid from pg_namespace where has_schema_privilege(oid, 'usage'))`;

/**
 * The ways by which rows of one owner can reach another. Each query selects the problems that it finds, as sentences. It looks only at objects
 * that this role may use. A generated id is no secret.
 */
const CHECKS = [
  `select name || '.' || owner || ' is missing' as problem from owned where attnum is null`,
  `select name || '.' || owner || ' may be null: nobody sees a row without an owner'
    from owned where relkind in ('r', 'p') and not attnotnull`,
  `select name || '.' || owner || ' is no text that equals only itself' from owned
    where attnum is not null and not (is_text and collisdeterministic)`,
  `select format('%s lacks: ' || lack, name, id::regclass, owner, unscoped)
    from owned cross join me cross join lateral (values
      (not relrowsecurity, 'alter table %2$s enable row level security'),
      (not relforcerowsecurity, 'alter table %2$s force row level security'),
      (not exists (select from policy where polrelid = id and is_own),
        'create policy owner on %2$s using (%3$I = nullif(current_setting(''app.owner'', true), ''''))'),
      (not exists (select from policy where polrelid = id and is_unscoped), 'create policy unscoped on %2$s to %4$I using (true)'),
      (initial is null or position('NULLIF(current_setting(''app.owner''::text, true), ''''::text)' in initial) = 0,
        'alter table %2$s alter %3$I set default nullif(current_setting(''app.owner'', true), '''')')
    ) as lacks (is_lacking, lack)
    where is_lacking and relkind not in ('v', 'm') and attnum is not null`,
  `select format('the policy %I of %s adds rows of others: drop it', polname, policy.name) from policy
    where not is_own and not is_unscoped and exists (select from unnest(polroles) as role where role = 0 or pg_has_role(role, 'usage'))`,
  `select format('the role %I sees the rows of all owners: serve as one that is neither superuser nor bypassrls', rolname)
    from me where rolsuper or rolbypassrls`,
  `select distinct format(case when pg_has_role(relowner, 'member')
      then 'the role %I may change the policies of %s: serve as one that does not own it'
      else 'the role %I may truncate %s, or add a trigger, for all owners: revoke it' end, rolname, name)
    from owned cross join me where not rolsuper and (pg_has_role(relowner, 'member') or has_table_privilege(id, 'truncate, trigger'))`,
  `select format('the trigger %I of %s runs at the commit, perhaps for another owner: leave out initially deferred', tgname, tgrelid::regclass)
    from pg_trigger join pg_class on pg_class.oid = tgrelid where tginitdeferred and not tgisinternal and relnamespace in (select oid from seen)`,
  `select format(case when other is null then 'the role %2$I is missing: create role %2$I'
      when pg_has_role(other, 'usage') then 'the role %1$I has the rows of %2$I without becoming it: grant it with inherit false'
      else 'the role %1$I may not become %2$I: grant %2$I to %1$I with inherit false' end, rolname, unscoped)
    from me where not rolsuper and (other is null or pg_has_role(other, 'usage') or not pg_has_role(other, 'member'))`,
  `select case when mine.id is null
      then format('%s of %s refers to rows of %s, which have owners: add %s to tenants', conname, conrelid::regclass, theirs.name, conrelid::regclass)
      else format('%s of %s does not name the owner: reference %s (%I, …)', conname, mine.name, theirs.name, theirs.owner) end
    from pg_constraint join owned as theirs on theirs.id = confrelid left join owned as mine on mine.id = conrelid
    where contype = 'f' and not exists (
      select from unnest(conkey, confkey) as pair (one, other) where one = mine.attnum and other = theirs.attnum)`,
  `select format('%s of %s changes rows of all owners with one of %s: leave out cascade, set null and set default',
      conname, mine.name, confrelid::regclass)
    from pg_constraint join owned as mine on mine.id = conrelid
    where contype = 'f' and (confdeltype in ('c', 'n', 'd') or confupdtype in ('c', 'n', 'd'))
      and not exists (select from owned as theirs where theirs.id = confrelid)`,
  `select format('%s of %s is one of all owners: a conflict tells that another has the value', indexrelid::regclass, name)
    from pg_index join owned on indrelid = id
    where (indisunique or indisexclusion) and attnum <> all ((indkey::smallint[])[0:indnkeyatts - 1])
      and not (indnkeyatts = 1 and exists (select from pg_attribute where attrelid = indrelid and attnum = indkey[0]
        and (attidentity <> '' or (atthasdef and format_type(atttypid, null) in ('smallint', 'integer', 'bigint', 'uuid')))))`,
  `select format(case when relkind in ('v', 'm') then 'the view %s sees all rows of %s: make it security_invoker, or revoke it'
      else 'a rule of %s sees all rows of %s: make it a trigger' end, reading.id::regclass, name)
    from reading join pg_class on oid = reading.id
    where (relkind in ('v', 'm') or relhasrules) and not exists (
      select from pg_options_to_table(reloptions) where option_name = 'security_invoker' and option_value::boolean)
      and (has_any_column_privilege(oid, 'select, insert, update') or has_table_privilege(oid, 'delete'))`,
  `select format('the table %s has rows of %s, without its policies: revoke it', part.id::regclass, name)
    from (table part union select inhparent, name from pg_inherits join tenant on id = inhrelid) as part
    where not exists (select from tenant where tenant.id = part.id)
      and (has_any_column_privilege(part.id, 'select, insert, update') or has_table_privilege(part.id, 'delete'))`,
  `select distinct format('the function %s sees all rows of %s: make it security invoker, or revoke it', pg_proc.oid::regprocedure, name)
    from pg_proc join (table reading union table part) as source on regexp_like(prosrc, (
        select '\\y' || regexp_replace(relname, '(\\W)', '\\\\\\1', 'g') || '\\y' from pg_class
        where oid = source.id and (relkind in ('v', 'm') or not relhasrules)), 'i')
      or exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and refobjid = id)
    where prosecdef and pronamespace in (select oid from seen)
      and (has_function_privilege(pg_proc.oid, 'execute') or exists (select from pg_trigger where tgfoid = pg_proc.oid))`,
];

/** Defects of the tables and of the role that let rows of one owner reach another, as sentences. */
export async function tenantProblems(db: Pick<DatabaseHandle, 'kysely'>, service: Tenanted): Promise<string[]> {
  if (Object.keys(service.tenants).length === 0) return [];
  const checks = sql.raw(CHECKS.join(' union all '));
  const { rows } = await sql<{ problem: string }>`${SOURCES(service)} ${checks}`.execute(db.kysely);
  return rows.map(({ problem }) => problem).sort();
}

/** @throws Error for tables or a role that let rows of one owner reach another */
export async function checkTenantIsolation(db: Pick<DatabaseHandle, 'kysely'>, service: Tenanted): Promise<void> {
  const problems = await tenantProblems(db, service);
  if (problems.length > 0) throw new Error(`Rows of one tenant may reach another:\n- ${problems.join('\n- ')}`);
}
