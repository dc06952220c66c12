import { environments } from '../generated/operations.ts';
import type { ClientOptions } from '../options.ts';

/** The options of a client, checked and with their defaults. No message repeats the key or a URL with a password. */
export function readSettings({ apiKey, environment = 'production', baseUrl, fetch }: ClientOptions) {
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a non-empty string of visible ASCII characters');
  }
  if (!Object.hasOwn(environments, environment)) {
    throw new TypeError(`environment must be one of ${Object.keys(environments)}`);
  }
  if (fetch !== undefined && typeof fetch !== 'function') throw new TypeError('fetch must be a function');
  return {
    apiKey,
    baseUrl: baseUrl === undefined ? environments[environment] : checkUrl(baseUrl),
    // Looked up late, so that what replaces it after the client was created (a mock, a tracer) is used.
    fetch: fetch ?? ((request: Request) => globalThis.fetch(request)),
  };
}

function checkUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(url.href)) {
    throw new TypeError('baseUrl must be an http(s) URL without credentials, query and fragment');
  }
  return url.href.replace(/\/+$/, '');
}
