import { setTimeout as delay } from 'node:timers/promises';

/**
 * Repeats an attempt until it succeeds.
 *
 * @param limit - in milliseconds. Default: a minute
 * @throws Error with the failure of the last attempt
 */
export async function eventually<T>(what: string, attempt: () => Promise<T>, limit = 60_000): Promise<T> {
  const deadline = performance.now() + limit;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw new Error(`${what}, after ${limit} ms: ${(error as Error).message}`);
    }
    await delay(50);
  }
}
