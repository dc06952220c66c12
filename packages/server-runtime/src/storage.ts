/** The exports for packages that implement a `Storage`, to store tables elsewhere. */
export type * from './api/storage.ts';
export { Batcher } from './batcher.ts';
export { integer } from './config.ts';
export { runEach } from './database/migrations.ts';
export { nodesOf, tablesOf } from './database/nodes.ts';
export type { Database, DatabaseHandle } from './database/open.ts';
export { type Handle, namedValue, query } from './database/statement.ts';
export { table } from './keys/output.ts';
