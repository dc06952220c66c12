/** For the command line of a service: migrations, keys, jobs. `./serve` serves it. */
import pg from 'pg';

export { DAY, MAX_REQUESTS } from '@petstore-platform/quota';
export { type DevelopmentToken, developmentToken } from './api-keys/development.ts';
export { hashKey, isWellFormed } from './api-keys/format.ts';
export {
  expiryOf,
  insertApiKey,
  type KeysOf,
  type ListedApiKey,
  limitsOf,
  type NewApiKey,
  pagesOf,
  revokeApiKey,
  selectApiKeys,
  subjectOf,
  unknown,
} from './api-keys/keys.ts';
export { BEARER, type Security } from './caller.ts';
export { checked, integer, loadConfig, type Variables, variables } from './config.ts';
export type { PlanLimits } from './contract.ts';
export { NOW } from './database/clock.ts';
export {
  countServerSessions,
  type Migrated,
  type MigrationState,
  migrateUp,
  migrationStatus,
  requireMigrated,
  withDatabase,
} from './database/migrate.ts';
export type { ApiKeyChangeTable, DatabaseHandle } from './database/open.ts';
export { latestMigrations, migrateDown, type Target } from './database/revert.ts';
export { migrations } from './database/runtime-migrations.ts';
export { tenantProblems } from './database/tenant-isolation.ts';
export { VALUE_TYPES } from './database/types.ts';
export { isDatabaseUnavailable } from './errors.ts';
export { jobsOf } from './housekeeping.ts';
export { runJob } from './jobs.ts';
export { buildOf } from './ops/build.ts';
export { createLog, logOutput } from './ops/log.ts';
export type { Service, ServiceContext } from './service.ts';
export const { DatabaseError } = pg;
