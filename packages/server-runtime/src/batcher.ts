import { setImmediate } from 'node:timers/promises';
import { Overdue } from '@petstore-platform/kysely-pipeline';
import { noteTiming, type Timing } from './database/statement.ts';

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { item: Item; since: number };

/** The milliseconds after which a run without an answer also fails its queue, which would only wait as long again. */
const SLOW_RUN = 1_000;

/** The milliseconds after which an item that still waits when a run ends fails; nothing was done for it. */
const MAX_WAIT = 5_000;

/** Returns one result for each item, in their order, or the promise of one that others do not wait for. */
type Run<Item, Result> = (items: Item[]) => Promise<(Result | Promise<Result>)[]>;

/**
 * Natural batching: one run at a time; items submitted meanwhile share the next run. Without load an item does not wait; under
 * load the cost grows with the runs, not with the items. There is no timer.
 *
 * An item never joins a run that has begun, so a read sees everything written before it was submitted.
 */
export class Batcher<Item, Result> {
  readonly #run: Run<Item, Result>;
  readonly #max: number;
  readonly #kind: Timing['kind'] | undefined;
  #waiting = new Map<unknown, Waiting<Item, Result>>();
  #running = false;

  /**
   * @param run - if it throws, all its items fail: one that may fail alone has to return the promise of that
   * @param options - the most items of a run, by default all that wait; the kind of its statements, for metrics
   */
  constructor(run: Run<Item, Result>, options: { max?: number; kind?: Timing['kind'] } = {}) {
    const { max = Number.POSITIVE_INFINITY, kind } = options;
    this.#run = run;
    this.#max = max;
    this.#kind = kind;
  }

  /** @param key - waiting items with the same key share one place in the run, and its result. Default: the item itself */
  submit(item: Item, key: unknown = item): Promise<Result> {
    const same = this.#waiting.get(key);
    if (same) return same.promise;
    const waiting = { ...Promise.withResolvers<Result>(), item, since: performance.now() };
    this.#waiting.set(key, waiting);
    if (!this.#running) void this.#drain();
    return waiting.promise;
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#waiting.size > 0) {
      // The run begins after this turn of the event loop, so that it has all requests that arrive in it.
      await setImmediate();
      const started = performance.now();
      const batch = this.#take();
      const isAnswered = await this.#settle(batch);
      const now = performance.now();
      if (this.#kind)
        noteTiming({ kind: this.#kind, waited: started - (batch[0]?.since ?? started), took: now - started });
      const timeout = isAnswered || now - started < SLOW_RUN ? MAX_WAIT : 0;
      for (const [key, waiting] of this.#waiting) {
        if (now - waiting.since < timeout) break;
        this.#waiting.delete(key);
        if (this.#kind) noteTiming({ kind: this.#kind, waited: now - waiting.since });
        waiting.reject(new Overdue('The database takes too long'));
      }
    }
    this.#running = false;
  }

  /** @returns whether an item was answered */
  async #settle(batch: Waiting<Item, Result>[]): Promise<boolean> {
    try {
      const results = await this.#run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      return true;
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return false;
    }
  }

  /**
   * Removes the next run's items from the queue. The others stay, in a new Map: V8 links each table of a Map to the one that replaces
   * it after deletions, so that an old one would keep all later items in memory until a full collection.
   */
  #take(): Waiting<Item, Result>[] {
    const queue = this.#waiting;
    this.#waiting = new Map();
    const batch: Waiting<Item, Result>[] = [];
    for (const [key, waiting] of queue) {
      if (batch.length >= this.#max) this.#waiting.set(key, waiting);
      else batch.push(waiting);
    }
    return batch;
  }
}
