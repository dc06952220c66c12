import { onTestFinished, vi } from 'vitest';

/** A virtual clock: when nothing else is pending, it jumps to the next timer. Keeps the order of timers. */
export class VirtualTime {
  static #current: VirtualTime | undefined;
  #running = true;

  /** The clock of the running test, from 2026-11-20T12:00:00Z, with the shortest waits of full jitter. */
  static start(): VirtualTime {
    VirtualTime.#current ??= new VirtualTime();
    VirtualTime.#current.random = () => 0;
    return VirtualTime.#current;
  }

  private constructor() {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'],
      now: new Date('2026-11-20T12:00:00Z'),
    });
    vi.spyOn(Math, 'random').mockImplementation(() => this.random());
    void this.#run();
    onTestFinished(() => {
      this.#running = false;
      VirtualTime.#current = undefined;
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
  }

  random = () => 0;

  /** Pending timers. */
  get pending(): number {
    return vi.getTimerCount();
  }

  async #run(): Promise<void> {
    while (this.#running) {
      // Settled promises run first.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (this.#running && this.pending > 0) vi.advanceTimersToNextTimer();
    }
  }
}
