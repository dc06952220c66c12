import type { FastifyError } from 'fastify';
import pg from 'pg';
import { type ErrorCode as Code, codeOf } from './codes.ts';
import type { ErrorBody, FieldError } from './contract.ts';
import { causeOf } from './database/cause.ts';

/** The message of a 404 that says no more. */
export const NOT_FOUND = 'The requested resource could not be found';

/** A failure with the contract's Error body. Any other exception becomes a 500 without details. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: Code;
  readonly headers: Record<string, string>;
  readonly errors: FieldError[] | undefined;

  /**
   * @param status - HTTP status
   * @param message - sent to the client: no stack, query or key
   * @param options - `code` tells failures with the same status apart. Default: that of the status
   */
  constructor(status: number, message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.status = status;
    this.code = options.code ?? codeOf(status);
    this.headers = options.headers ?? {};
    this.errors = options.errors;
  }

  body(): ErrorBody {
    const { code, message, status, errors } = this;
    return errors ? { code, message, status, errors } : { code, message, status };
  }
}

interface ApiErrorOptions {
  code?: Code;
  headers?: Record<string, string>;
  /** The fields that fail, for forms, if the status is 400. */
  errors?: FieldError[];
}

/**
 * SQLSTATE classes and codes of temporary failures: connection, deadlock, resources, lock timeout, shutdown, statement timeout,
 * read-only standby, timeout of a transaction; no access or no such database, as while one is replaced; a prepared statement lost
 * by a pooler; a statement for a table that has been distributed meanwhile; an internal error, or one of input and output, as Citus
 * reports the loss of a node.
 */
const UNAVAILABLE = /^(08|25006|25P0[34]|26|28|3D|40|42P05|53|55|57|58030|0A000|2200H|XX000)/;

/** System calls of a connection that failed or broke, and messages of pg and its pool, which have no code. */
const CONNECTION_LOST =
  /^(connect|getaddrinfo|read|write)$|connection (terminated|error)|trying to connect|query read timeout/i;

/** The database takes too long. */
export class Overdue extends Error {}

/** A write was sent, and may have been committed. */
export class OutcomeUnknown extends Error {}

/** Whether a failure is temporary: the database is unreachable, full, locked or too slow. It is answered with 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (error instanceof Overdue) return true;
  if (!(error instanceof Error)) return false;
  const { syscall, message } = error as NodeJS.ErrnoException;
  return CONNECTION_LOST.test(syscall ?? message) || ['tls', 'authentication'].includes(causeOf(error));
}

/** SQLSTATEs of texts with NUL or lone surrogates, which Postgres cannot store, although a contract allows them. */
const TEXT = /^22(021|P02|P05)$/;

/** The failure that answers a request. Exceptions that do not come from this file, Postgres or Fastify are bugs. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const headers = { 'Retry-After': '1' };
  if (error instanceof pg.DatabaseError && TEXT.test(error.code ?? '')) {
    return new ApiError(400, 'A text has a character that cannot be stored');
  }
  if (isDatabaseUnavailable(error)) return new ApiError(503, 'The service is temporarily unavailable', { headers });
  if (error instanceof OutcomeUnknown) {
    const message = 'The connection to the database was lost: the request may have been processed';
    return new ApiError(503, message, { code: 'outcome_unknown', headers });
  }
  const { code = '', statusCode = 500 } = error instanceof Error ? (error as FastifyError) : {};
  // Other framework errors are bugs.
  if (code.startsWith('FST_') && statusCode < 500) return malformed(code, statusCode);
  return new ApiError(500, 'Internal error');
}

/** Errors of Fastify and Node.js about a request, by their `code`. */
const MALFORMED: Record<string, [status: number, message: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is larger than the service accepts'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Send the body as application/json'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The body is larger than the service accepts'],
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large'],
};

/** @param other - HTTP status for an unknown `code` */
export function malformed(code = '', other = 400): ApiError {
  return new ApiError(...(MALFORMED[code] ?? [other, 'The request is malformed']));
}
