/** The functions of the runtime, bound to the service: tests name it only here. */
import { bind } from '@petstore-platform/server-runtime/testing';
import { service } from '@repo/bookstore/service';

export type { Caller, DatabaseHandle, NewApiKey } from '@petstore-platform/server-runtime/testing';

export const {
  migrations,
  openDatabase,
  withDatabase,
  migrateUp,
  migrateDown,
  createHandlers,
  readerOn,
  handlerOf,
  createKey,
  hashKey,
  isWellFormed,
  insertApiKey,
  revokeApiKey,
  selectApiKeys,
  apiKeysOf,
  Metrics,
} = bind(service);
