import pg from 'pg';

/**
 * SQLSTATE classes and codes of temporary failures: connection, deadlock, resources, lock timeout, shutdown, statement timeout,
 * read-only standby, timeout of a transaction; no access or no such database, as while one is replaced; a prepared statement lost
 * by a pooler; a statement for a table that has been distributed meanwhile; an internal error, as Citus reports the loss of a node.
 */
const UNAVAILABLE = /^(08|25006|25P0[34]|26|28|3D|40|42P05|53|55|57|0A000|2200H|XX000)/;

/** System calls of a connection that failed or broke, and messages of pg, its pool and the batcher, which have no code. */
const CONNECTION_LOST =
  /^(connect|getaddrinfo|read|write)$|connection (terminated|error)|trying to connect|query read timeout|takes too long/i;

/** A write was sent, and may have been committed. */
export class OutcomeUnknown extends Error {}

/** Whether a failure is temporary: the database is unreachable, full, locked or too slow. Answered with 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const { syscall, message } = error as NodeJS.ErrnoException;
  return CONNECTION_LOST.test(syscall ?? message);
}
