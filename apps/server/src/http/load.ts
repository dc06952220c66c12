import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from './errors.ts';
import type { Exchange } from './exchange.ts';

export type Overload = 'requests' | 'event_loop_delay';

/** Interval in milliseconds of the timer that measures the delay of the event loop. */
const INTERVAL = 20;

/** Late timers in a row that mean overload. A single pause, as for a garbage collection, does not. */
const LATE_TIMERS = 5;

/** Shared: avoids capturing a stack per request. */
const OVERLOADED = new ApiError(503, 'The service is temporarily overloaded', { headers: { 'Retry-After': '1' } });

/**
 * Refuses requests while there are too many, because a growing queue would make all of them late. A request counts while the
 * server works on it, not while it waits for the client to send or to read.
 */
export class Load {
  readonly #most: number;
  #working = 0;
  #late = 0;

  constructor(app: FastifyInstance, { MAX_REQUESTS, MAX_EVENT_LOOP_DELAY }: Config) {
    this.#most = MAX_REQUESTS || Number.POSITIVE_INFINITY;
    if (MAX_EVENT_LOOP_DELAY === 0) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const due = last + INTERVAL;
      last = performance.now();
      this.#late = last - due > MAX_EVENT_LOOP_DELAY ? this.#late + 1 : 0;
    }, INTERVAL).unref();
    app.addHook('onClose', async () => clearInterval(timer));
  }

  /** @returns 503 for a request over the limit */
  enter(exchange: Exchange): ApiError | undefined {
    if (exchange.working) return undefined;
    if (this.#working >= this.#most) exchange.overload = 'requests';
    else if (this.#late >= LATE_TIMERS) exchange.overload = 'event_loop_delay';
    if (exchange.overload) return OVERLOADED;
    exchange.working = true;
    this.#working += 1;
    return undefined;
  }

  leave(exchange: Exchange): void {
    if (exchange.working) this.#working -= 1;
    exchange.working = false;
  }
}
