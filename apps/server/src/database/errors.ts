import pg from 'pg';

/**
 * SQLSTATE classes and codes of temporary failures: connection, deadlock, resources, lock timeout, shutdown, statement timeout,
 * read-only standby, timeout of a transaction; no access or no such database, as while one is replaced; a prepared statement lost
 * by a pooler; a statement for a table that has been distributed meanwhile; an internal error, as Citus reports the loss of a node.
 */
const UNAVAILABLE = /^(08|25006|25P0[34]|26|28|3D|40|42P05|53|55|57|0A000|2200H|XX000)/;

/** Messages of pg and its pool that come without a code. */
const CONNECTION_LOST =
  /connection terminated|timeout exceeded when trying to connect|connection error|query read timeout/i;

/** System calls of a connection that failed or broke. */
const CONNECTION_CALLS = /^(connect|getaddrinfo|read|write)$/;

/** The connection was lost after a write was sent. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection to the database was lost during a write', { cause });
  }
}

/** The statement was not sent, because the one before it took too long. */
export class DatabaseTooSlow extends Error {}

/** Whether a failure is temporary: the database is unreachable, full, locked or too slow. Answered with 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseTooSlow) return true;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const { syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return CONNECTION_CALLS.test(syscall);
  return CONNECTION_LOST.test(error.message);
}
