import { LONGEST_TIMER } from './constants.ts';

// React Native may lack any of `performance`, `AbortSignal.prototype.throwIfAborted` and the reasons of signals.

/** The time in milliseconds, by a monotonic clock if the runtime has one. */
export const now = () => globalThis.performance?.now() ?? Date.now();

export function throwIfAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw signal.reason === undefined ? named('AbortError', 'aborted') : signal.reason;
}

const never = () => new Promise<never>(() => {});

/** Waits for some milliseconds. Rejects with the reason of a signal that aborts. */
export const sleep = (ms: number, signals: readonly (AbortSignal | null | undefined)[]) =>
  withDeadline(signals, ms, never, never).catch(() => signals.forEach(throwIfAborted));

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

/**
 * Runs a task for some milliseconds, or until one of the signals aborts, whose reason is the rejection. Settles in time even if
 * the task ignores its own signal, and leaves no timer or listener behind. `onTimeout` gives the rejection for a late task.
 */
export async function withDeadline<T>(
  signals: readonly (AbortSignal | null | undefined)[],
  ms: number,
  onTimeout: (cause: Error) => unknown,
  task: (signal: AbortSignal) => Promise<T>,
  limit = `${ms} ms`,
): Promise<T> {
  signals.forEach(throwIfAborted);
  const controller = new AbortController();
  let stop = (_reason: unknown, _rejection: unknown) => {};
  const abort = () => {
    try {
      signals.forEach(throwIfAborted);
    } catch (reason) {
      stop(reason, reason);
    }
  };
  const expire = () => {
    const cause = named('TimeoutError', `no complete response within ${limit}`);
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
