import { setTimeout as delay } from 'node:timers/promises';

/** What a process does on its way out, by what the log calls it: milliseconds at most, and how. */
export type Phases = Record<string, [limit: number, run: () => Promise<unknown>]>;

/** Runs one phase after the other. One that fails or takes too long is told, and does not keep the next from being done. */
export async function runPhases(phases: Phases, warn: (message: string) => void): Promise<void> {
  for (const [name, [limit, run]] of Object.entries(phases)) {
    const ended = new AbortController();
    const late = delay(limit, undefined, { signal: ended.signal }).then(() => {
      throw new Error(`not done after ${limit} ms`);
    });
    try {
      await Promise.race([run(), late]);
    } catch (error) {
      warn(`shutdown: ${name}: ${(error as Error).message}`);
    } finally {
      ended.abort();
    }
  }
}

/** A process group gets a signal and its parent passes it on: within this time in milliseconds it is the same signal. */
const SAME_SIGNAL = 2_000;

/** Resolves at the first SIGTERM or SIGINT. One that comes more than two seconds later ends the process at once. */
export function untilSignal(now = () => performance.now(), exit: (code: number) => void = process.exit): Promise<void> {
  let first: number | undefined;
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        first ??= now();
        if (now() - first > SAME_SIGNAL) exit(1);
        resolve();
      });
    }
  });
}
