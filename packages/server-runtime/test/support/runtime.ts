/** The functions of the runtime, bound to the service: tests name it only here. */
import type { Implementation } from '@petstore-platform/server-runtime';
import { Handle } from '@petstore-platform/server-runtime/internal/database/statement';
import type { DatabaseHandle } from '@petstore-platform/server-runtime/testing';
import { bind, flaky } from '@petstore-platform/server-runtime/testing';
import { service } from '@repo/bookstore/service';

export type { Caller, DatabaseHandle, FlakyDatabase, NewApiKey } from '@petstore-platform/server-runtime/testing';

export const {
  migrations,
  openDatabase,
  withDatabase,
  migrateUp,
  migrateDown,
  createHandlers,
  openService,
  createKey,
  isWellFormed,
  insertApiKey,
  revokeApiKey,
  selectApiKeys,
  addKeysCommands,
  ApiKeys,
  Metrics,
} = bind(service);

export const flakyDatabase = (url: string) => flaky(openDatabase(url));

// biome-ignore lint/suspicious/noExplicitAny: the handler of any operation
type AnyHandler = (request: any, context: any) => Promise<any>;

/** The handler of an operation on a database. */
export const handlerOf = (implementation: Implementation, db: DatabaseHandle) =>
  implementation([])(new Handle(db)) as AnyHandler;
