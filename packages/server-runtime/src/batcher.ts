import { setImmediate } from 'node:timers/promises';
import { Overdue } from '@petstore-platform/kysely-pipeline';
import { noteTiming, type Timing } from './database/statement.ts';
import { isDatabaseUnavailable, isOverTime, OutcomeUnknown } from './errors.ts';

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { item: Item; since: number };

/** The milliseconds after which a run without an answer also fails its queue, which would only wait as long again. */
const SLOW_RUN = 1_000;

/** Returns one result for each item, in their order, or the promise of one that others do not wait for. */
type Run<Item, Result> = (items: Item[]) => Promise<(Result | Promise<Result>)[]>;

export interface BatcherOptions {
  /** The most items of a run; further ones wait for the next. Default: no limit. */
  max?: number;
  /**
   * The longest wait in milliseconds. An item that has waited this long when a run ends fails; nothing was done for it. Default: 5
   * seconds.
   */
  timeout?: number;
  /** The kind of its statements, for metrics. */
  kind?: Timing['kind'];
}

/** The items of a failed run that are tried at once: slow ones would take all connections. */
const RETRIES_AT_ONCE = 3;

/**
 * Natural batching: one run at a time; items submitted meanwhile share the next run. Without load an item does not wait; under
 * load the cost grows with the runs, not with the items. There is no timer.
 *
 * An item never joins a run that has begun, so a read sees everything written before it was submitted.
 */
export class Batcher<Item, Result> {
  readonly #run: Run<Item, Result>;
  readonly #max: number;
  readonly #timeout: number;
  readonly #kind: Timing['kind'] | undefined;
  #waiting = new Map<unknown, Waiting<Item, Result>>();
  #running = false;

  /**
   * @param run - if it throws, each item runs again alone, so that none fails another or takes its time, unless the database is unavailable
   *   or may have stored the items
   */
  constructor(run: Run<Item, Result>, { max = Number.POSITIVE_INFINITY, timeout = 5_000, kind }: BatcherOptions = {}) {
    this.#run = run;
    this.#max = max;
    this.#timeout = timeout;
    this.#kind = kind;
  }

  /** @param key - waiting items with the same key share one place in the run, and its result. Default: the item itself */
  submit(item: Item, key: unknown = item): Promise<Result> {
    const same = this.#waiting.get(key);
    if (same) return same.promise;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = { promise, resolve, reject, item, since: performance.now() };
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
      const timeout = isAnswered || now - started < SLOW_RUN ? this.#timeout : 0;
      for (const [key, waiting] of this.#waiting) {
        if (now - waiting.since < timeout) break;
        this.#waiting.delete(key);
        this.#giveUp(waiting);
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
      const isAvailable = isOverTime(error) || !(isDatabaseUnavailable(error) || error instanceof OutcomeUnknown);
      if (isAvailable && batch.length > 1) return this.#tryEach(batch);
      for (const { reject } of batch) reject(error);
      return false;
    }
  }

  #giveUp({ since, reject }: Waiting<Item, Result>): void {
    if (this.#kind) noteTiming({ kind: this.#kind, waited: performance.now() - since });
    reject(new Overdue('The database takes too long'));
  }

  /** Runs items alone. Those whose turn does not come in time fail. */
  async #tryEach(open: Waiting<Item, Result>[]): Promise<boolean> {
    const started = performance.now();
    let isAnswered = false;
    const work = async () => {
      for (let next = open.shift(); next; next = open.shift()) {
        if (performance.now() - started > this.#timeout) this.#giveUp(next);
        else isAnswered = (await this.#settle([next])) || isAnswered;
      }
    };
    await Promise.all(Array.from({ length: RETRIES_AT_ONCE }, work));
    return isAnswered;
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
