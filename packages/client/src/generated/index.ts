// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

/**
 * The Petstore API, typed: one method per operation, retries that are safe, deadlines that hold, and one kind of error.
 *
 * @module
 */
export type { Call, CallResult, PagedCall, PageResult } from './call.ts';
export { createClient, type PetstoreClient } from './client.ts';
export { type ErrorCode, type FieldFailure, isPetstoreError, PetstoreError } from './error.ts';
export type { FailureBody, FailureCode } from './failure.ts';
export type { FetchClient } from './fetch-types.ts';
export type * from './operations.ts';
export type { paths } from './schema.ts';
export type { DeprecationNotice, RateLimit, RateLimitWindow } from './headers.ts';
export type { Around, CallInfo, Maybe, Middleware, MiddlewareCall } from './middleware.ts';
export type * from './options.ts';
export type { ClientOptions, DebugEvent, Fetch, RetryEvent } from './settings.ts';
