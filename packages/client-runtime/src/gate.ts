import { LONGEST_TIMER, now, withDeadline } from './deadline.ts';
import type { CallError } from './error.ts';
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

/** The outcome of a request at the gate: it is `held` until the gate opens, or `queued` until another one has an outcome. */
export type Passage = 'held' | 'queued' | 'probe' | 'sent';

/** A request that has ended: its response, if there was one, and its failure, if it is one. */
export interface Outcome {
  readonly passage?: Passage;
  readonly response?: Response;
  readonly failure?: CallError;
}

export type Gate = ReturnType<typeof createGate>;

/**
 * Holds back the requests of one API key until the time that the service has named, because a key that goes on sending is banned, and
 * those beyond what is left of the window. All calls of a client, and of clients made from it by `withOptions`, share one gate.
 */
export function createGate() {
  /** The time at which the gate opens, by the clock of `now()`. */
  let opens = 0;
  /** The time of the last request that was sent while it was closed, or at which it closed. */
  let probed = 0;
  let code = '';
  /** Requests allowed per window. Those beyond it in the line wait for a later window. */
  let limit = Infinity;
  let closing = new Headers();
  /** Requests sent without an outcome yet. */
  let pending = 0;
  /** Requests that the window holds beside those. */
  let left = FIRST;
  /** The end of the window, as the service wrote it. */
  let reset: string | null | undefined = '';
  /** The functions that release the requests that wait for the next window, in order of arrival. */
  const line = new Set<() => void>();
  /** The functions that release the requests that wait for an outcome. */
  const queue = new Set<() => void>();

  /** Milliseconds until it opens; 0 if it is open. */
  const closedFor = () => {
    const rest = opens - now();
    // A timer may fire a millisecond early.
    return rest < 1 ? 0 : rest;
  };

  /** Milliseconds until the last request in the line may be sent. */
  const lineTime = () => closedFor() + Math.floor(line.size / limit) * WINDOW;

  const close = (headers: Headers, isSpent: boolean, failure: CallError | undefined, longest: number) => {
    const { retryAfter = 0, rateLimit } = metadata(headers);
    // `reset` is the last end of the windows without requests left.
    const rest = isSpent ? Number(rateLimit?.reset ?? 0) - serviceTime(headers) : 0;
    // Only the API writes windows. A number in its other headers may be that of a proxy, and mean anything.
    const most = Object.keys(rateLimit?.windows ?? {}).length > 0 ? DAY : longest || WINDOW;
    const end = now() + Math.min(Math.max(retryAfter * 1000, rest), most);
    if (end <= opens) return;
    if (closedFor() === 0) probed = now();
    opens = end;
    closing = new Headers([...headers]);
    limit = rateLimit?.limit || Infinity;
    code = failure?.code ?? 'rate_limit_exceeded';
  };

  return {
    closedFor,

    /** Whether a request is sent. */
    enter(): Passage {
      const isClosed = closedFor() > 0;
      if (isClosed && now() - probed < PROBE) return 'held';
      if (!isClosed && pending > 0 && left <= 0) return 'queued';
      pending += 1;
      left -= 1;
      if (!isClosed) return 'sent';
      probed = now();
      return 'probe';
    },

    /**
     * Ends a request. Closes the gate after a 429, or if no request remains; the response to a probe that says neither opens it.
     *
     * @param longest - milliseconds for which it closes at most for others than the API, such as a proxy
     */
    leave({ passage, response, failure }: Outcome, longest: number): void {
      if (passage !== 'sent' && passage !== 'probe') return;
      pending -= 1;
      const { status = 0, headers } = response ?? {};
      // Without a response, or a limit, nothing is known that others would have to wait for.
      const remaining = headers ? remainingIn(headers) : Infinity;
      const end = headers?.get('X-RateLimit-Reset');
      // Other responses of the same window may have overtaken this one.
      left = Math.min(end === reset ? left : Infinity, Math.max(0, remaining - pending));
      reset = end;
      // Parsing all headers of each response would add 20 µs to a call.
      if (headers && (status === 429 || remaining === 0)) close(headers, remaining === 0, failure, longest);
      else if (passage === 'probe' && headers && status < 500) opens = 0;
      let free = closedFor() > 0 || pending === 0 ? Infinity : left;
      for (const release of queue) if (free-- > 0) release();
    },

    /** The response to a request that is not sent. It repeats the response that closed the gate, with the remaining time. */
    refusal({ response }: Failures): Response {
      const seconds = Math.ceil(lineTime() / 1000);
      closing.set('Retry-After', `${seconds}`);
      return response(429, code, `not sent for another ${seconds} s`, closing);
    },

    /** Milliseconds that a request waits in line. A random part spreads the waiting requests over a second. */
    delay: () => lineTime() + Math.random() * SPREAD,

    /**
     * Waits in line for a time, or until a request has an outcome after which another may be sent. Each timer that fires releases the
     * first request, so the delays are random, but the order is kept. A signal that aborts leaves the line.
     */
    async wait(signals: readonly (AbortSignal | null)[], delay?: number): Promise<void> {
      const isTimed = delay !== undefined;
      const those = isTimed ? line : queue;
      let release = () => {};
      const turn = () =>
        new Promise<void>((resolve) => {
          release = () => {
            those.delete(release);
            resolve();
          };
          those.add(release);
        });
      const first = () => line.values().next().value?.();
      const timer = isTimed ? setTimeout(first, Math.min(delay, LONGEST_TIMER)) : undefined;
      await withDeadline(signals, Infinity, turn, turn).catch((reason) => {
        clearTimeout(timer);
        those.delete(release);
        throw reason;
      });
    },
  };
}
