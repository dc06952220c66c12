/** For the tools of tests in `@petstore-platform/service`, and for the contract's trial, of the same version. No part of the public interface. */

export { DAY, DatabaseClock, MINUTE } from '@petstore-platform/quota';
export { encodeCursor } from './api/cursor.ts';
export { intervals } from './api/listeners.ts';
export { createKey, hashKey, isWellFormed } from './api-keys/format.ts';
export { signed } from './api-keys/issuer.ts';
export { apiKeysOf } from './api-keys/keys.ts';
export { createHandlers, type Overrides, openService, type RunningService } from './app.ts';
export type { Caller } from './caller.ts';
export { type Config, loadConfig, type TokenConfig, variables } from './config.ts';
export type { ContractTypes, PlanLimits } from './contract.ts';
export { type DatabaseHandle, openDatabase, settings } from './database/open.ts';
export { RequestDb } from './database/statement.ts';
export { Metrics } from './ops/metrics.ts';
export type { Service, ServiceContext } from './service.ts';
