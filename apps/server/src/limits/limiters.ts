import type { DatabaseClock } from '../database/clock.ts';
import { Limiter, type LimiterOptions } from './limiter.ts';

/** Two limiters, so that a flood of addresses cannot evict keys. */
export interface Limiters {
  /** For requests with a valid key. */
  keys: Limiter;
  /** For all others, by client address. */
  addresses: Limiter;
  clock: DatabaseClock;
}

/** @param options - for both; `capacity` for each */
export function createLimiters(options: LimiterOptions): Limiters {
  return { keys: new Limiter(options), addresses: new Limiter(options), clock: options.clock };
}
