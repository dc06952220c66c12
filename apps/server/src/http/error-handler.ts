import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable, OutcomeUnknown } from '../database/errors.ts';
import { ApiError } from './api-error.ts';
import { validationFailure } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The `code` of a failure that was answered, for the log and the metrics. */
    errorCode: ApiError['code'] | null;
  }
}

/** Seconds until a client may try again when the database is away. */
const RETRY_AFTER = '1';

/** Whatever was thrown on a request's way, as what the client is told. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDatabaseUnavailable(error)) {
    const headers = { 'Retry-After': RETRY_AFTER };
    return new ApiError(503, 'The service is unavailable at the moment', { headers });
  }
  if (error instanceof OutcomeUnknown) {
    const message = 'The database was lost meanwhile: this may or may not have been done';
    return new ApiError(503, message, { code: 'outcome_unknown', headers: { 'Retry-After': RETRY_AFTER } });
  }
  const framework = error instanceof Error && /^FST_/.test((error as FastifyError).code);
  return (framework && ofFramework(error as FastifyError)) || new ApiError(500, 'Something went wrong on our side');
}

/** What the framework found wrong with a request; nothing for its other complaints. A handler's errors are no concern of the client. */
function ofFramework({ code, statusCode, validation, validationContext }: FastifyError): ApiError | undefined {
  if (validation) return validationFailure(validation, validationContext);
  // The rest of the body is not read, so the connection cannot be used for another request.
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError(413, 'The body is larger than the service accepts', { headers: { Connection: 'close' } });
  }
  if (statusCode === 415) return new ApiError(415, 'Send the body as application/json');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return new ApiError(400, 'The body is shorter or longer than its Content-Length');
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError(statusCode, 'The request is malformed');
  }
  return undefined;
}

/** The one place where a failure becomes a response: thrown errors and the framework's own alike. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = toApiError(error);
  request.errorCode = failure.code;
  // An answer that was meant is no fault.
  if (failure.status >= 500 && failure !== error) request.log.error({ err: error }, 'request failed');
  reply.code(failure.status).headers(failure.headers).send(failure.body());
}
