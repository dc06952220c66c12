/** The functions of the runtime, bound to the service: tests name it only here. */
import type { Overrides as OverridesOf } from '@repo/server-runtime/testing';
import { bind, flaky } from '@repo/server-runtime/testing';
import type { Types } from '../bookstore/generated/contract.ts';
import { service } from '../bookstore/service.ts';

export type { ApiKey, DatabaseHandle, FlakyDatabase, NewApiKey } from '@repo/server-runtime/testing';
export type ApiHandlers = Types['handlers'];
export type Overrides = OverridesOf<Types>;

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
