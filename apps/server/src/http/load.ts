import type { Config } from '../config.ts';
import { ApiError } from './errors.ts';
import type { Exchange } from './exchange.ts';

/** Shared: avoids capturing a stack per request. */
const OVERLOADED = new ApiError(503, 'The service is temporarily overloaded', { headers: { 'Retry-After': '1' } });

/**
 * Refuses requests while there are too many, because a growing queue would make all of them late. A request counts while the
 * server works on it, not while it waits for the client to send or to read.
 */
export class Load {
  readonly #most: number;
  readonly #working = new Set<Exchange>();

  constructor({ MAX_REQUESTS }: Config) {
    this.#most = MAX_REQUESTS || Number.POSITIVE_INFINITY;
  }

  /** @returns 503 for a request over the limit */
  enter(exchange: Exchange): ApiError | undefined {
    if (this.#working.has(exchange)) return undefined;
    exchange.shed = this.#working.size >= this.#most;
    if (exchange.shed) return OVERLOADED;
    this.#working.add(exchange);
    return undefined;
  }

  leave(exchange: Exchange): void {
    this.#working.delete(exchange);
  }
}
