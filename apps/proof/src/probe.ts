/**
 * Loaded into a server (`node --import`) to look at it from within: answers each message of its parent process with a
 * {@link Sample}. The server itself knows nothing of it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the server holds, in bytes and numbers. */
export interface Sample {
  rss: number;
  /** The least that the heap held since the sample before: what is left after a collection. */
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

const INTERVAL = 250;

const histogram = monitorEventLoopDelay({ resolution: 10 });
histogram.enable();

let heap = Number.POSITIVE_INFINITY;
const look = () => {
  heap = Math.min(heap, process.memoryUsage().heapUsed);
};
setInterval(look, INTERVAL).unref();

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

process.on('message', ({ collect }: Ask) => {
  if (collect) {
    collectGarbage();
    heap = Number.POSITIVE_INFINITY;
  }
  look();
  const handles = process.getActiveResourcesInfo().length;
  process.send?.({ rss: process.memoryUsage().rss, heap, handles, delay: histogram.percentile(99) / 1e6 });
  heap = Number.POSITIVE_INFINITY;
  histogram.reset();
});
process.channel?.unref();
