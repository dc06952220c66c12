import pg from 'pg';
import { isDatabaseUnavailable, OutcomeUnknown } from './errors.ts';
import type { DatabaseHandle } from './open.ts';

const CRASH_SHUTDOWN = '57P02';

/**
 * Runs a statement that writes.
 *
 * @throws OutcomeUnknown if the connection is lost after the statement was sent: it may have been committed. Any other failure
 *   has stored nothing.
 */
export async function write<Result>(
  db: DatabaseHandle,
  statement: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  // Failures up to here are safe: nothing was sent.
  const connection = await db.pool.connect();
  try {
    return await statement(connection);
  } catch (error) {
    // Postgres rolls back a failure that it reports, unless it crashes: recovery may find the commit on the disk.
    const lost =
      error instanceof pg.DatabaseError
        ? error.code === CRASH_SHUTDOWN || error.severity === 'PANIC'
        : isDatabaseUnavailable(error);
    if (lost) throw new OutcomeUnknown(error);
    throw error;
  } finally {
    connection.release();
  }
}
