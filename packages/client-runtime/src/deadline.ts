/** Milliseconds. A longer timer fires at once (HTML standard, timers). */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Runs a task for some milliseconds, or until one of the signals aborts, whose reason is the rejection. Settles in time even if
 * the task ignores its own signal, and leaves no timer or listener behind. `onTimeout` gives the rejection for a late task.
 */
export async function withDeadline<T>(
  signals: readonly (AbortSignal | null | undefined)[],
  ms: number,
  onTimeout: (cause: DOMException) => unknown,
  task: (signal: AbortSignal) => Promise<T>,
  limit = `${ms} ms`,
): Promise<T> {
  for (const signal of signals) signal?.throwIfAborted();
  const controller = new AbortController();
  let stop = (_reason: unknown, _rejection: unknown) => {};
  const abort = () => {
    const reason = signals.find((signal) => signal?.aborted)?.reason;
    stop(reason, reason);
  };
  const expire = () => {
    const cause = new DOMException(`no complete response within ${limit}`, 'TimeoutError');
    stop(cause, onTimeout(cause));
  };
  const timer = ms <= LONGEST_TIMER ? setTimeout(expire, ms) : undefined;
  for (const signal of signals) signal?.addEventListener('abort', abort);
  try {
    return await new Promise<T>((resolve, reject) => {
      stop = (reason, rejection) => {
        reject(rejection);
        controller.abort(reason);
      };
      task(controller.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal?.removeEventListener('abort', abort);
  }
}
