/** The rate limit of the API key after a response: the window that would stop the client first. */
export interface RateLimit extends RateLimitWindow {
  /** Every window by its name, such as `minute` and `day` (draft-ietf-httpapi-ratelimit-headers-11). */
  readonly windows: { readonly [name: string]: RateLimitWindow };
}

/** The state of one window. */
export interface RateLimitWindow {
  /** Requests allowed per window. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** When the window ends. */
  readonly reset: Date;
}

/** The announced removal of an operation, from its response headers. */
export interface DeprecationNotice {
  /** The operationId, or method and path of a `request()`. */
  readonly operation: string;
  /** The date of the deprecation (`Deprecation`, RFC 9745). */
  readonly since: Date | undefined;
  /** The date of the removal (`Sunset`, RFC 8594). */
  readonly sunset: Date | undefined;
  /** URL of the replacement (`Link` with `rel="successor-version"`, RFC 5829). */
  readonly replacement: string | undefined;
}

/** Reads `X-RateLimit-*` and the windows; undefined without either. A malformed window is left out. */
export function parseRateLimit(headers: Headers, now: number): RateLimit | undefined {
  const texts = ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`));
  const policies = Object.fromEntries(items(headers.get('RateLimit-Policy')));
  // An object holds each name once, so that a repeated name does not cost another search of its policy.
  const current = Object.fromEntries(items(headers.get('RateLimit')));
  const all = Object.entries(current).map(([name, parameters]) => {
    const pairs = `${policies[name]}${parameters}`.split(';').map((pair) => pair.trim().split('='));
    const { q, r, t } = Object.fromEntries(pairs);
    return [name, windowOf([q, r, t], now)] as const;
  });
  const windows = Object.fromEntries(all.flatMap(([name, window]) => (window ? [[name, window]] : [])));
  const strictest = windowOf(texts, 0) ?? Object.values(windows).sort((a, b) => a.remaining - b.remaining)[0];
  return strictest && { ...strictest, windows };
}

/** The requests left in the window that has fewest; `Infinity` if the headers name none. */
export const remainingIn = (headers: Headers) =>
  Number(
    headers.get('X-RateLimit-Remaining') ??
      Math.min(...[...(headers.get('RateLimit') ?? '').matchAll(/;\s*r=(\d+)/g)].map(([, left]) => Number(left))),
  );

/** Limit, remaining and the seconds from `since` to the end of a window; undefined unless all are whole numbers. */
function windowOf(texts: (string | null | undefined)[], since: number): RateLimitWindow | undefined {
  // Twelve digits of seconds reach the year 33658, which a Date can hold.
  if (!texts.every((text) => /^\d{1,12}$/.test(`${text}`))) return undefined;
  const [limit, remaining, reset] = texts.map(Number) as [number, number, number];
  return { limit, remaining, reset: new Date(since + reset * 1000) };
}

/** Parses `"minute";r=59;t=30, "day";…` into names and parameters (a List of RFC 9651, in the form of these headers). */
function items(list: string | null): [name: string, parameters: string][] {
  return [...(list ?? '').matchAll(/"([^"\\]*)"([^",]*)/g)].map(([, name = '', parameters = '']) => [name, parameters]);
}

/** The seconds until the time in a `Retry-After` header (RFC 9110, section 10.2.3), which gives seconds or an HTTP date. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // Date.parse accepts almost any text, such as "-1" and "1.5", but an HTTP date ends in GMT.
  const seconds = Math.ceil((Date.parse(value.endsWith('GMT') ? value : '') - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** The target of the first link with a relation (`Link`, RFC 8288), resolved against the requested URL. */
export function linkTarget(headers: Headers, relation: string, base: string): URL | undefined {
  for (const link of headers.get('Link')?.split(/,(?=\s*<)/) ?? []) {
    const [, target = '', relations = ''] = /^\s*<([^>]*)>.*?;\s*rel\s*=\s*"?([^";]*)/i.exec(link) ?? [];
    const url = relations.toLowerCase().split(/\s+/).includes(relation) && urlOf(target, base);
    if (url) return url;
  }
  return undefined;
}

/** The origin of an absolute URL as `URL` writes it, at a fraction of the cost. */
export const originOf = (url: string) => /^\w+:\/\/[^/?#]*/.exec(url)?.[0];

/** The origin of the page or worker; undefined in a server. */
export const pageOrigin = (): string | undefined => Object((globalThis as { location?: unknown }).location).origin;

/** A URL; undefined for an invalid one. React Native has no `URL.canParse`. */
export function urlOf(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** The removal announced by a response's headers; undefined without `Deprecation` and `Sunset`. */
export function parseDeprecation(operation: string, headers: Headers, url: string): DeprecationNotice | undefined {
  const since = headers.get('Deprecation');
  const sunset = headers.get('Sunset');
  if (since === null && sunset === null) return undefined;
  const dateOf = (time: number) => (Math.abs(time) <= 8.64e15 ? new Date(time) : undefined);
  return {
    operation,
    since: dateOf(Number(/^@(-?\d+)$/.exec(`${since}`)?.[1]) * 1000),
    sunset: dateOf(Date.parse(`${sunset}`)),
    replacement: linkTarget(headers, 'successor-version', url)?.href,
  };
}

/** The time of a response by the service's clock, which may differ from the caller's. Unix time in milliseconds. */
export const serviceTime = (headers: Headers) => Date.parse(`${headers.get('Date')}`) || Date.now();

/** The headers that successes and failures share. */
export function metadata(headers: Headers) {
  const now = serviceTime(headers);
  return {
    requestId: headers.get('X-Request-Id') ?? undefined,
    rateLimit: parseRateLimit(headers, now),
    retryAfter: parseRetryAfter(headers.get('Retry-After'), now),
  };
}
