/**
 * Loaded into a server (`node --import`) to look at it from within: answers each message of its parent process with a
 * {@link Sample}. The server itself knows nothing of it.
 */
import { constants, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the server holds, in bytes and numbers. */
export interface Sample {
  rss: number;
  /** What was left on the heap by the last collection of all its garbage; 0 before the first one. */
  heap: number;
  /** Sockets, timers and whatever else keeps a process alive. */
  handles: number;
  /** The 99th percentile of the event loop's delay since the sample before, in milliseconds. */
  delay: number;
}

/** What the parent process sends. */
export interface Ask {
  /** Collect garbage first. */
  collect: boolean;
}

const histogram = monitorEventLoopDelay({ resolution: 10 });
histogram.enable();

let heap = 0;
const look = () => {
  heap = process.memoryUsage().heapUsed;
};
new PerformanceObserver((list) => {
  const collections = list.getEntries() as (PerformanceEntry & { detail: { kind: number } })[];
  if (collections.some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) look();
}).observe({ entryTypes: ['gc'] });

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

process.on('message', ({ collect }: Ask) => {
  if (collect) {
    collectGarbage();
    look();
  }
  const handles = process.getActiveResourcesInfo().length;
  process.send?.({ rss: process.memoryUsage().rss, heap, handles, delay: histogram.percentile(99) / 1e6 });
  histogram.reset();
});
process.channel?.unref();
