import { LONGEST_TIMER, now, withDeadline } from './deadline.ts';
import type { Failures } from './failure.ts';
import { metadata, remainingIn, serviceTime } from './headers.ts';

/** Milliseconds over which waiting requests are spread once the gate opens. */
const SPREAD = 1_000;
/** The length of a window, in milliseconds. Limits are per minute or per day, and no call waits for the next day. */
const WINDOW = 60_000;
/** The longest window, in milliseconds. */
const DAY = 86_400_000;
/** Milliseconds between the requests that a closed gate lets through. The service forgives one that is refused. */
const PROBE = 90_000;
/** The most requests at a time before the first response, which tells how many are left. */
const FIRST = 10;

type Signals = readonly (AbortSignal | null)[];

/**
 * Holds back the requests of one API key until the time that the service has named, because a key that goes on sending is banned, and
 * those beyond what is left of the window. All calls of a client, and of clients made from it by `withOptions`, share one gate.
 */
export class Gate {
  /** The time at which the gate opens, by the clock of `now()`. */
  #opens = 0;
  /** The time of the last request that was sent while it was closed, or at which it closed. */
  #probed = 0;
  #code = '';
  /** Requests allowed per window. Those beyond it in the line wait for a later window. */
  #limit = Infinity;
  #headers = new Headers();
  /** The functions that release the requests that wait for the next window, in order of arrival. */
  #line: (() => void)[] = [];
  /** Requests sent without an outcome yet. */
  #pending = 0;
  /** Requests that the window holds beside those. */
  #left = FIRST;
  /** The end of the window, as the service wrote it. */
  #reset: string | null | undefined = '';
  /** The functions that release the requests that wait for an outcome. */
  #queue: (() => void)[] = [];

  /** Milliseconds until it opens; 0 if it is open. */
  get closedFor(): number {
    const left = this.#opens - now();
    // A timer may fire a millisecond early.
    return left < 1 ? 0 : left;
  }

  /** Whether a request is sent: it is `held` until the gate opens, or `queued` until another one has an outcome. */
  enter(): 'held' | 'queued' | 'probe' | 'sent' {
    const isClosed = this.closedFor > 0;
    if (isClosed && now() - this.#probed < PROBE) return 'held';
    if (!isClosed && this.#pending > 0 && this.#left <= 0) return 'queued';
    this.#pending += 1;
    this.#left -= 1;
    if (!isClosed) return 'sent';
    this.#probed = now();
    return 'probe';
  }

  /**
   * Ends a request. Closes the gate after a 429, or if no request remains; the response to a probe that says neither opens it.
   *
   * @param response - undefined if there was none
   * @param code - of the failure, if it is one
   * @param longest - milliseconds for which it closes at most for others than the API, such as a proxy
   */
  leave(response: Response | undefined, isProbe: boolean, code = 'rate_limit_exceeded', longest: number): void {
    this.#pending -= 1;
    const { status = 0, headers } = response ?? {};
    // Without a response, or a limit, nothing is known that others would have to wait for.
    const remaining = headers ? remainingIn(headers) : Infinity;
    const reset = headers?.get('X-RateLimit-Reset');
    // Other responses of the same window may have overtaken this one.
    const before = reset === this.#reset ? this.#left : Infinity;
    this.#left = Math.min(before, Math.max(0, remaining - this.#pending));
    this.#reset = reset;
    // Parsing all headers of each response would add 20 µs to a call.
    if (headers && (status === 429 || remaining === 0)) this.#close(headers, remaining === 0, code, longest);
    else if (isProbe && headers && status < 500) this.#opens = 0;
    const free = this.closedFor > 0 || this.#pending === 0 ? Infinity : this.#left;
    for (const release of this.#queue.splice(0, free)) release();
  }

  #close(headers: Headers, isSpent: boolean, code: string, longest: number): void {
    const { retryAfter = 0, rateLimit } = metadata(headers);
    // `reset` is the last end of the windows without requests left.
    const left = isSpent ? Number(rateLimit?.reset ?? 0) - serviceTime(headers) : 0;
    // Only the API writes windows. A number in its other headers may be that of a proxy, and mean anything.
    const most = Object.keys(rateLimit?.windows ?? {}).length > 0 ? DAY : longest;
    const opens = now() + Math.min(Math.max(retryAfter * 1000, left), most);
    if (opens <= this.#opens) return;
    if (this.closedFor === 0) this.#probed = now();
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
  async wait(delay: number, signals: Signals): Promise<void> {
    const timer = setTimeout(() => this.#line.shift()?.(), Math.min(delay, LONGEST_TIMER));
    await stand(this.#line, signals).catch((reason) => {
      clearTimeout(timer);
      throw reason;
    });
  }

  /** Waits until a request has an outcome after which another may be sent. */
  turn(signals: Signals): Promise<void> {
    return stand(this.#queue, signals);
  }
}

/** Waits in a line to be released. A signal that aborts leaves it. */
async function stand(line: (() => void)[], signals: Signals): Promise<void> {
  let leave = () => {};
  const turn = () =>
    new Promise<void>((resolve) => {
      leave = resolve;
      line.push(leave);
    });
  await withDeadline(signals, Infinity, turn, turn).catch((reason) => {
    if (line.includes(leave)) line.splice(line.indexOf(leave), 1);
    throw reason;
  });
}
