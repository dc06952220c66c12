/** For applications: to define a service. `./commands` serves it. */
export type { Change, OnDistributed } from './api/idempotency.ts';
export type { Page, PageQuery, Part } from './api/pages.ts';
export type { ReadRows } from './api/resource.ts';
export type { Resources } from './api/resources.ts';
export { Batcher } from './batcher.ts';
export { integer } from './config.ts';
export type { Contract, Document, ErrorBody, JsonText, Operation, RequestContext } from './contract.ts';
export { migration, runEach } from './database/migrations.ts';
export type { Database, DatabaseHandle } from './database/open.ts';
export { type ChangeHandle, query, type ReadHandle } from './database/statement.ts';
export { ApiError } from './errors.ts';
export { initService, type Toolkit } from './init.ts';
export { table } from './keys/commands.ts';
export { defineService, type RunCommand, type Service, type Storage } from './service.ts';
