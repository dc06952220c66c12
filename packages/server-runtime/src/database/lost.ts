import type pg from 'pg';
import { causeOf } from './cause.ts';

const lost = new WeakMap<pg.Pool, number>();

/** `performance.now()` when a pool lost a prepared statement, for example because a pooler gives each transaction another session. */
export const statementLostAt = (pool: pg.Pool): number | undefined => lost.get(pool);

/** Notes whether a failure is such a loss. Returns it. */
export function noteLost(pool: pg.Pool, error: unknown): unknown {
  if (causeOf(error) === 'pooler') lost.set(pool, performance.now());
  return error;
}

/**
 * Closes the connections that wait for work. A session keeps the settings that it has begun with, so that one from a time when the database
 * was read-only refuses changes for as long as it lives.
 */
export async function closeIdle(pool: pg.Pool): Promise<void> {
  for (let idle = pool.idleCount; idle > 0; idle--) (await pool.connect()).release(true);
}
