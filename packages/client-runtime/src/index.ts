/**
 * The part that all SDKs of the platform share: retries that are safe, deadlines that hold, pages, and one kind of error. Generated code calls
 * its functions; an SDK exports its types.
 *
 * @module
 */

export type { Call, CallResult, PagedCall, PageResult } from './call.ts';
export type { CallSite } from './call-site.ts';
export { buildClient, type ClientOf } from './client.ts';
export type * from './client-options.ts';
export { CallError, type Evidence, type FieldFailure, isFailure, type OwnCode } from './error.ts';
export { type Failures, failures, readerOf } from './failure.ts';
export type * from './fetch-types.ts';
export type { RateLimit, RateLimitWindow } from './headers.ts';
export type { Init, Operation } from './operation.ts';
export type * from './options.ts';
export type { Sdk } from './sdk.ts';
