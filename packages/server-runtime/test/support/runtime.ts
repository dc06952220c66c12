/** The functions of the runtime, bound to the service: tests name it only here. */

import { service } from '@repo/bookstore/service';
import { bind } from '@repo/bookstore/testing';

export type { Caller, DatabaseHandle, NewApiKey } from '@repo/bookstore/testing';

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
