import type { RequestState } from './request-state.ts';

/** The most bytes of responses that clients have not read yet, and of requests that wait for that. */
const MAX_UNREAD = 64 * 2 ** 20;

/** The responses of operations that clients have not read yet, and the requests that wait, with their bytes. */
export class Unread {
  /** The oldest first. */
  #requests = new Map<RequestState, number>();
  #bytes = 0;
  #forgotten = 0;

  /**
   * Counts the bytes of a response until the client has read it, or of a request that waits. Over the limit, the connections whose
   * clients have not read for longest are closed: refusing further requests would let such clients stop the server for all.
   */
  count(state: RequestState, bytes: number): void {
    this.forget(state);
    // The client is gone, so nothing would remove the entry.
    if (state.status > 0) return;
    this.#requests.set(state, bytes);
    this.#bytes += bytes;
    for (const oldest of this.#requests.keys()) {
      if (this.#bytes <= MAX_UNREAD || oldest === state) return;
      this.forget(oldest);
      oldest.request?.socket.destroy();
    }
  }

  forget(state: RequestState): void {
    this.#bytes -= this.#requests.get(state) ?? 0;
    if (this.#requests.delete(state)) this.#forgotten += 1;
    if (this.#forgotten <= this.#requests.size) return;
    // A new Map frees the memory of removed entries, as in `Batcher`.
    this.#requests = new Map(this.#requests);
    this.#forgotten = 0;
  }
}
