import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import { isDatabaseUnavailable, OutcomeUnknown } from '../database/errors.ts';
import { ApiError } from '../errors.ts';

/**
 * Answers a request with its failure. Invalid HTTP has no request to answer: `Exchanges` writes to its socket.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  // The client aborted its upload: nothing to log or answer.
  if (raw.errored !== null && error === raw.errored) return;
  // A body that nobody reads would wait in memory until the client has read the response.
  raw.resume();
  const failure = toApiError(error);
  raw.exchange.answer(failure);
  // ApiErrors are deliberate; only unexpected failures are logged.
  if (failure.status >= 500 && failure !== error)
    request.log.error({ reqId: request.id, err: error }, 'request failed');
  reply.code(failure.status).headers(failure.headers).send(failure.body());
}

/** SQLSTATE of NUL and of lone surrogates, where the contract allows them. */
const TEXT = /^22(021|P02|P05)$/;

function toApiError(error: unknown): ApiError {
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
