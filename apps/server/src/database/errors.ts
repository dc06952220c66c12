import pg from 'pg';

/**
 * SQLSTATE classes and codes that say "not now": connection, deadlock, resources, not in the state for it (as a lock
 * time-out), shutdown or time-out, read-only standby; and no access, no such database: one that is being replaced; and a
 * prepared statement that a pooler has lost or mixed up.
 */
const UNAVAILABLE = /^(08|26|28|3D|40|42P05|53|55|57|25006)/;

/** What pg and its pool throw without a code when a connection is lost or none is to be had. */
const CONNECTION_LOST =
  /connection terminated|timeout exceeded when trying to connect|connection error|query read timeout/i;

/** Node.js codes of a connection that cannot be made or broke. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);

/** A write that was sent and got no answer: it may or may not have been carried out. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection to the database was lost during a write', { cause });
  }
}

/** The database is not tried: it has just taken too long. */
export class DatabaseTooSlow extends Error {
  constructor() {
    super('The database takes too long');
  }
}

/** The database is away, full, locked or too slow: the request may succeed later, so it is answered with 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseTooSlow) return true;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && syscall !== undefined) return SOCKET_CODES.has(code);
  return CONNECTION_LOST.test(error.message);
}
