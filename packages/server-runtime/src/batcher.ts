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
  readonly #note: (timing: Omit<Timing, 'kind'>) => void;
  #waiting = new Map<unknown, Waiting<Item, Result>>();
  #running = false;
  /** The items of runs that have no result yet. */
  #open = 0;

  /**
   * @param run - if it throws, all its items fail: one that may fail alone has to return the promise of that
   * @param options - the most items of a run, by default all that wait; the kind of its statements, for metrics
   */
  constructor(run: Run<Item, Result>, options: { max?: number; kind?: Timing['kind'] } = {}) {
    const { max = Number.POSITIVE_INFINITY, kind } = options;
    this.#run = run;
    this.#max = max;
    this.#note = kind ? (timing) => noteTiming({ kind, ...timing }) : () => {};
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

  /** @param isNow - whether the run begins at once, and not after this turn of the event loop, with all requests that arrive in it */
  async #drain(isNow = false): Promise<void> {
    this.#running = true;
    if (!isNow) await setImmediate();
    const started = performance.now();
    const batch = this.#take();
    const run = async () => this.#run(batch.map(({ item }) => item));
    const [outcome] = await Promise.allSettled([run()]);
    const isAnswered = outcome.status === 'fulfilled';
    const now = performance.now();
    this.#note({ waited: started - (batch[0]?.since ?? started), took: now - started });
    const timeout = isAnswered || now - started < SLOW_RUN ? MAX_WAIT : 0;
    for (const [key, waiting] of this.#waiting) {
      if (now - waiting.since < timeout) break;
      this.#waiting.delete(key);
      this.#note({ waited: now - waiting.since });
      waiting.reject(new Overdue('The database takes too long'));
    }
    this.#running = this.#waiting.size > 0;
    // The next run begins before these results are used, unless it would have few items.
    const isEarly = this.#running && this.#waiting.size >= batch.length / 2;
    if (this.#running) void this.#drain(isEarly);
    if (isEarly) await setImmediate();
    this.#open -= batch.length;
    for (const [index, { resolve, reject }] of batch.entries())
      if (isAnswered) resolve(outcome.value[index] as Result);
      else reject(outcome.reason);
  }

  /**
   * Removes the next run's items from the queue. The others stay, in a new Map: V8 links each table of a Map to the one that replaces
   * it after deletions, so that an old one would keep all later items in memory until a full collection.
   */
  #take(): Waiting<Item, Result>[] {
    const queue = this.#waiting;
    this.#waiting = new Map();
    const batch: Waiting<Item, Result>[] = [];
    // Half of them, but eight: the database has the others to do while results are used.
    const max = Math.min(this.#max, Math.max(8, (queue.size + this.#open) / 2));
    for (const [key, waiting] of queue) {
      if (batch.length >= max) this.#waiting.set(key, waiting);
      else batch.push(waiting);
    }
    this.#open += batch.length;
    return batch;
  }
}
