import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { Batcher } from '../batcher.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { PREPARED_ELSEWHERE, statement, statementLostAt } from '../database/statement.ts';

/** Milliseconds between two checks for addresses over their limit. */
const INTERVAL = 1_000;

interface Checks {
  /** Of the service: why it cannot serve. */
  ready(): Promise<string | undefined>;
  /** Counts a request for its address. */
  count(request: FastifyRequest): Promise<{ outcome: string }>;
}

/**
 * `/livez`: the process runs. `/readyz`: it can serve, or the reason why not. An address over its limit gets the last answer, of a
 * second at most: strangers may share the address of the prober, and a refusal would take the server out of service.
 */
export function registerHealth(
  app: FastifyInstance,
  db: DatabaseHandle,
  migrations: object,
  { ready, count }: Checks,
): void {
  const names = Object.keys(migrations);
  let checked = { at: Number.NEGATIVE_INFINITY, problem: Promise.resolve<string | undefined>(undefined) };
  const problems = new Batcher<undefined, string | undefined>(async () => [
    (await databaseProblem(db, names)) ?? (await ready().catch(() => 'the check of the service failed')),
  ]);
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    const { outcome } = await count(request);
    const now = performance.now();
    if (outcome === 'admitted' || now - checked.at > INTERVAL)
      checked = { at: now, problem: problems.submit(undefined) };
    const reason = app.exchanges.closing ? 'shutting down' : await checked.problem;
    return reason === undefined ? { status: 'ok' } : reply.code(503).send({ status: 'unavailable', reason });
  });
}

const UNDEFINED_TABLE = '42P01';

const POOLER = 'the connection pooler does not support prepared statements';

/** SQL, as the builder has no `unnest`. The first migration of this version that did not run. On a newer database, all of them ran. */
const selectMissing = statement<{ names: string[] }, { missing: string | null; readOnly: 'on' | 'off' }>(
  'select_missing_migration',
  (value) => sql`
    select min(name) as missing, current_setting('transaction_read_only') as "readOnly"
    from unnest(${value('names')}::text[]) as name where name not in (select name from kysely_migration)`,
);

/** Why a database cannot serve this version; undefined when it can. */
async function databaseProblem({ pool }: DatabaseHandle, names: string[]): Promise<string | undefined> {
  try {
    // Under load, the check below may meet sessions that know its statement.
    if (performance.now() - (statementLostAt(pool) ?? Number.NEGATIVE_INFINITY) < 60_000) return POOLER;
    // On two sessions: a pooler that merges them refuses the second preparation of the statement.
    const connection = await pool.connect();
    try {
      await selectMissing(connection, { names });
      const [found] = await selectMissing(pool, { names });
      if (found?.missing) return `the database lacks migration ${found.missing}`;
      // A standby, until its promotion.
      return found?.readOnly === 'on' ? 'the database is read-only' : undefined;
    } finally {
      connection.release();
    }
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
    if (code === UNDEFINED_TABLE) return `the database lacks migration ${names[0]}`;
    return PREPARED_ELSEWHERE.test(code) ? POOLER : 'the database does not answer';
  }
}
