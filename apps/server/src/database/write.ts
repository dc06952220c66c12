import pg from 'pg';
import { isDatabaseUnavailable, OutcomeUnknown } from './errors.ts';
import type { DatabaseHandle } from './open.ts';

const CRASH_SHUTDOWN = '57P02';

/**
 * Runs a statement that changes something. When the connection is lost after it was sent, nobody knows whether it was
 * carried out: unlike with every other failure, it is not safe to say that nothing was stored.
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
    // What Postgres itself says has failed was rolled back; but not when it says that it is crashing: a commit that could not
    // be written to the disk for sure may be there after all when it has recovered.
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
