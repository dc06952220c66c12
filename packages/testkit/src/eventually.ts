import { setTimeout as delay } from 'node:timers/promises';

/**
 * Repeats `attempt` every 50 ms until it succeeds.
 *
 * @param what - start of the error message
 * @param limit - in milliseconds. Default: one minute
 * @throws Error with the message of the last failure
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
