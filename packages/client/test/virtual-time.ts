import { onTestFinished, vi } from 'vitest';

/**
 * A clock that jumps: as soon as nothing else goes on, the next timer is due. What would take minutes takes no time, in
 * the same order.
 */
export class VirtualTime {
  static #current: VirtualTime | undefined;
  #running = true;

  /** That of the running test, from 2026-11-20T12:00:00Z on, with waits as short as full jitter makes them. */
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
  now = () => Date.now();

  /** Timers that are neither over nor called off. */
  get pending(): number {
    return vi.getTimerCount();
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }

  async #run(): Promise<void> {
    while (this.#running) {
      // Whatever is only a promise away happens first.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (this.#running && this.pending > 0) vi.advanceTimersToNextTimer();
    }
  }
}
