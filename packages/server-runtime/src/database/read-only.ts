import type pg from 'pg';
import { causeOf } from './cause.ts';

/** The error of a read that changes something. Postgres' own one would make the server take the database for a standby. */
export function refusedChange(error: unknown): unknown {
  if (causeOf(error) !== 'read_only') return error;
  return new Error(`A read may only select: ${(error as Error).message}`, { cause: error });
}

/**
 * Runs a text for the first time, in a read-only transaction: Postgres refuses changes and row locks, also those of functions. Doing so
 * each time would double the CPU time of a statement, although all three messages are sent at once.
 */
export async function tryReadOnly<Result>(client: pg.PoolClient, run: () => Promise<Result>): Promise<Result> {
  try {
    await client.query('begin read only');
    return await run();
  } catch (error) {
    throw refusedChange(error);
  } finally {
    await client.query('rollback').catch(() => {});
  }
}
