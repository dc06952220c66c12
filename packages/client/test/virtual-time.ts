import type { System } from '../src/internal/system.ts';

/**
 * A clock that jumps: as soon as nothing else goes on, the next timer is due. What would take minutes takes no time, in
 * the same order.
 */
export class VirtualTime implements System {
  time = Date.parse('2026-11-20T12:00:00Z');
  random = () => 0;
  #timers = new Set<{ at: number; callback: () => void }>();
  #uuids = 0;

  now = () => this.time;

  uuid = (): string | undefined => `00000000-0000-4000-8000-${String(++this.#uuids).padStart(12, '0')}`;

  /** Timers that are neither over nor called off. */
  get pending(): number {
    return this.#timers.size;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.time + ms, callback };
    this.#timers.add(timer);
    if (this.#timers.size === 1) this.#run();
    return () => this.#timers.delete(timer);
  }

  async #run(): Promise<void> {
    while (this.#timers.size > 0) {
      // Whatever is only a promise away happens first.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
      if (!next || next.at === Infinity) continue;
      this.#timers.delete(next);
      this.time = next.at;
      next.callback();
    }
  }
}
