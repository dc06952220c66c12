import { LONGEST_TIMER, now, withDeadline } from './deadline.ts';
import type { Failures } from './failure.ts';
import { metadata, serviceTime } from './headers.ts';

/** Milliseconds over which waiting requests are spread once the gate opens. */
const SPREAD = 1_000;
/** The length of a window, in milliseconds. Limits are per minute or per day, and no call waits for the next day. */
const WINDOW = 60_000;

/**
 * Holds back the requests of one API key until the time that the service has named, because a key that goes on sending is banned.
 * All calls of a client, and of clients made from it by `withOptions`, share one gate.
 */
export class Gate {
  /** The time at which the gate opens, by the clock of `now()`. */
  #opens = 0;
  #code = '';
  /** Requests allowed per window. Those beyond it in the line wait for a later window. */
  #limit = Infinity;
  #headers = new Headers();
  /** The functions that release the waiting requests, in order of arrival. */
  #line: (() => void)[] = [];

  /** Milliseconds until it opens; 0 if it is open. */
  get closedFor(): number {
    const left = this.#opens - now();
    // A timer may fire a millisecond early.
    return left < 1 ? 0 : left;
  }

  /** Closes the gate after a 429, or if the response says that no request remains. `code` is the code of the failure, if any. */
  read({ status, headers }: Response, code = 'rate_limit_exceeded'): void {
    const spent = headers.get('X-RateLimit-Remaining') === '0';
    // Parsing all headers of each response would add 20 µs to a call.
    if (status !== 429 && !spent) return;
    const { retryAfter = 0, rateLimit } = metadata(headers);
    // `X-RateLimit-Reset` names the last end of the windows without requests left.
    const left = spent ? Number(rateLimit?.reset ?? 0) - serviceTime(headers) : 0;
    const opens = now() + Math.max(retryAfter * 1000, left);
    if (opens <= this.#opens) return;
    this.#opens = opens;
    this.#headers = new Headers([...headers]);
    this.#limit = rateLimit?.limit || Infinity;
    this.#code = code;
  }

  /** The response to a request that is not sent. It repeats the response that closed the gate, with the remaining time. */
  refusal({ response }: Failures): Response {
    const seconds = Math.ceil(this.#wait / 1000);
    this.#headers.set('Retry-After', `${seconds}`);
    return response(429, this.#code, `not sent for another ${seconds} s`, this.#headers);
  }

  /** Milliseconds until the last request in the line may be sent. */
  get #wait(): number {
    return this.closedFor + Math.floor(this.#line.length / this.#limit) * WINDOW;
  }

  /** Milliseconds that a request waits in line. A random part spreads the waiting requests over a second. */
  delay(): number {
    return this.#wait + Math.random() * SPREAD;
  }

  /** Waits in line. Each timer that fires releases the first request, so the delays are random, but the order is kept. */
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
