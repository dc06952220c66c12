import pg from 'pg';

/** SQLSTATE of a prepared statement that is missing, or that another session has prepared. */
const PREPARED_ELSEWHERE = /^(26000|42P05)$/;

const lost = new WeakMap<pg.Pool, number>();

/** `performance.now()` when a prepared statement of a pool was lost, as by a pooler that gives each transaction another session. */
export const statementLostAt = (pool: pg.Pool): number | undefined => lost.get(pool);

/** Notes whether a failure is such a loss. Returns it. */
export function noteLost(pool: pg.Pool, error: unknown): unknown {
  if (error instanceof pg.DatabaseError && PREPARED_ELSEWHERE.test(error.code ?? '')) lost.set(pool, performance.now());
  return error;
}
