/** The exports for tests of services, and of the runtime itself. */

export { DAY, MINUTE } from '@petstore-platform/quota';
export { encodeCursor } from '../api/cursor.ts';
// Tests shorten them.
export { intervals } from '../api/listeners.ts';
export type { NewApiKey } from '../api-keys/keys.ts';
export type { Overrides } from '../app.ts';
export type { Caller } from '../caller.ts';
export { type Config, loadConfig, variables } from '../config.ts';
export { type DatabaseHandle, settings } from '../database/open.ts';
export { bind } from './bind.ts';
export { TestClock } from './clock.ts';
export { TestIssuer } from './issuer.ts';
export { type StartedService, type StartOptions, startService } from './start.ts';
