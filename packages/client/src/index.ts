export { createClient, type PetstoreClient } from './client.ts';
export { type ErrorCode, isPetstoreError, PetstoreError, type PetstoreErrorFields } from './errors.ts';
// The types only: what the contract calls them, and nothing of the table that sends them.
export type * from './generated/operations.ts';
export type { CallOptions, ClientOptions } from './options.ts';
export type { RateLimit } from './rate-limit.ts';
