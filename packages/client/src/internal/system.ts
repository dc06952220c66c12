/** What the SDK needs of the world besides `fetch`. Tests bring their own, so that none of them sleeps. */
export interface System {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A number from 0 up to but not including 1. */
  random(): number;
  /**
   * A UUID, or as many random bits where the runtime has none to give, as in a page that was not loaded over https.
   * Undefined in one without any source of randomness.
   */
  uuid(): string | undefined;
  /** Calls back once after `ms` milliseconds unless the function that it returns was called before. */
  after(ms: number, callback: () => void): () => void;
}

/** A timer that is set to more fires at once (HTML standard, timers): 25 days do for `Infinity`. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const system: System = {
  now: Date.now,
  random: Math.random,
  uuid() {
    const { crypto } = globalThis;
    return crypto && (crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-'));
  },
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER));
    return () => clearTimeout(timer);
  },
};
