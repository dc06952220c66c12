/** The exports for tests of services, and of the runtime itself. */

export type { NewApiKey } from '../api-keys/keys.ts';
export type { Overrides } from '../app.ts';
export type { Caller } from '../caller.ts';
export { type Config, loadConfig } from '../config.ts';
export type { DatabaseHandle } from '../database/open.ts';
export { bind } from './bind.ts';
export { TestClock } from './clock.ts';
export { type FlakyDatabase, flaky } from './flaky-database.ts';
export { TestIssuer } from './issuer.ts';
export { type StartedService, type StartOptions, startService } from './start.ts';
