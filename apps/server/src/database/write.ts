import pg from 'pg';
import { isDatabaseUnavailable, OutcomeUnknown } from './errors.ts';
import type { DatabaseHandle } from './open.ts';

const CRASH_SHUTDOWN = '57P02';

/**
 * Runs a statement that writes. When the connection is lost after it was sent, it may have been committed, whereas any other
 * failure has stored nothing.
 *
 * @throws OutcomeUnknown
 */
export async function write<Result>(
  db: DatabaseHandle,
  statement: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  // Until there is a connection, nothing is sent.
  const connection = await db.pool.connect();
  try {
    return await statement(connection);
  } catch (error) {
    // A failure that Postgres reports was rolled back, except when it crashes: recovery may find the commit on the disk.
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
