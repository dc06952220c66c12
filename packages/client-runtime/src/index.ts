/**
 * The Service API, typed: one method per operation, retries that are safe, deadlines that hold, and one kind of error.
 *
 * @module
 */
export type { Call, CallResult, PagedCall, PageResult } from './call.ts';
export { createClient, type ServiceClient } from './client.ts';
export { type ErrorCode, type FieldFailure, isServiceError, ServiceError } from './error.ts';
export type { FailureBody, FailureCode } from './failure.ts';
export type { FetchClient } from './fetch-types.ts';
export type * from './generated/operations.ts';
export type { paths } from './generated/schema.ts';
export type { DeprecationNotice, RateLimit, RateLimitWindow } from './headers.ts';
export type { Around, CallInfo, Maybe, Middleware, MiddlewareCall } from './middleware.ts';
export type * from './options.ts';
export type { ClientOptions, DebugEvent, Fetch, RetryEvent } from './settings.ts';
