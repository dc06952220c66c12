import type { Kysely } from 'kysely';
import pg from 'pg';
import { poolOf } from './database.ts';
import { isDatabaseUnavailable, OutcomeUnknown } from './errors.ts';
import type { Database } from './schema.ts';

const CRASH_SHUTDOWN = '57P02';

/**
 * Runs a statement that changes something. When the connection is lost after it was sent, nobody knows whether it was
 * carried out: unlike with every other failure, it is not safe to say that nothing was stored.
 *
 * @throws OutcomeUnknown
 */
export async function write<Result>(
  db: Kysely<Database>,
  statement: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  // Until there is a connection, nothing is sent.
  const connection = await poolOf(db).connect();
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
