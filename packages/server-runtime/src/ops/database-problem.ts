import type pg from 'pg';
import { type Cause, causeOf } from '../database/cause.ts';
import { ENDS_COMPATIBILITY } from '../database/migrations.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { named, select, statementLostAt } from '../database/statement.ts';
import type { Privilege } from '../database/tables.ts';

export interface Problem {
  cause: Cause | 'standby' | 'service' | 'shutting_down';
  reason: string;
}

export interface Checked {
  migrations: object;
  privileges: readonly (readonly [table: string, privilege: Privilege])[];
}

/** The privileges that a server needs on the tables of the runtime. Commands and migrations need more. */
const PRIVILEGES: Record<string, Privilege[]> = {
  kysely_migration: ['select'],
  api_keys: ['select'],
  rate_limits: ['select', 'insert', 'update'],
  idempotency_keys: ['select', 'insert', 'update', 'delete'],
};

/** The parameters of `SELECT_PROBLEMS`: the migrations; the table of each privilege; the privileges. */
export function needsOf({ migrations, privileges }: Checked): string[][] {
  const ofRuntime = Object.entries(PRIVILEGES).flatMap(([table, names]) => names.map((name) => [table, name] as const));
  const all = [...privileges, ...ofRuntime];
  return [Object.keys(migrations), all.map(([table]) => table), all.map(([, privilege]) => privilege)];
}

interface Found {
  missing: string | null;
  breaking: string | null;
  denied: string | null;
  readOnly: 'on' | 'off';
  /** Whether a commit of this role has waited for a synchronous standby for a second. */
  waits: boolean;
}

/**
 * Selects the first migration of this version that did not run, a newer one that ends its compatibility, and a privilege that is denied. It
 * is SQL, because the builder has no `unnest` of two arrays.
 */
const SELECT_PROBLEMS = named(
  'select_problems',
  `select
      (select min(name) from unnest($1::text[]) as name
        where name not in (select name from kysely_migration)) as missing,
      (select min(name) from kysely_migration
        where name like '%${ENDS_COMPATIBILITY}' and name <> all($1::text[])) as breaking,
      (select min(case when has_table_privilege(relation, privilege) then 'usage on ' || sequence else privilege || ' on ' || name end)
        from unnest($2::text[], $3::text[]) as wanted (name, privilege)
        cross join lateral (select to_regclass(quote_ident(name)) as relation) as found
        -- A create takes its ids from the sequence itself, for which it needs the privilege.
        cross join lateral (select case when privilege = 'insert' and exists (
          select from pg_attribute where attrelid = relation and attname = 'id') then pg_get_serial_sequence(quote_ident(name), 'id') end as sequence) as ids
        where not has_table_privilege(relation, privilege) or not has_sequence_privilege(sequence, 'usage')) as denied,
      current_setting('transaction_read_only') as "readOnly",
      exists (select from pg_stat_activity
        where wait_event = 'SyncRep' and clock_timestamp() - query_start > interval '1 second') as waits`,
);

const REASONS: Record<Cause | 'standby', string> = {
  unreachable: 'the database does not answer',
  authentication: 'the database refuses the role or its password',
  tls: 'the database cannot be reached by TLS',
  too_many_connections: 'the database has no connection left',
  privileges: 'the role lacks a privilege',
  read_only: 'the database is read-only',
  schema: 'the database lacks a table, or does not exist',
  standby: 'changes wait for a synchronous standby that does not confirm them',
  version: 'the version of Postgres is too old',
  pooler: 'the connection pooler does not support prepared statements',
};

const problem = (cause: keyof typeof REASONS, reason = REASONS[cause]): Problem => ({ cause, reason });

/**
 * Closes the connections that wait for work. A session keeps the settings that it has begun with, so that one from a time when the database
 * was read-only refuses changes for as long as it lives.
 */
async function closeIdle(pool: pg.Pool): Promise<void> {
  for (let idle = pool.idleCount; idle > 0; idle--) (await pool.connect()).release(true);
}

/** The reason why a database cannot serve this version, or, with the cause `standby`, only reads; undefined when it can. */
export async function databaseProblem({ pool }: DatabaseHandle, needs: string[][]): Promise<Problem | undefined> {
  const problemsOn = (on: pg.Pool | pg.PoolClient) => select<Found>(on, SELECT_PROBLEMS, ...needs);
  try {
    // Under load, the check below may meet sessions that know its statement, and find no problem.
    if (performance.now() - (statementLostAt(pool) ?? Number.NEGATIVE_INFINITY) < 60_000) return problem('pooler');
    // The statement runs on two sessions: a pooler that merges them refuses to prepare it twice.
    const connection = await pool.connect();
    let isReadOnly = true;
    let waits = false;
    try {
      const [first] = await problemsOn(connection);
      const [found] = await problemsOn(pool);
      if (found?.missing) return problem('schema', `the database lacks migration ${found.missing}`);
      if (found?.breaking) return problem('schema', `this version cannot serve after migration ${found.breaking}`);
      if (found?.denied) return problem('privileges', `the role lacks ${found.denied}`);
      waits = found?.waits ?? false;
      isReadOnly = [first, found].some((each) => each?.readOnly === 'on');
    } finally {
      connection.release(isReadOnly);
    }
    if (!isReadOnly) return waits ? problem('standby') : undefined;
    // The database is a standby, until its promotion, or has this default. Only a new session tells whether it still does.
    await closeIdle(pool);
    const [now] = await problemsOn(pool);
    return now?.readOnly === 'on' ? problem('read_only') : undefined;
  } catch (error) {
    const cause = causeOf(error);
    if (cause === 'version') return problem(cause, (error as Error).message);
    // A table is missing before the first migration.
    return problem(cause, cause === 'schema' ? `${REASONS.schema}: is it migrated?` : undefined);
  }
}
