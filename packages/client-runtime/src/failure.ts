import type { ErrorBody } from './generated/operations.ts';

/** The body of a failure. */
export type FailureBody = ErrorBody;

/** The codes that a failure may have. */
export type FailureCode = ErrorBody['code'];

/** The code and the message of a failure; undefined for a body that is none of the contract. */
export function readFailure(body: unknown, _headers?: Headers): { code: string; message?: string } | undefined {
  const { code, message } = Object(body);
  return [code, message].every((text) => typeof text === 'string') ? { code, message } : undefined;
}

/** An error response of the service, with headers such as `{ 'Retry-After': '30' }`. */
export function errorResponse(
  status: number,
  code: FailureCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = JSON.stringify({ code, message, status } satisfies FailureBody);
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } });
}
