import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import { isStale, Overdue } from '@petstore-platform/kysely-pipeline';
import { RequestError } from '@petstore-platform/openapi-validation';
import type { FastifyError } from 'fastify';
import pg from 'pg';
import { type ErrorCode as Code, codeOf } from './codes.ts';
import type { ErrorBody, FieldError } from './contract.ts';
import { causeOf } from './database/cause.ts';
import { readable } from './failure-log.ts';

/** The message of a 404 that says no more. */
export const NOT_FOUND = 'The requested resource could not be found';

/** A failure with the contract's Error body. Any other exception becomes a 500 without details. It is not changed after its creation. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: Code;
  readonly headers: Record<string, string>;
  readonly errors: FieldError[] | undefined;

  /**
   * @param status - HTTP status from 400 to 599
   * @param message - sent to the client: no stack, query or key
   * @param options - `code` tells failures with the same status apart. Default: that of the status
   * @throws Error for another status, and for a header that cannot be sent
   */
  constructor(status: number, message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.headers = checkFailure(status, options.headers);
    this.status = status;
    this.code = options.code ?? codeOf(status);
    this.errors = options.errors;
  }

  body(): ErrorBody {
    const { code, message, status, errors } = this;
    return errors ? { code, message, status, errors } : { code, message, status };
  }
}

const isFailure = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;

function checkFailure(status: number, headers?: Record<string, string>): Record<string, string> {
  if (!isFailure(status)) throw new RangeError(`An ApiError has a status from 400 to 599, not ${status}`);
  return checkHeaders(status === 401 ? { 'WWW-Authenticate': 'Bearer', ...headers } : headers);
}

/** Only the server knows how the body of a response is framed (RFC 9112 section 6). */
const FRAMING = /^(transfer-encoding|trailer)$/i;

/**
 * Checks headers before the response has begun.
 *
 * @returns those that have a value
 * @throws Error for one that cannot be sent
 */
export function checkHeaders(headers: Record<string, string | undefined> = {}): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    validateHeaderName(name);
    const sent = /^(content-)?location$/i.test(name) ? value.replace(NO_URI, encoded) : value;
    validateHeaderValue(name, sent);
    if (FRAMING.test(name)) throw new Error(`A response cannot have a ${name} of its own`);
    checked[name] = sent;
  }
  return checked;
}

/** Characters not allowed in a URI (RFC 3986). Percent-encoded characters stay. */
const NO_URI = /[^\w.~:/?#[\]@!$&'()*+,;=%-]|%(?![\da-f]{2})/giu;

/** @throws ApiError 400 for a lone surrogate, as in a text of the client that was cut */
function encoded(text: string): string {
  if (!text.isWellFormed()) throw new ApiError(400, 'A text of the response contains an invalid character');
  return encodeURIComponent(text).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A `Content-Disposition` with the name of a file, which may be any text (RFC 6266, RFC 8187). */
export const attachment = (name: string): string =>
  `attachment; filename="${name.replace(/[^ -~]|["\\%]/g, '_')}"; filename*=UTF-8''${encoded(name)}`;

interface ApiErrorOptions {
  code?: Code;
  headers?: Record<string, string>;
  /** The fields that fail, for forms. */
  errors?: FieldError[] | undefined;
}

/**
 * SQLSTATE classes and codes of temporary failures: connection, deadlock, resources, lock timeout, shutdown, statement timeout,
 * read-only standby, timeout of a transaction; no access or no such database, as while one is replaced; a prepared statement lost
 * by a pooler; an internal error, as for a table that is altered meanwhile; an error of input and output.
 */
const UNAVAILABLE = /^(08|25006|25P0[34]|26|28|3D|40|42P05|53|55|57|58030|2200H|XX000)/;

/** System calls of a connection that failed or broke, and messages of pg and its pool, which have no code. */
const CONNECTION_LOST =
  /^(connect|getaddrinfo|read|write)$|connection (terminated|error)|trying to connect|query read timeout/i;

/** A write was sent, and may have been committed. */
export class OutcomeUnknown extends Error {}

/** Whether a failure is temporary: the database is unreachable, full, locked or too slow. It is answered with 503. */
export const isDatabaseUnavailable = (error: unknown): boolean => readable(() => isUnavailable(error), false);

function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '') || isStale(error);
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (error instanceof Overdue) return true;
  if (!(error instanceof Error)) return false;
  const { syscall, message } = error as NodeJS.ErrnoException;
  return CONNECTION_LOST.test(syscall ?? message) || ['tls', 'authentication', 'version'].includes(causeOf(error));
}

/**
 * The failure that answers a request, as it is written. Anything that cannot be sent is a bug.
 *
 * @param state - the status in place of 400, and whether a handler has begun
 */
export function answerTo<Written>(
  error: unknown,
  write: (failure: ApiError) => Written,
  { operation, isHandled }: { operation?: { invalid?: number } | undefined; isHandled: boolean },
) {
  const { invalid = 400 } = operation ?? {};
  const answer = (failure: ApiError) => ({ failure, written: write(failure) });
  const checked = () => {
    const failure = expectedError(error, isHandled) ?? BUG;
    // A subclass or an assignment may have changed it.
    checkFailure(failure.status, failure.headers);
    return answer(
      failure.status === 400 && invalid !== 400 ? new ApiError(invalid, failure.message, failure) : failure,
    );
  };
  return readable(checked, undefined) ?? answer(BUG);
}

/** A failure that will pass: the client may try again after some seconds. */
export const unavailable = (message: string, { code = codeOf(503), seconds = 1 } = {}) =>
  new ApiError(503, message, { code, headers: { 'Retry-After': `${seconds}` } });

/** Exceptions that do not come from this file, Postgres or a plugin of Fastify. */
const BUG = new ApiError(500, 'Internal error');

/** An error of Fastify, its plugins or their libraries. */
type Thrown = Partial<FastifyError> & { expose?: unknown };

function expectedError(error: unknown, isHandled: boolean): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof RequestError) return new ApiError(error.statusCode, error.message, { errors: error.errors });
  const { code = '', statusCode, message, expose }: Thrown = error instanceof Error ? error : {};
  if (isFailure(statusCode) && statusCode !== 500) {
    if (/^FST_/.test(code)) return malformed(code, statusCode);
    // An error of a plugin or hook: its message is sent if `expose` is true, as in http-errors. In a handler it is a bug.
    if (!isHandled) return expose === true ? new ApiError(statusCode, `${message}`) : malformed('', statusCode);
  }
  if (isUnavailable(error)) return unavailable('The service is temporarily unavailable');
  if (!(error instanceof OutcomeUnknown)) return undefined;
  const unknown = 'The connection to the database was lost: the request may have been processed';
  return unavailable(unknown, { code: 'outcome_unknown' });
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
  const message = other === 400 ? 'The request is malformed' : (STATUS_CODES[other] ?? 'The request failed');
  return new ApiError(...(MALFORMED[code] ?? [other, message]));
}
