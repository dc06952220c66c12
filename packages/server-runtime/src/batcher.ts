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

export type Batcher<Item, Result> = ReturnType<typeof batcher<Item, Result>>;

/**
 * Natural batching: one run at a time; items submitted meanwhile share the next run. Without load an item does not wait; under
 * load the cost grows with the runs, not with the items. There is no timer.
 *
 * An item never joins a run that has begun, so a read sees everything written before it was submitted.
 *
 * @param run - if it throws, all its items fail: one that may fail alone has to return the promise of that
 * @param options - the most items of a run, by default all that wait; the kind of its statements, for metrics of their waits
 */
export function batcher<Item, Result>(
  run: Run<Item, Result>,
  { max = Number.POSITIVE_INFINITY, kind }: { max?: number; kind?: Timing['kind'] } = {},
) {
  const noteWait = (waited: number) => kind && noteTiming({ kind, waited });
  let queue = new Map<unknown, Waiting<Item, Result>>();
  let isRunning = false;
  /** The items of runs that have no result yet. */
  let open = 0;

  /** @param isNow - whether the run begins at once, and not after this turn of the event loop, with all requests that arrive in it */
  async function runNext(isNow = false): Promise<void> {
    isRunning = true;
    if (!isNow) await setImmediate();
    const started = performance.now();
    const batch = take();
    const [outcome] = await Promise.allSettled([(async () => run(batch.map(({ item }) => item)))()]);
    const isAnswered = outcome.status === 'fulfilled';
    const now = performance.now();
    noteWait(started - (batch[0]?.since ?? started));
    const timeout = isAnswered || now - started < SLOW_RUN ? MAX_WAIT : 0;
    for (const [key, waiting] of queue) {
      if (now - waiting.since < timeout) break;
      queue.delete(key);
      noteWait(now - waiting.since);
      waiting.reject(new Overdue('The database takes too long'));
    }
    isRunning = queue.size > 0;
    // The next run begins before these results are used, unless it would have few items.
    const isEarly = isRunning && queue.size >= batch.length / 2;
    if (isRunning) void runNext(isEarly);
    if (isEarly) await setImmediate();
    open -= batch.length;
    for (const [index, { resolve, reject }] of batch.entries())
      if (isAnswered) resolve(outcome.value[index] as Result);
      else reject(outcome.reason);
  }

  /**
   * Removes the next run's items from the queue. The others stay, in a new Map: V8 links each table of a Map to the one that replaces
   * it after deletions, so that an old one would keep all later items in memory until a full collection.
   */
  function take(): Waiting<Item, Result>[] {
    const all = [...queue];
    // Half of them, but eight: the database has the others to do while results are used.
    const count = Math.min(max, Math.max(8, Math.ceil((queue.size + open) / 2)));
    queue = new Map(all.slice(count));
    const batch = all.slice(0, count).map(([, waiting]) => waiting);
    open += batch.length;
    return batch;
  }

  return {
    /** @param key - waiting items with the same key share one place in the run, and its result. Default: the item itself */
    submit(item: Item, key: unknown = item): Promise<Result> {
      const same = queue.get(key);
      if (same) return same.promise;
      const waiting = { ...Promise.withResolvers<Result>(), item, since: performance.now() };
      queue.set(key, waiting);
      if (!isRunning) void runNext();
      return waiting.promise;
    },
  };
}
