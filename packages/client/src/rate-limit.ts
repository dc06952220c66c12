/** The rate limit of the API key as of one response; of its windows, the one that would stop the client first. */
export interface RateLimit extends RateLimitWindow {
  /** Every window by its name, such as `minute` and `day` (draft-ietf-httpapi-ratelimit-headers-11). */
  readonly windows: { readonly [name: string]: RateLimitWindow };
}

/** What is left of one window. */
export interface RateLimitWindow {
  /** Requests allowed per window. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** When the window ends. */
  readonly reset: Date;
}

/**
 * Reads `X-RateLimit-*`, and `RateLimit-Policy` and `RateLimit` for the windows. Undefined unless the first three are
 * there and are whole numbers; a window that is malformed is left out.
 *
 * @param now - milliseconds since the epoch by the clock of who answered
 */
export function parseRateLimit(headers: Headers, now: number): RateLimit | undefined {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) =>
    // Twelve digits of seconds reach the year 33658, which a Date can hold.
    numberIn(headers.get(`X-RateLimit-${name}`), /^(\d{1,12})$/),
  );
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;

  const policies = Object.fromEntries(items(headers.get('RateLimit-Policy')));
  const windows = items(headers.get('RateLimit')).flatMap(([name, parameters]) => {
    const quota = numberIn(policies[name], /;q=(\d{1,15})\b/);
    const left = numberIn(parameters, /;r=(\d{1,15})\b/);
    const seconds = numberIn(parameters, /;t=(\d{1,12})\b/);
    if (quota === undefined || left === undefined || seconds === undefined) return [];
    return [[name, { limit: quota, remaining: left, reset: new Date(now + seconds * 1000) }]];
  });
  return { limit, remaining, reset: new Date(reset * 1000), windows: Object.fromEntries(windows) };
}

/** `"minute";r=59;t=30, "day";…` as names and parameters (a List of RFC 9651, as far as these headers go). */
function items(list: string | null): [name: string, parameters: string][] {
  return [...(list ?? '').matchAll(/"([^"\\]*)"([^",]*)/g)].map(([, name = '', parameters = '']) => [name, parameters]);
}

function numberIn(text: string | null | undefined, pattern: RegExp): number | undefined {
  const digits = pattern.exec(text ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
