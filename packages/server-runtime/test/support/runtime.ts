/** The functions of the runtime, bound to the service: tests name it only here. */

import { service } from '@repo/bookstore/service';
import { bind } from '@repo/bookstore/testing';
import { onTestFinished } from 'vitest';

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

/** Connections to a database, which end with the running test. */
export function temporaryHandle(...args: Parameters<typeof openDatabase>) {
  const db = openDatabase(...args);
  onTestFinished(() => db.close());
  return db;
}
