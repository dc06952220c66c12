/** The functions of the runtime, bound to the service: tests name it only here. */

import type { Implementation } from '@petstore-platform/server-runtime';
import * as runtime from '@petstore-platform/server-runtime/testing';
import { service } from '@repo/bookstore/service';
import { bind, type DatabaseHandle } from '@repo/bookstore/testing';
import { onTestFinished } from 'vitest';

export { hashKey, Metrics } from '@petstore-platform/server-runtime/testing';
export type { Caller, DatabaseHandle, NewApiKey } from '@repo/bookstore/testing';

export const {
  migrations,
  openDatabase,
  withDatabase,
  migrateUp,
  migrateDown,
  createHandlers,
  insertApiKey,
  revokeApiKey,
  selectApiKeys,
} = bind(service);

const { keyPrefix, name } = service;
export const createKey = () => runtime.createKey(keyPrefix);
export const isWellFormed = (key: string) => runtime.isWellFormed(keyPrefix, key);
export const apiKeysOf = (db: DatabaseHandle, now?: () => number) => runtime.apiKeysOf(service, db, now);

/** The functions of a read, on a database. */
export const readerOn = <Tables>(db: DatabaseHandle) =>
  new runtime.RequestDb(db).reader<Tables>(undefined, { caller: undefined });

// biome-ignore lint/suspicious/noExplicitAny: the handler of any operation
type AnyHandler = (request?: object, context?: object) => Promise<any>;

/** The handler of one operation on a database. A test names the parts of requests and contexts that matter to it. */
export function handlerOf(implementation: Implementation, db: DatabaseHandle): AnyHandler {
  const handler = implementation(new runtime.RequestDb(db, { service: name })) as AnyHandler;
  const usual = { path: '/', caller: { id: 'key:0' }, fingerprint: 'ab' };
  return (request, context) =>
    handler({ path: {}, query: {}, headers: {}, body: {}, ...request }, { ...usual, ...context });
}

/** Connections to a database, which end with the running test. */
export function temporaryHandle(...args: Parameters<typeof openDatabase>) {
  const db = openDatabase(...args);
  onTestFinished(() => db.close());
  return db;
}
