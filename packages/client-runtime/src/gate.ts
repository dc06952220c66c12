import { DAY, FIRST, LONGEST_TIMER, PROBE, SPREAD, WINDOW } from './constants.ts';
import { now, withDeadline } from './deadline.ts';
import type { CallError } from './error.ts';
import type { Failures } from './failure.ts';
import { metadata, parseRateLimit, serviceTime } from './headers.ts';

/** The outcome of a request at the gate: it is `held` until the gate opens, or `queued` until another one has an outcome. */
export type Passage = 'held' | 'queued' | 'sent';

/** A request that has ended: its response, if there was one, and its failure, if it is one. */
export interface Outcome {
  readonly passage?: Passage;
  readonly response?: Response;
  readonly failure?: CallError;
}

export type Gate = ReturnType<typeof createGate>;

/**
 * Holds back the requests of one API key until the time that the service has named, because a key that goes on sending is banned. It also
 * holds back requests beyond the remaining quota. All calls of a client, and of clients made from it by `withOptions`, share one gate.
 */
export function createGate() {
  /** The time at which the gate opens, by the clock of `now()`. */
  let opens = 0;
  /** The last request that was sent while it was closed, and its time, or that at which it closed. */
  let probe: Outcome | undefined;
  let probed = 0;
  /** The failure and the headers that closed it. */
  let code = '';
  let closing: Iterable<[string, string]> = [];
  /** Requests allowed per window. Those beyond it in the line wait for a later window. */
  let limit = Infinity;
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

  return {
    closedFor,

    /** Whether a request is sent. */
    enter(request: Outcome): Passage {
      const isClosed = closedFor() > 0;
      if (isClosed && now() - probed < PROBE) return 'held';
      if (!isClosed && pending > 0 && left <= 0) return 'queued';
      pending += 1;
      left -= 1;
      if (isClosed) {
        probe = request;
        probed = now();
      }
      return 'sent';
    },

    /**
     * Ends a request. Closes the gate after a 429, or if no request remains; the response to a probe that says neither opens it.
     *
     * @param longest - milliseconds for which it closes at most for others than the API, such as a proxy
     */
    leave(request: Outcome, longest: number): void {
      const { passage, response, failure } = request;
      if (passage !== 'sent') return;
      pending -= 1;
      // Without a response, or a limit, nothing is known that others would have to wait for.
      if (!response) left = Infinity;
      else {
        const { status, headers } = response;
        // Parsing all headers of each response would add 20 µs to a call.
        const field = headers.get('X-RateLimit-Remaining') ?? parseRateLimit(headers, 0)?.remaining;
        const remaining = Number(field ?? Infinity);
        const end = headers.get('X-RateLimit-Reset');
        // Other responses of the same window may have overtaken this one.
        left = Math.min(end === reset ? left : Infinity, Math.max(0, remaining - pending));
        reset = end;
        if (status === 429 || remaining === 0) {
          const { retryAfter = 0, rateLimit } = metadata(headers);
          // `reset` is the last end of the windows without requests left.
          const rest = remaining === 0 ? Number(rateLimit?.reset ?? 0) - serviceTime(headers) : 0;
          // Only the API writes windows. A number in its other headers may be that of a proxy, and mean anything.
          const most = Object.keys(rateLimit?.windows ?? {}).length > 0 ? DAY : longest || WINDOW;
          const opening = now() + Math.min(Math.max(retryAfter * 1000, rest), most);
          if (opening > opens) {
            if (closedFor() === 0) probed = now();
            opens = opening;
            closing = headers;
            limit = rateLimit?.limit || Infinity;
            code = failure?.code ?? 'rate_limit_exceeded';
          }
        } else if (request === probe && status < 500) opens = 0;
      }
      let free = closedFor() > 0 || pending === 0 ? Infinity : left;
      for (const release of queue) if (free-- > 0) release();
    },

    /** The response to a request that is not sent. It repeats the response that closed the gate, with the remaining time. */
    refusal({ response }: Failures): Response {
      const seconds = Math.ceil(lineTime() / 1000);
      const headers = new Headers([...closing]);
      headers.set('Retry-After', `${seconds}`);
      return response(429, code, `not sent for another ${seconds} s`, headers);
    },

    /** Milliseconds that a request waits in line. A random part spreads the waiting requests over a second. */
    delay: () => lineTime() + Math.random() * SPREAD,

    /**
     * Waits in line for a time, or until a request has an outcome after which another may be sent. Each timer that fires releases the
     * first request, so the delays are random, but the order is kept. A signal that aborts leaves the line.
     */
    wait(signals: readonly (AbortSignal | null)[], delay = Infinity): Promise<void> {
      const those = delay < Infinity ? line : queue;
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
      const timer = those === line ? setTimeout(first, Math.min(delay, LONGEST_TIMER)) : undefined;
      return withDeadline(signals, Infinity, turn, turn).catch((reason) => {
        clearTimeout(timer);
        those.delete(release);
        throw reason;
      });
    },
  };
}
