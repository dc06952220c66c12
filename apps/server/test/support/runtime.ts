/** The functions of the runtime, bound to the service: tests name it only here. */
import { bind } from '@petstore-platform/service/testing';
import { service } from '../../src/service.ts';

export type { Caller, DatabaseHandle } from '@petstore-platform/service/testing';

export const {
  migrations,
  openDatabase,
  withDatabase,
  migrateUp,
  migrateDown,
  createHandlers,
  insertApiKey,
  revokeApiKey,
} = bind(service);
