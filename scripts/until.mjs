// Runs on Node.js 20.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls `condition` every 100 ms until it is true. An exception of it is passed on.
 *
 * @param failure - returns the message of the error
 * @param limit - in milliseconds. Default: none
 * @throws Error after the limit
 */
export async function until(condition, failure = () => '', limit = Infinity) {
  for (const deadline = performance.now() + limit; !(await condition()); await delay(100))
    if (performance.now() > deadline) throw new Error(await failure());
}
