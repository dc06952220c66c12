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
  const forward = () => controller.abort(signal?.reason);
  const expire = () => controller.abort(new DOMException(message, 'TimeoutError'));
  const timer = ms <= LONGEST_TIMER ? setTimeout(expire, ms) : undefined;
  signal?.addEventListener('abort', forward);
  try {
    return await new Promise<T>((resolve, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
      task(controller.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}
