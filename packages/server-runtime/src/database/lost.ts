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
