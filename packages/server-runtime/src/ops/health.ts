import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Batcher } from '../batcher.ts';
import { type Cause, causeOf } from '../database/cause.ts';
import { ENDS_COMPATIBILITY } from '../database/migrate.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { statement, statementLostAt } from '../database/statement.ts';

/** Why a server does not serve. */
export interface Problem {
  cause: Cause | 'service' | 'shutting_down';
  /** For people. */
  reason: string;
}

/** The part of a service that its health needs. */
interface Checked {
  migrations: object;
  /** See `Service.handlers`. */
  tables: readonly string[];
}

/**
 * `/livez`: the process runs. `/readyz`: it can serve, or the cause and the reason why not.
 *
 * @param ready - of the service: why it cannot serve
 * @returns the check of `/readyz`
 */
export function registerHealth(
  app: FastifyInstance,
  db: DatabaseHandle,
  service: Checked,
  ready: () => Promise<string | undefined>,
): () => Promise<Problem | undefined> {
  const needs = needsOf(service);
  const serviceProblem = async (): Promise<Problem | undefined> => {
    const reason = await ready().catch(() => 'the check of the service failed');
    return reason === undefined ? undefined : { cause: 'service', reason };
  };
  // Not rate limited, so concurrent checks share one.
  const problems = new Batcher<undefined, Problem | undefined>(async () => [
    (await databaseProblem(db, needs)) ?? (await serviceProblem()),
  ]);
  const check = async (): Promise<Problem | undefined> =>
    app.exchanges.closing ? { cause: 'shutting_down', reason: 'shutting down' } : problems.submit(undefined);
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const problem = await check();
    return problem === undefined ? { status: 'ok' } : reply.code(503).send({ status: 'unavailable', ...problem });
  });
  return check;
}

/** What a server needs of its database. */
interface Needs {
  migrations: string[];
  /** As parallel lists. */
  tables: string[];
  privileges: string[];
}

/** What the server does with the tables of the runtime. Commands and migrations need more. */
const PRIVILEGES: Record<string, string> = {
  kysely_migration: 'select',
  api_keys: 'select',
  rate_limits: 'select insert update delete',
  idempotency_keys: 'select insert delete',
};

function needsOf({ migrations, tables }: Checked): Needs {
  const all = Object.entries({ ...Object.fromEntries(tables.map((table) => [table, 'select'])), ...PRIVILEGES });
  const pairs = all.flatMap(([table, privileges]) => privileges.split(' ').map((privilege) => [table, privilege]));
  return {
    migrations: Object.keys(migrations),
    tables: pairs.map(([table = '']) => table),
    privileges: pairs.map(([, privilege = '']) => privilege),
  };
}

interface Found {
  missing: string | null;
  breaking: string | null;
  denied: string | null;
  readOnly: 'on' | 'off';
}

/** The first migration of this version that did not run, a newer one that ends its compatibility, and a privilege that is denied. */
const selectProblems = statement<Needs, Found>(
  'select_problems',
  (value) => sql`
    select
      (select min(name) from unnest(${value('migrations')}::text[]) as name
        where name not in (select name from kysely_migration)) as missing,
      (select min(name) from kysely_migration
        where name like ${sql.lit(`%${ENDS_COMPATIBILITY}`)} and name <> all(${value('migrations')}::text[])) as breaking,
      (select min(privilege || ' on ' || name)
        from unnest(${value('tables')}::text[], ${value('privileges')}::text[]) as wanted (name, privilege)
        where not has_table_privilege(to_regclass(name), privilege)) as denied,
      current_setting('transaction_read_only') as "readOnly"`,
);

const REASONS: Record<Cause, string> = {
  unreachable: 'the database does not answer',
  authentication: 'the database refuses the role or its password',
  tls: 'the database cannot be reached by TLS',
  too_many_connections: 'the database has no connection left',
  privileges: 'the role lacks a privilege',
  read_only: 'the database is read-only',
  schema: 'the database lacks a table, or does not exist',
  pooler: 'the connection pooler does not support prepared statements',
};

const problem = (cause: Cause, reason = REASONS[cause]): Problem => ({ cause, reason });

/** Why a database cannot serve this version; undefined when it can. */
async function databaseProblem({ pool }: DatabaseHandle, needs: Needs): Promise<Problem | undefined> {
  try {
    // Under load, the check below may meet sessions that know its statement.
    if (performance.now() - (statementLostAt(pool) ?? Number.NEGATIVE_INFINITY) < 60_000) return problem('pooler');
    // On two sessions: a pooler that merges them refuses the second preparation of the statement.
    const connection = await pool.connect();
    try {
      await selectProblems(connection, needs);
      const [found] = await selectProblems(pool, needs);
      if (found?.missing) return problem('schema', `the database lacks migration ${found.missing}`);
      if (found?.breaking) return problem('schema', `this version cannot serve after migration ${found.breaking}`);
      if (found?.denied) return problem('privileges', `the role lacks ${found.denied}`);
      // A standby, until its promotion; or a setting of the role.
      return found?.readOnly === 'on' ? problem('read_only') : undefined;
    } finally {
      connection.release();
    }
  } catch (error) {
    const cause = causeOf(error);
    // A table is missing before the first migration.
    return problem(cause, cause === 'schema' ? `${REASONS.schema}: is it migrated?` : undefined);
  }
}
