// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

import type { ErrorBody } from './operations.ts';

/** The body of a failure. */
export type FailureBody = ErrorBody;

/** The codes that a failure may have. */
export type FailureCode = ErrorBody['code'];

/** The code and the message in the body of a failure. */
export const readFailure: (body: unknown, response?: Response) => { code?: unknown; message?: unknown } = Object;

/** A failure of the service with its code and message. */
export const failureResponse = (
  status: number,
  code: FailureCode,
  message: string,
  headers: Headers | Record<string, string>,
): Response => new Response(JSON.stringify({ code, message, status } satisfies FailureBody), { status, headers });
