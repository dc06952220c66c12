import type { Limits } from '../call.ts';
import type { ClientOptions } from '../options.ts';

const DEFAULTS = { timeout: 10_000, totalTimeout: 90_000, maxRetries: 2, maxRetryAfter: 60_000 };

/** What a client was created with, checked and with its defaults. */
export interface Settings extends Pick<ClientOptions, 'onRetry' | 'onDeprecation'> {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly limits: typeof DEFAULTS;
  /** Besides the request, it is told what was called, for the test client. */
  readonly fetch: (request: Request, call: { operation: string; args: readonly unknown[] }) => Promise<Response>;
}

/**
 * The options of a client, checked and with their defaults. No message repeats the key or a URL with a password.
 *
 * @throws TypeError that names the option
 */
export function readSettings(
  { apiKey, environment = 'production', baseUrl, fetch, onRetry, onDeprecation, ...limits }: ClientOptions,
  environments: { readonly [name: string]: string },
): Settings {
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a non-empty string of visible ASCII characters');
  }
  if (!Object.hasOwn(environments, environment)) {
    throw new TypeError(`environment must be one of ${Object.keys(environments)}`);
  }
  for (const [name, value] of Object.entries({ fetch, onRetry, onDeprecation })) {
    if (value !== undefined && typeof value !== 'function') throw new TypeError(`${name} must be a function`);
  }
  return {
    apiKey,
    baseUrl: checkUrl(baseUrl ?? (environments[environment] as string)),
    limits: readLimits(limits, DEFAULTS),
    // Looked up late, so that what replaces it after the client was created (a mock, a tracer) is used.
    fetch: (request) => (fetch ?? globalThis.fetch)(request),
    onRetry,
    onDeprecation,
  };
}

/**
 * Limits with others for those that are not given.
 *
 * @throws TypeError that names the limit
 */
export function readLimits(given: Limits, defaults: typeof DEFAULTS): typeof DEFAULTS {
  const limits = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof Limits)[]) {
    const value = given[name] ?? defaults[name];
    if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${name} must be a number of at least 0`);
    limits[name] = value;
  }
  return limits;
}

function checkUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(url.href)) {
    throw new TypeError('baseUrl must be an http(s) URL without credentials, query and fragment');
  }
  return url.href.replace(/\/+$/, '');
}
