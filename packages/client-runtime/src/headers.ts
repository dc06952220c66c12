import { tried } from './checks.ts';

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

/** Reads `X-RateLimit-*` and the windows; undefined without either. A malformed window is left out. */
export function parseRateLimit(headers: Headers, now: number): RateLimit | undefined {
  // The parameters of the policy and of the state of a window, by its name (a List of RFC 9651, in the form of these headers).
  const texts = new Map<string, string>();
  const lists = `${headers.get('RateLimit-Policy')}, ${headers.get('RateLimit')}`;
  for (const [, name = '', text] of lists.matchAll(/"([^"\\]*)"([^",]*)/g))
    texts.set(name, `${texts.get(name)}${text}`);
  const all = [...texts].map(([name, text]) => {
    const { q, r, t } = Object.fromEntries(text.split(';').map((pair) => pair.trim().split('=')));
    return [name, windowOf([q, r, t], now)] as const;
  });
  const windows = Object.fromEntries(all.filter((each): each is [string, RateLimitWindow] => !!each[1]));
  const totals = ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`));
  const strictest = windowOf(totals, 0) ?? Object.values(windows).sort((a, b) => a.remaining - b.remaining)[0];
  return strictest && { ...strictest, windows };
}

/** Limit, remaining and the seconds from `since` to the end of a window; undefined unless all are whole numbers. */
function windowOf(texts: (string | null | undefined)[], since: number): RateLimitWindow | undefined {
  // Twelve digits of seconds reach the year 33658, which a Date can hold.
  if (!texts.every((text) => /^\d{1,12}$/.test(`${text}`))) return undefined;
  const [limit, remaining, reset] = texts.map(Number) as [number, number, number];
  return { limit, remaining, reset: new Date(since + reset * 1000) };
}

/** The seconds until the time in a `Retry-After` header (RFC 9110, section 10.2.3), which gives seconds or an HTTP date. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // Date.parse accepts almost any text, such as "-1" and "1.5", but an HTTP date ends in GMT.
  const seconds = Math.ceil((Date.parse(value.endsWith('GMT') ? value : '') - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** The target of the first link to the next page (`Link`, RFC 8288), resolved against the requested URL. */
export function nextLink(headers: Headers, base: string): URL | undefined {
  for (const link of headers.get('Link')?.split(/,(?=\s*<)/) ?? []) {
    const [, target = '', relations = ''] = /^\s*<([^>]*)>.*?;\s*rel\s*=\s*"?([^";]*)/i.exec(link) ?? [];
    const url = relations.toLowerCase().split(/\s+/).includes('next') && urlOf(target, base);
    if (url) return url;
  }
  return undefined;
}

/** The origin of an absolute URL as `URL` writes it, at a fraction of the cost. */
export const originOf = (url: string) => /^\w+:\/\/[^/?#]*/.exec(url)?.[0];

/** The origin of the page or worker; undefined in a server. */
export const pageOrigin = () => (globalThis as { location?: { origin?: string } }).location?.origin;

/** A URL; undefined for an invalid one. React Native has no `URL.canParse`. */
export const urlOf = (text: string, base?: string): URL | undefined => tried(() => new URL(text, base));

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
