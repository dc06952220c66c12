import { sql } from 'kysely';
import type { DatabaseHandle } from './open.ts';
import type { Tenants } from './scope.ts';

/**
 * Selects what lets rows of one owner reach another past every statement: a foreign key without the owner, or by which a change of a row
 * without an owner changes those of all; a unique constraint over all owners, which tells one what another has; a view or a function,
 * which sees all rows. An id that is generated is no secret. A view may read others, each with privileges of its own. It looks at the
 * schemas of the search path, and at what this role may use.
 */
const PROBLEMS = (tenants: Tenants) => sql<{ problem: string }>`
  with recursive tenant as (
    select name, owner, to_regclass(quote_ident(name)) as id from json_each_text(${JSON.stringify(tenants)}::json) as given (name, owner)
  ), owned as (
    select tenant.*, attnum, attnotnull, relkind, format_type(atttypid, null) in ('text', 'character varying') as is_text,
      collisdeterministic
    from tenant left join pg_attribute on attrelid = id and attname = owner and not attisdropped
      left join pg_class on pg_class.oid = id left join pg_collation on pg_collation.oid = attcollation
  ), reading as (
    select id, name from tenant where id is not null
    union select ev_class, name from reading join pg_depend on refobjid = reading.id and refclassid = 'pg_class'::regclass
      join pg_rewrite on pg_rewrite.oid = objid and classid = 'pg_rewrite'::regclass
      where not exists (select from tenant where tenant.id = ev_class)
  ), seen as (select oid from pg_namespace where nspname = any(current_schemas(false)))
  select name || '.' || owner || ' is missing' as problem from owned where attnum is null
  union all select name || '.' || owner || ' may be null: nobody sees a row without an owner'
    from owned where relkind in ('r', 'p') and not attnotnull
  union all select name || '.' || owner || ' is no text that equals only itself' from owned
    where attnum is not null and not (is_text and collisdeterministic)
  union all select case when mine.id is null
      then format('%s of %s refers to rows of %s, which have owners: add %s to tenants', conname, conrelid::regclass, theirs.name, conrelid::regclass)
      else format('%s of %s does not name the owner: reference %s (%I, …)', conname, mine.name, theirs.name, theirs.owner) end
    from pg_constraint join owned as theirs on theirs.id = confrelid left join owned as mine on mine.id = conrelid
    where contype = 'f' and not exists (
      select from unnest(conkey, confkey) as pair (one, other) where one = mine.attnum and other = theirs.attnum)
  union all select format('%s of %s changes rows of all owners with one of %s: leave out cascade, set null and set default',
      conname, mine.name, confrelid::regclass)
    from pg_constraint join owned as mine on mine.id = conrelid
    where contype = 'f' and (confdeltype in ('c', 'n', 'd') or confupdtype in ('c', 'n', 'd'))
      and not exists (select from owned as theirs where theirs.id = confrelid)
  union all select format('%s of %s is one of all owners: a conflict tells that another has the value', indexrelid::regclass, name)
    from pg_index join owned on indrelid = id
    where (indisunique or indisexclusion) and attnum <> all ((indkey::smallint[])[0:indnkeyatts - 1])
      and not (indnkeyatts = 1 and exists (select from pg_attribute where attrelid = indrelid and attnum = indkey[0]
        and (attidentity <> '' or (atthasdef and format_type(atttypid, null) in ('smallint', 'integer', 'bigint', 'uuid')))))
  union all select format('the view %s sees all rows of %s: add it to tenants, or revoke it', reading.id::regclass, name)
    from reading join pg_class on oid = reading.id
    where relnamespace in (select oid from seen) and not exists (select from tenant where tenant.id = reading.id)
      and (has_any_column_privilege(oid, 'select, insert, update') or has_table_privilege(oid, 'delete'))
  union all select distinct format('the function %s sees all rows of %s: revoke it', pg_proc.oid::regprocedure, name)
    from pg_proc join owned on regexp_like(prosrc, '\\y' || regexp_replace(name, '(\\W)', '\\\\\\1', 'g') || '\\y', 'i')
      or exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and refobjid = id)
    where prorettype not in ('trigger'::regtype, 'event_trigger'::regtype) and pronamespace in (select oid from seen)
      and has_function_privilege(pg_proc.oid, 'execute')
  order by problem`;

/** Defects of the tables that let rows of one owner reach another, as sentences. */
export async function tenantProblems({ kysely }: Pick<DatabaseHandle, 'kysely'>, tenants: Tenants): Promise<string[]> {
  if (Object.keys(tenants).length === 0) return [];
  return (await PROBLEMS(tenants).execute(kysely)).rows.map(({ problem }) => problem);
}

/** @throws Error for tables that let rows of one owner reach another */
export async function checkTenantIsolation(db: Pick<DatabaseHandle, 'kysely'>, tenants: Tenants): Promise<void> {
  const problems = await tenantProblems(db, tenants);
  if (problems.length > 0) throw new Error(`Rows of one tenant may reach another:\n- ${problems.join('\n- ')}`);
}
