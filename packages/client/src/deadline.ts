/** A timer that is set to more fires at once (HTML standard, timers). */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Runs a task under a signal and a time limit in milliseconds, rejecting with the signal's reason or with a
 * `TimeoutError`, as that of `AbortSignal.timeout()`. It settles at once, also when the task does not heed the signal
 * that it is given, and leaves neither a timer nor a listener behind.
 */
export async function withDeadline<T>(
  { signal, ms, message }: { signal: AbortSignal | null | undefined; ms: number; message: string },
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
      const timer =
        ms <= LONGEST_TIMER ? setTimeout(() => abort(new DOMException(message, 'TimeoutError')), ms) : undefined;
      signal?.addEventListener('abort', forward);
      release = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', forward);
      };
      task(controller.signal).then(resolve, reject);
    });
  } finally {
    release();
  }
}

/** Waits for `ms` milliseconds; rejects with the signal's reason as soon as that aborts, or at once if it has. */
export async function sleep(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  const never = () => new Promise<never>(() => {});
  await withDeadline({ signal, ms, message: '' }, never).catch(() => signal?.throwIfAborted());
}
