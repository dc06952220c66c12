/** The phases of a shutdown by name, each with its time limit in milliseconds. */
export type Phases = Record<string, [limit: number, run: () => Promise<unknown>]>;

/** Runs the phases in order. A phase that fails or exceeds its limit is logged; the next one runs anyway. */
export async function runPhases(phases: Phases, warn: (message: string) => void): Promise<void> {
  for (const [name, [limit, run]] of Object.entries(phases)) {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(late.reject, limit, new Error(`not done after ${limit} ms`));
    try {
      await Promise.race([run(), late.promise]);
    } catch (error) {
      warn(`shutdown: ${name}: ${(error as Error).message}`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Signals this close together, in milliseconds, count as one: a process group gets a signal, and the parent passes it on. */
const SAME_SIGNAL = 2_000;

/** Resolves to the first signal to end. One more than two seconds later ends the process at once. */
export function untilSignal(
  now = () => performance.now(),
  exit: (code: number) => void = process.exit,
): Promise<string> {
  let first: number | undefined;
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) {
      process.on(signal, () => {
        first ??= now();
        if (now() - first > SAME_SIGNAL) exit(1);
        resolve(signal);
      });
    }
  });
}
