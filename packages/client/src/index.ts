export type { Call, CallOptions, CallResult, IdempotentCallOptions, Limits, PagedCall } from './call.ts';
export { createClient, type PetstoreClient } from './client.ts';
export type { DeprecationNotice } from './deprecation.ts';
// The types only: what the contract calls them, and nothing of the table that sends them.
export type * from './generated/operations.ts';
export { type FailureStatus, isPetstoreError, type OperationId } from './is-petstore-error.ts';
export type { ClientOptions, Retry } from './options.ts';
export { type ErrorCode, PetstoreError, type PetstoreErrorFields } from './petstore-error.ts';
export type { RateLimit, RateLimitWindow } from './rate-limit.ts';
