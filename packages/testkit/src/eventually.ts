import { setTimeout as delay } from 'node:timers/promises';

/** Default of the time limits, in milliseconds. */
const DEFAULT_TIMEOUT = 60_000;
const POLL_INTERVAL = 50;

/**
 * Calls `condition` until it returns something, and resolves to that. An exception of it is passed on.
 *
 * @param failure - returns the message of the error
 * @param limit - in milliseconds. Default: one minute
 * @throws Error after the limit
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  failure: () => string | Promise<string>,
  limit = DEFAULT_TIMEOUT,
): Promise<Exclude<T, undefined | null | false>> {
  for (const deadline = performance.now() + limit; ; await delay(POLL_INTERVAL)) {
    const result = await condition();
    if (result !== undefined && result !== null && result !== false) return result as never;
    if (performance.now() > deadline) throw new Error(await failure());
  }
}

/**
 * Repeats `attempt` until it succeeds.
 *
 * @param what - start of the error message
 * @param limit - in milliseconds. Default: one minute
 * @throws Error with the message of the last failure
 */
export async function eventually<T>(what: string, attempt: () => Promise<T>, limit = DEFAULT_TIMEOUT): Promise<T> {
  let last = '';
  const fail = ({ message }: Error): undefined => {
    last = message;
  };
  const tryOnce = () => attempt().then((value) => ({ value }), fail);
  return (await until(tryOnce, () => `${what}, after ${limit} ms: ${last}`, limit)).value;
}
