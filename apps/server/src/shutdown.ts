/** Ending a process in phases, each with a time limit: what hangs does not keep the next from being done. */

export interface Phase {
  /** For the log. */
  name: string;
  /** Milliseconds. */
  limit: number;
  run(): Promise<unknown>;
}

/** Runs one phase after the other. A phase that fails or takes too long is told, and left behind. */
export async function runPhases(phases: Phase[], warn: (message: string) => void): Promise<void> {
  for (const { name, limit, run } of phases) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not done after ${limit} ms`)), limit);
    });
    try {
      await Promise.race([run(), late]);
    } catch (error) {
      warn(`shutdown: ${name}: ${(error as Error).message}`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The first SIGTERM or SIGINT. The second one ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        signals += 1;
        if (signals > 1) process.exit(1);
        resolve();
      });
    }
  });
}
