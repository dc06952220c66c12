/** The exports with which a service is defined. `./serve` serves it. */

export type { Implementation, Implementations } from './api/handler.ts';
export { type Operations, operationsOf, type Reader } from './api/operations.ts';
export type { HandlerTools } from './api/query-response.ts';
export type { Caller } from './caller.ts';
export { checked, integer, variable } from './config.ts';
export type {
  Contract,
  Document,
  ErrorBody,
  Events,
  Failure,
  FieldError,
  JsonText,
  Operation,
  RequestContext,
  ServerEvent,
  WithDefaults,
  WithFiles,
} from './contract.ts';
export type { Query, Value } from './database/compiled.ts';
export { takeInsertLock } from './database/insert-lock.ts';
export { isoTime } from './database/json.ts';
export { migration } from './database/runtime-migrations.ts';
export type { Refined, Tables } from './database/tables.ts';
export { policiesOf } from './database/tenants.ts';
export { ApiError, attachment } from './errors.ts';
export { etag, isUnchanged, requireMatch } from './etag.ts';
export type { FileStream } from './http/multipart.ts';
export type { Job } from './jobs.ts';
export { defineService, type Service, type ServiceContext } from './service.ts';
