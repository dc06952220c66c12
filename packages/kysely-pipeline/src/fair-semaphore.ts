/** The database, or the work before, takes too long. Nothing was done. */
export class Overdue extends Error {}

type Start = (release: () => void) => void;

/**
 * Places that callers share. One holds at most all but one, so that the next caller does not wait for it, and half of them while there are
 * others. Free ones go to the callers in turn.
 */
export class FairSemaphore {
  readonly #size: number;
  readonly #timeout: number;
  #free: number;
  readonly #held = new Map<unknown, number>();
  readonly #waiting = new Map<unknown, Set<Start>>();

  /** @param size - at least 1 @param timeout - the longest wait in milliseconds */
  constructor(size: number, timeout: number) {
    this.#size = size;
    this.#free = size;
    this.#timeout = timeout;
  }

  /**
   * Waits for a slot.
   *
   * @returns a function that releases it
   * @throws Overdue
   */
  take(caller: unknown): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const queue = this.#waiting.get(caller) ?? new Set();
    const timer = setTimeout(() => {
      queue.delete(start);
      if (queue.size === 0) this.#waiting.delete(caller);
      reject(new Overdue('The database takes too long'));
    }, this.#timeout);
    const start: Start = (release) => {
      clearTimeout(timer);
      resolve(release);
    };
    this.#waiting.set(caller, queue.add(start));
    this.#next();
    return promise;
  }

  #next(): void {
    const isShared = this.#waiting.size > 1 || new Set([...this.#held.keys(), ...this.#waiting.keys()]).size > 1;
    const share = Math.max(1, isShared ? Math.ceil(this.#size / 2) : this.#size - 1);
    for (const [caller, queue] of this.#waiting) {
      if (this.#free === 0) return;
      const held = this.#held.get(caller) ?? 0;
      if (held >= share) continue;
      const start = queue.values().next().value as Start;
      queue.delete(start);
      // The caller's next change waits behind those of the others.
      this.#waiting.delete(caller);
      if (queue.size > 0) this.#waiting.set(caller, queue);
      this.#free -= 1;
      this.#held.set(caller, held + 1);
      start(() => {
        const rest = (this.#held.get(caller) ?? 1) - 1;
        if (rest > 0) this.#held.set(caller, rest);
        else this.#held.delete(caller);
        this.#free += 1;
        this.#next();
      });
    }
  }
}
