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

/** What the responses of a deprecated operation say about its removal. What they leave out is undefined. */
export interface DeprecationNotice {
  /** The operationId. */
  readonly operation: string;
  /** Since when it is deprecated (`Deprecation`, RFC 9745). */
  readonly since: Date | undefined;
  /** When it will be removed (`Sunset`, RFC 8594). */
  readonly sunset: Date | undefined;
  /** URL of what replaces it (`Link` with `rel="successor-version"`, RFC 5829). */
  readonly replacement: string | undefined;
}

/** Reads `X-RateLimit-*` and the windows; undefined without the first. A malformed window is left out. */
export function parseRateLimit(headers: Headers, now: number): RateLimit | undefined {
  const texts = ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`));
  const strictest = windowOf(texts, 0);
  const policies = Object.fromEntries(items(headers.get('RateLimit-Policy')));
  const windows = items(headers.get('RateLimit')).map(([name, parameters]) => {
    const texts = [/;q=(\d+)\b/, /;r=(\d+)\b/, /;t=(\d+)\b/].map((key) => key.exec(policies[name] + parameters)?.[1]);
    return [name, windowOf(texts, now)];
  });
  return strictest && { ...strictest, windows: Object.fromEntries(windows.filter(([, window]) => window)) };
}

/** Limit, remaining and the seconds from `since` to the end of a window; undefined unless all are whole numbers. */
function windowOf(texts: (string | null | undefined)[], since: number): RateLimitWindow | undefined {
  // Twelve digits of seconds reach the year 33658, which a Date can hold.
  if (!texts.every((text) => /^\d{1,12}$/.test(text ?? ''))) return undefined;
  const [limit, remaining, reset] = texts.map(Number) as [number, number, number];
  return { limit, remaining, reset: new Date(since + reset * 1000) };
}

/** `"minute";r=59;t=30, "day";…` as names and parameters (a List of RFC 9651, as far as these headers go). */
function items(list: string | null): [name: string, parameters: string][] {
  return [...(list ?? '').matchAll(/"([^"\\]*)"([^",]*)/g)].map(([, name = '', parameters = '']) => [name, parameters]);
}

/** The seconds in a `Retry-After` header (RFC 9110, section 10.2.3), given as such or as an HTTP date. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // Date.parse takes almost anything ("-1", "1.5") for a date; an HTTP date ends in GMT.
  const date = value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/** The target of the first link with a relation (`Link`, RFC 8288), resolved against the URL that was asked. */
export function linkTarget(headers: Headers, relation: string, base: string): URL | undefined {
  for (const link of headers.get('Link')?.split(/,(?=\s*<)/) ?? []) {
    const [, target = '', relations = ''] = /<([^>]*)>.*?;\s*rel\s*=\s*"?([^";]*)/i.exec(link) ?? [];
    if (relations.toLowerCase().split(/\s+/).includes(relation) && URL.canParse(target, base)) {
      return new URL(target, base);
    }
  }
  return undefined;
}

/** The notice in a response's headers; undefined when the operation is neither deprecated nor to be removed. */
export function parseDeprecation(operation: string, headers: Headers, url: string): DeprecationNotice | undefined {
  const since = headers.get('Deprecation');
  const sunset = headers.get('Sunset');
  if (since === null && sunset === null) return undefined;
  const dateOf = (time: number) => (Math.abs(time) <= 8.64e15 ? new Date(time) : undefined);
  return {
    operation,
    since: dateOf(Number(/^@(-?\d+)$/.exec(since ?? '')?.[1] ?? Number.NaN) * 1000),
    sunset: dateOf(Date.parse(sunset ?? '')),
    replacement: linkTarget(headers, 'successor-version', url)?.href,
  };
}

/** What the headers of a success and of a failure tell alike. */
export function metadata(headers: Headers) {
  // Dates are meant by the service's clock, which the caller's may not agree with. In milliseconds since the epoch.
  const now = Date.parse(headers.get('Date') ?? '') || Date.now();
  return {
    requestId: headers.get('X-Request-Id') ?? undefined,
    rateLimit: parseRateLimit(headers, now),
    retryAfter: parseRetryAfter(headers.get('Retry-After'), now),
  };
}
