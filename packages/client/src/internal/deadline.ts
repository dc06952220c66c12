import type { System } from './system.ts';

interface Deadline {
  readonly signal: AbortSignal | null | undefined;
  readonly ms: number;
  /** What to reject with when the time is up. */
  readonly expired: () => unknown;
}

/**
 * Runs a task under a signal and a time limit, rejecting with the signal's reason or with `expired()`. It settles at
 * once, also when the task does not heed the signal that it is given, and leaves neither a timer nor a listener behind.
 */
export async function withDeadline<T>(
  system: System,
  { signal, ms, expired }: Deadline,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let release = () => {};
  try {
    return await new Promise<T>((resolve, reject) => {
      const abort = (reason: unknown) => {
        reject(reason);
        controller.abort(reason);
      };
      const forward = () => abort(signal?.reason);
      signal?.addEventListener('abort', forward);
      const cancel = system.after(ms, () => abort(expired()));
      release = () => {
        cancel();
        signal?.removeEventListener('abort', forward);
      };
      task(controller.signal).then(resolve, reject);
    });
  } finally {
    release();
  }
}

/** Waits for `ms` milliseconds; rejects with the signal's reason as soon as that aborts, or at once if it has. */
export async function sleep(system: System, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const cancel = system.after(ms, resolve);
    // The signal is that of a deadline above, which nobody keeps: its listener goes with it.
    signal.addEventListener('abort', () => {
      cancel();
      reject(signal.reason);
    });
  });
}
