import type { Decision } from './usage.ts';

/** A request that is over a limit. Fastify answers it with the status and the headers. */
export class QuotaError extends Error {
  readonly statusCode = 429;
  readonly headers: Record<string, string>;

  constructor(message: string, headers: Record<string, string>) {
    super(message);
    this.headers = headers;
  }
}

/**
 * The headers of a response: `X-RateLimit-*` of the window that would stop the client first, and all windows as in
 * draft-ietf-httpapi-ratelimit-headers-11.
 *
 * @param now - Unix time in milliseconds
 */
export function headersOf({ minute, day }: Decision, now: number): Record<string, string> {
  const left = ({ remaining, reset }: typeof minute) => `r=${remaining};t=${secondsUntil(reset, now)}`;
  // The headers show the window with the fewest requests remaining or, at a tie, the one that resets later.
  const first = !day || (minute.remaining - day.remaining || day.reset - minute.reset) < 0 ? minute : day;
  return {
    'X-RateLimit-Limit': String(first.limit),
    'X-RateLimit-Remaining': String(first.remaining),
    // A ban may end within a second.
    'X-RateLimit-Reset': String(Math.ceil(first.reset / 1000)),
    'RateLimit-Policy': `"minute";q=${minute.limit};w=60${day ? `, "day";q=${day.limit};w=86400` : ''}`,
    RateLimit: `"minute";${left(minute)}${day ? `, "day";${left(day)}` : ''}`,
  };
}

/** The failure of a request that is not admitted. @param now - Unix time in milliseconds */
export function refusalOf({ outcome, minute, day }: Decision, now: number): QuotaError | undefined {
  if (outcome === 'admitted') return undefined;
  // The client has to wait for the last of the windows that have nothing left.
  const reset = Math.max(...[minute, day].map((window) => (window?.remaining === 0 ? window.reset : 0)));
  const seconds = secondsUntil(reset, now);
  const limit = day?.remaining === 0 ? `${day.limit} requests per day` : `${minute.limit} requests per minute`;
  const reason =
    outcome === 'banned'
      ? 'Temporarily banned for sending more requests after a 429'
      : `The limit of ${limit} is reached`;
  return new QuotaError(`${reason}; retry in ${seconds} seconds`, { 'Retry-After': String(seconds) });
}

/** The seconds until a time, rounded up, and at least 1. */
const secondsUntil = (time: number, now: number) => Math.max(1, Math.ceil((time - now) / 1000));
