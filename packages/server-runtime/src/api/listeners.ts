import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';

/** Tests make them shorter. In milliseconds. */
export const intervals = {
  /** Between two runs of the queries, each for all listeners. */
  poll: 1_000,
  /** Between two signs of life. The server closes a connection after 30 silent seconds. */
  heartbeat: 15_000,
};

/** Listeners that wait for the next run. They wake together, so that they share its statement. */
export class Poller {
  #waiting = new Set<() => void>();

  /** Resolves at the next run, or when the client is gone or the server begins to drain. */
  async next(signal: AbortSignal, ending: AbortSignal): Promise<void> {
    if (signal.aborted || ending.aborted) return;
    // The same listener counts once.
    ending.addEventListener('abort', this.#wake);
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#waiting.size === 0) setTimeout(this.#wake, intervals.poll).unref();
    this.#waiting.add(resolve);
    const leave = () => resolve();
    signal.addEventListener('abort', leave);
    await promise;
    signal.removeEventListener('abort', leave);
  }

  readonly #wake = (): void => {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const resolve of waiting) resolve();
  };
}

/** Counts the open streams of callers. */
export class Listeners {
  readonly #open = new Map<string, number>();

  /** @throws ApiError 429 over the limit @returns a function that frees the place */
  take({ id }: Caller, most: number): () => void {
    const count = this.#open.get(id) ?? 0;
    if (count >= most)
      throw new ApiError(429, `At most ${most} event streams at a time`, { headers: { 'Retry-After': '5' } });
    this.#open.set(id, count + 1);
    return () => {
      const left = (this.#open.get(id) ?? 0) - 1;
      if (left > 0) this.#open.set(id, left);
      else this.#open.delete(id);
    };
  }
}
