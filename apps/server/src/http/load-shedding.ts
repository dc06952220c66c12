import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

/** What a server takes on at most. */
export interface LoadLimits {
  /** Requests in progress; 0 for no limit. */
  requests: number;
  /** Milliseconds that the event loop is late; 0 for no limit. */
  eventLoopDelay: number;
}

export type Overload = 'requests' | 'event_loop_delay';

/** How often in milliseconds the event loop is looked at, and how finely its delay is measured. */
const INTERVAL = 100;
const RESOLUTION = 10;

/** Looks in a row that have to find it late: a single pause, as of a start or a garbage collection, is no overload. */
const LOOKS = 5;

/** How often in milliseconds it is told at most. */
const WARNING_INTERVAL = 10_000;

/** One for all: an overloaded server does not record stacks. */
const OVERLOADED = new ApiError(503, 'The service is overloaded at the moment', { headers: { 'Retry-After': '1' } });

/**
 * Refuses requests while there are too many of them, so that those that are served stay fast: a queue that only grows makes
 * every one of them late.
 *
 * @returns the check for the start of a request's way; it throws ApiError 503
 */
export function registerLoadShedding(
  app: FastifyInstance,
  limits: LoadLimits,
  onShed: (reason: Overload) => void,
): () => void {
  const delay = limits.eventLoopDelay > 0 ? watchEventLoop(app) : () => 0;
  let warned = Number.NEGATIVE_INFINITY;
  return () => {
    const { running } = app.drain;
    const tooMany = limits.requests > 0 && running > limits.requests;
    if (!tooMany && delay() <= limits.eventLoopDelay) return;
    const reason = tooMany ? 'requests' : 'event_loop_delay';
    onShed(reason);
    if (performance.now() - warned > WARNING_INTERVAL) {
      warned = performance.now();
      app.log.warn({ reason, requests: running, eventLoopDelay: Math.round(delay()) }, 'overloaded: refusing requests');
    }
    throw OVERLOADED;
  };
}

/** How late the event loop has been for some time, in milliseconds: the least of the last looks. */
function watchEventLoop(app: FastifyInstance): () => number {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  const delays: number[] = Array(LOOKS).fill(0);
  const timer = setInterval(() => {
    // Without a sample the whole interval was one delay, which the next one tells.
    if (histogram.count === 0) return;
    delays.shift();
    delays.push(Math.max(0, histogram.mean / 1e6 - RESOLUTION));
    histogram.reset();
  }, INTERVAL).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    histogram.disable();
  });
  return () => Math.min(...delays);
}
