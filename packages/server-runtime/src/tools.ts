/** For `@petstore-platform/contract` and `@petstore-platform/service` of the same version. No part of the public interface. */
export { type Routed, routerOf, unroutable } from './api/routing.ts';
export { loadConfig } from './config.ts';
export { migrateUp, withDatabase } from './database/migrate.ts';
export { migrations } from './database/migrations.ts';
export { VALUE_TYPES } from './database/types.ts';
