import { setImmediate } from 'node:timers/promises';
import { noteTiming, type Timing } from './database/timing.ts';
import { isDatabaseUnavailable, isOverTime, OutcomeUnknown, Overdue } from './errors.ts';

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { item: Item; since: number; isSettled: boolean };

/** The milliseconds after which a run without an answer also fails its queue, which would only wait as long again. */
const SLOW = 1_000;

/** Returns one result for each item, in their order. `settle` gives the result of an item before the end. */
type Run<Item, Result> = (items: Item[], settle: (index: number, result: Result) => void) => Promise<Result[]>;

export interface BatcherOptions<Item> {
  /** The largest weight of a run; further items wait for the next one. Default: no limit. */
  max?: number;
  /** Default: 1 for each item. */
  weigh?(item: Item): number;
  /**
   * The longest wait in milliseconds. An item that has waited this long when a run ends fails; nothing was done for it. Default: 5
   * seconds.
   */
  timeout?: number;
  /**
   * The items of a failed run that are tried at once: slow ones would take all connections. Default: 3. Insertions wait for each other, so
   * that a slow one would take the time limit of those beside it.
   */
  concurrency?: number;
  /**
   * The milliseconds after which the items of a run are also tried alone, and the next run begins, if no item got a result meanwhile. For
   * runs that change nothing. Default: never.
   */
  stalledAfter?: number;
  /** The kind of its statements, for metrics. */
  kind?: Timing['kind'];
}

/**
 * Natural batching: one run at a time; items submitted meanwhile share the next run. Without load an item does not wait; under
 * load the cost grows with the runs, not with the items. There is no timer.
 *
 * An item never joins a run that has begun, so a read sees everything written before it was submitted.
 */
export class Batcher<Item, Result> {
  readonly #run: Run<Item, Result>;
  readonly #options: Required<Omit<BatcherOptions<Item>, 'kind'>>;
  readonly #kind: Timing['kind'] | undefined;
  #waiting = new Map<unknown, Waiting<Item, Result>>();
  #running = false;
  /** Whether items of a run that has stalled are tried alone. */
  #hasStalled = false;

  /**
   * @param run - if it throws, each item without a result runs again alone, so that none fails another or takes its time, unless the
   *   database is unavailable or may have stored the items
   */
  constructor(run: Run<Item, Result>, options: BatcherOptions<Item> = {}) {
    const { kind, ...others } = options;
    this.#run = run;
    this.#kind = kind;
    this.#options = {
      max: Number.POSITIVE_INFINITY,
      weigh: () => 1,
      timeout: 5_000,
      concurrency: 3,
      stalledAfter: Number.POSITIVE_INFINITY,
      ...others,
    };
  }

  /** @param key - waiting items with the same key share one place in the run, and its result. Default: the item itself */
  submit(item: Item, key: unknown = item): Promise<Result> {
    const same = this.#waiting.get(key);
    if (same) return same.promise;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = { promise, resolve, reject, item, since: performance.now(), isSettled: false };
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
      const timeout = isAnswered || now - started < SLOW ? this.#options.timeout : 0;
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
    let settled = 0;
    const settle = (index: number, result: Result) => {
      const waiting = batch[index] as Waiting<Item, Result>;
      if (waiting.isSettled) return;
      settled += 1;
      waiting.isSettled = true;
      waiting.resolve(result);
    };
    try {
      const items = batch.map(({ item }) => item);
      const run = this.#run(items, settle);
      const results = await this.#unlessStalled(batch, run, () => settled);
      if (!results) return true;
      for (const index of batch.keys()) settle(index, results[index] as Result);
      return true;
    } catch (error) {
      const open = batch.filter(({ isSettled }) => !isSettled);
      const isAvailable = isOverTime(error) || !(isDatabaseUnavailable(error) || error instanceof OutcomeUnknown);
      if (isAvailable && batch.length > 1) return (await this.#tryEach(open)) || open.length < batch.length;
      for (const { reject } of open) reject(error);
      return false;
    }
  }

  /** The results of a run; undefined if it has stalled, and its items are tried alone. */
  #unlessStalled(batch: Waiting<Item, Result>[], run: Promise<Result[]>, count: () => number) {
    const { stalledAfter } = this.#options;
    if (batch.length === 1 || stalledAfter === Number.POSITIVE_INFINITY) return run;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let before = 0;
    const timer = setInterval(() => {
      const isAlive = count() > before || this.#hasStalled;
      before = count();
      if (isAlive) return;
      this.#hasStalled = true;
      run.catch(() => {});
      void this.#tryEach(batch.filter(({ isSettled }) => !isSettled)).then(() => {
        this.#hasStalled = false;
      });
      resolve(undefined);
    }, stalledAfter);
    return Promise.race([run, promise]).finally(() => clearInterval(timer));
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
        if (performance.now() - started > this.#options.timeout) this.#giveUp(next);
        else isAnswered = (await this.#settle([next])) || isAnswered;
      }
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, work));
    return isAnswered;
  }

  /**
   * Removes the next run's items from the queue. The others stay, in a new Map: V8 links each table of a Map to the one that replaces
   * it after deletions, so that an old one would keep all later items in memory until a full collection.
   */
  #take(): Waiting<Item, Result>[] {
    const { max, weigh } = this.#options;
    const queue = this.#waiting;
    this.#waiting = new Map();
    const batch: Waiting<Item, Result>[] = [];
    let weight = 0;
    for (const [key, waiting] of queue) {
      weight += weigh(waiting.item);
      if (weight > max && batch.length > 0) this.#waiting.set(key, waiting);
      else batch.push(waiting);
    }
    return batch;
  }
}
