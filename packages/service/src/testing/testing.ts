/** The exports for tests of services, and of the runtime itself. */

export {
  type Caller,
  type Config,
  DAY,
  type DatabaseHandle,
  encodeCursor,
  // Tests shorten them.
  intervals,
  loadConfig,
  MINUTE,
  type Overrides,
  settings,
  variables,
} from '@petstore-platform/server-runtime/testing';
export type { NewApiKey } from '../commands/api-keys.ts';
export { servedUrl } from '../commands/server-role.ts';
export { bind } from './bind.ts';
export { TestClock } from './clock.ts';
export { TestIssuer } from './issuer.ts';
export { type StartedService, type StartOptions, startService } from './start.ts';
