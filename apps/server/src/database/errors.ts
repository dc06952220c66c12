import pg from 'pg';

/**
 * SQLSTATE classes and codes of failures that pass: connection, deadlock, resources, lock timeout, shutdown, statement
 * timeout, read-only standby; no access and no such database, as while one is replaced; a prepared statement that a pooler
 * has lost.
 */
const UNAVAILABLE = /^(08|26|28|3D|40|42P05|53|55|57|25006)/;

/** Messages of pg and its pool, without a code, when a connection is lost or cannot be had. */
const CONNECTION_LOST =
  /connection terminated|timeout exceeded when trying to connect|connection error|query read timeout/i;

/** What Node.js was doing when a connection could not be made, or broke. */
const CONNECTION_CALLS = /^(connect|getaddrinfo|read|write)$/;

/** A write was sent, and its outcome is unknown. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection to the database was lost during a write', { cause });
  }
}

/** The database was not asked, because it has just taken too long. */
export class DatabaseTooSlow extends Error {
  constructor() {
    super('The database takes too long');
  }
}

/** Whether a request may succeed later, because the database is away, full, locked or too slow: it is answered with 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseTooSlow) return true;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const { syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return CONNECTION_CALLS.test(syscall);
  return CONNECTION_LOST.test(error.message);
}
