/** For the command line of a service: migrations, keys, jobs. `./serve` serves it. */
export { DAY, MAX_LIMIT } from '@petstore-platform/quota';
export { createKey, hashKey, isWellFormed } from './api-keys/format.ts';
export { signed } from './api-keys/issuer.ts';
export { type KeysOf, limitsOf } from './api-keys/keys.ts';
export { BEARER, type Security } from './caller.ts';
export { checked, integer, isPrivate, loadConfig, textOfKeys, type Variables, variables } from './config.ts';
export type { PlanLimits } from './contract.ts';
export {
  isBreaking,
  type Migrated,
  type MigrationState,
  migrationStatus,
  OF_COMMANDS,
  refuseIncompatible,
  requireMigrated,
  withDatabase,
} from './database/migrations.ts';
export type { ApiKeyChangeTable, ApiKeyTable, DatabaseHandle } from './database/open.ts';
export { migrations, NOW } from './database/runtime-migrations.ts';
export { type Tenanted, tenantProblems } from './database/tenant-check.ts';
export { unscopedRole } from './database/tenants.ts';
export { VALUE_TYPES } from './database/types.ts';
export { connectionString } from './database-url.ts';
export { isDatabaseUnavailable } from './errors.ts';
export { jobsOf } from './housekeeping.ts';
export { alone, type Job } from './jobs.ts';
export { buildOf } from './ops/build.ts';
export { createLog, logOutput } from './ops/log.ts';
export type { Service, ServiceContext } from './service.ts';
export { untilSignal } from './shutdown.ts';
