/** The rate limit of the API key as of one response; of its windows, the one that would stop the client first. */
export interface RateLimit {
  /** Requests allowed per window (`X-RateLimit-Limit`). */
  readonly limit: number;
  /** Requests left in the current window (`X-RateLimit-Remaining`). */
  readonly remaining: number;
  /** When the window ends (`X-RateLimit-Reset`). */
  readonly reset: Date;
}

/** Reads the `X-RateLimit-*` headers; undefined unless all three are there and are whole numbers. */
export function parseRateLimit(headers: Headers): RateLimit | undefined {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) => {
    const value = headers.get(`X-RateLimit-${name}`) ?? '';
    // Twelve digits of seconds reach the year 33658, which a Date can hold.
    return /^\d{1,12}$/.test(value) ? Number(value) : undefined;
  });
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, reset: new Date(reset * 1000) };
}
