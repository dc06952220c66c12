import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from './errors.ts';
import type { Exchange } from './exchange.ts';

type LoadLimits = Pick<Config, 'MAX_REQUESTS' | 'MAX_EVENT_LOOP_DELAY'>;

export type Overload = 'requests' | 'event_loop_delay';

/** How often in milliseconds the event loop is looked at, and how finely its delay is measured. */
const INTERVAL = 100;
const RESOLUTION = 10;

/** Looks in a row that have to find it late: a single pause, as of a start or a garbage collection, is no overload. */
const LOOKS = 5;

/** Milliseconds between two warnings at least. */
const WARNING_INTERVAL = 10_000;

/** Shared: avoids capturing a stack per request. */
const OVERLOADED = new ApiError(503, 'The service is overloaded at the moment', { headers: { 'Retry-After': '1' } });

/**
 * Refuses requests while there are too many of them, so that those that are served stay fast: a queue that only grows makes
 * every one of them late. Requests count while the server works on them, not while it waits for a client to send or to read.
 */
export class Load {
  readonly #app: FastifyInstance;
  readonly #limits: LoadLimits;
  readonly #onShed: (reason: Overload) => void;
  readonly #delay: () => number;
  #working = 0;
  #warned = Number.NEGATIVE_INFINITY;

  constructor(app: FastifyInstance, limits: LoadLimits, onShed: (reason: Overload) => void) {
    this.#app = app;
    this.#limits = limits;
    this.#onShed = onShed;
    this.#delay = limits.MAX_EVENT_LOOP_DELAY > 0 ? watchEventLoop(app) : () => 0;
  }

  /** @returns the failure of a request that is too much: 503 */
  enter(exchange: Exchange): ApiError | undefined {
    if (exchange.working) return undefined;
    const { MAX_REQUESTS, MAX_EVENT_LOOP_DELAY } = this.#limits;
    const tooMany = MAX_REQUESTS > 0 && this.#working >= MAX_REQUESTS;
    if (tooMany || this.#delay() > MAX_EVENT_LOOP_DELAY) return this.#shed(tooMany);
    exchange.working = true;
    this.#working += 1;
    return undefined;
  }

  leave(exchange: Exchange): void {
    if (exchange.working) this.#working -= 1;
    exchange.working = false;
  }

  #shed(tooMany: boolean): ApiError {
    const reason = tooMany ? 'requests' : 'event_loop_delay';
    this.#onShed(reason);
    if (performance.now() - this.#warned > WARNING_INTERVAL) {
      this.#warned = performance.now();
      const eventLoopDelay = Math.round(this.#delay());
      this.#app.log.warn({ reason, requests: this.#working, eventLoopDelay }, 'overloaded: refusing requests');
    }
    return OVERLOADED;
  }
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
