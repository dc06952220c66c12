/** The exports for packages that implement a `Storage`, to store tables elsewhere. */
export type * from './api/storage.ts';
export { table } from './api-keys/output.ts';
export { Batcher } from './batcher.ts';
export { integer } from './config.ts';
export type { Database, DatabaseHandle } from './database/open.ts';
export { runEach } from './database/runtime-migrations.ts';
export { type Handle, query, sqlOf } from './database/statement.ts';
