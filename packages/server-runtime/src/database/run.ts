import pg from 'pg';

/** SQLSTATE of a prepared statement that is missing, or that another session has prepared. */
export const PREPARED_ELSEWHERE = /^(26000|42P05)$/;

const lost = new WeakMap<object, number>();

/** `performance.now()` when a prepared statement of a pool was lost, as by a pooler that gives each transaction another session. */
export const statementLostAt = (pool: pg.Pool): number | undefined => lost.get(pool);

export function noteLost(on: object, error: unknown): void {
  if (error instanceof pg.DatabaseError && PREPARED_ELSEWHERE.test(error.code ?? '')) lost.set(on, performance.now());
}

/** Runs a statement on a connection. */
export async function run<Result>(on: pg.PoolClient, config: pg.QueryConfig): Promise<Result> {
  try {
    return (await on.query(config)) as Result;
  } catch (error) {
    noteLost(on, error);
    throw error;
  }
}
