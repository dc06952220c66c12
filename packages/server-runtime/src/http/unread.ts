import type { RequestState } from './request-state.ts';

/** The most bytes of responses that clients have not read yet, and of requests that wait for that. */
const MAX_UNREAD = 64 * 2 ** 20;

/** The responses of operations that clients have not read yet, and the requests that wait, with their bytes. */
export class Unread {
  /** The oldest first. */
  #exchanges = new Map<RequestState, number>();
  #bytes = 0;
  #forgotten = 0;

  /**
   * Counts the bytes of a response until the client has read it, or of a request that waits. Over the limit, the connections whose
   * clients have not read for longest are closed: refusing further requests would let such clients stop the server for all.
   */
  count(exchange: RequestState, bytes: number): void {
    this.forget(exchange);
    // The client is gone, so nothing would remove the entry.
    if (exchange.status > 0) return;
    this.#exchanges.set(exchange, bytes);
    this.#bytes += bytes;
    for (const oldest of this.#exchanges.keys()) {
      if (this.#bytes <= MAX_UNREAD || oldest === exchange) return;
      this.forget(oldest);
      oldest.request?.socket.destroy();
    }
  }

  forget(exchange: RequestState): void {
    this.#bytes -= this.#exchanges.get(exchange) ?? 0;
    if (this.#exchanges.delete(exchange)) this.#forgotten += 1;
    if (this.#forgotten <= this.#exchanges.size) return;
    // A new Map frees the memory of removed entries, as in `Batcher`.
    this.#exchanges = new Map(this.#exchanges);
    this.#forgotten = 0;
  }
}
