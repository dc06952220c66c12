// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

import { LONGEST_TIMER, now, withDeadline } from './deadline.ts';
import { metadata, serviceTime } from './headers.ts';

/** Milliseconds over which waiting requests are spread once the gate opens. */
const SPREAD = 1_000;
/** Milliseconds. Limits are per minute, or per day, for which no call waits. */
const WINDOW = 60_000;

/**
 * Holds back the requests of one API key until the time that the service has named: requests that it refuses anyway would get
 * the key banned. All calls of a client and of its `withOptions` share it.
 */
export class Gate {
  /** When it opens, as of `now()`. */
  #opens = 0;
  #code = '';
  /** Requests of a window: more of the line must wait for the window after it. */
  #limit = Infinity;
  #headers = new Headers();
  /** Let the waiting requests go, in the order in which they came. */
  #line: (() => void)[] = [];

  /** Milliseconds until it opens; 0 if it is open. */
  get closedFor(): number {
    const left = this.#opens - now();
    // A timer may fire a millisecond early.
    return left < 1 ? 0 : left;
  }

  /** Closes after a 429, and when the response says that no request remains. `code` is that of the failure. */
  read({ status, headers }: Response, code = 'rate_limit_exceeded'): void {
    if (status !== 429 && headers.get('X-RateLimit-Remaining') !== '0') return;
    const { retryAfter = 0, rateLimit } = metadata(headers);
    const windows = Object.values({ rateLimit, ...rateLimit?.windows }).filter((window) => window?.remaining === 0);
    const ends = windows.map((window) => Number(window?.reset) - serviceTime(headers));
    const opens = now() + Math.max(retryAfter * 1000, ...ends);
    if (opens <= this.#opens) return;
    this.#opens = opens;
    this.#headers = new Headers([...headers]);
    this.#limit = rateLimit?.limit || Infinity;
    this.#code = code;
  }

  /** The answer to a request that is not sent: that of the response that closed the gate, with the time that is left. */
  refusal(): Response {
    const seconds = Math.ceil(this.#wait / 1000);
    this.#headers.set('Retry-After', `${seconds}`);
    const message = `not sent for another ${seconds} s`;
    return new Response(JSON.stringify({ code: this.#code, message, status: 429 }), {
      status: 429,
      headers: this.#headers,
    });
  }

  /** Milliseconds until the end of the line may leave. */
  get #wait(): number {
    return this.closedFor + Math.floor(this.#line.length / this.#limit) * WINDOW;
  }

  /** Milliseconds to wait in line, so that those in it leave at random times within a second. */
  delay(): number {
    return this.#wait + Math.random() * SPREAD;
  }

  /** Waits in line. As many leave as timers have fired, so that the delays are random and the order is not. */
  async wait(delay: number, signals: (AbortSignal | null)[]): Promise<void> {
    let leave = () => {};
    const timer = setTimeout(() => this.#line.shift()?.(), Math.min(delay, LONGEST_TIMER));
    const turn = () =>
      new Promise<void>((resolve) => {
        leave = resolve;
        this.#line.push(leave);
      });
    try {
      await withDeadline(signals, Infinity, turn, turn);
    } catch (reason) {
      clearTimeout(timer);
      this.#line = this.#line.filter((each) => each !== leave);
      throw reason;
    }
  }
}
