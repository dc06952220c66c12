import { environments } from './generated/table.ts';
import type { CallLimits, CallOptions, ClientOptions, Fetch, IdempotentCallOptions } from './options.ts';
import { version } from './version.ts';

const LIMITS = { timeout: 10_000, totalTimeout: 90_000, maxRetries: 2, maxRetryAfter: 60_000 };
const CALL_OPTIONS = [...Object.keys(LIMITS), 'headers', 'signal'];
const CLIENT_OPTIONS = [...Object.keys(LIMITS), 'headers', 'apiKey', 'environment', 'baseUrl', 'middleware'];
const FUNCTIONS = ['fetch', 'onRetry', 'onDeprecation'] as const;

/** What a client was created with, checked and with its defaults. */
export type Settings = ReturnType<typeof readSettings>;

/**
 * The options of a client, checked and with their defaults. No message repeats the key or a URL with a password.
 *
 * @param base - headers to add the client's to
 * @throws TypeError that names the option
 */
export function readSettings(options: ClientOptions, base = new Headers({ Accept: 'application/json' })) {
  refuseUnknown('createClient', 'option', options, [...CLIENT_OPTIONS, ...FUNCTIONS]);
  const { apiKey = environmentKey(), environment = 'production', fetch, middleware = [] } = options;
  must(apiKey !== undefined, 'apiKey is missing: give it to createClient, or set PETSTORE_API_KEY');
  must(Object.hasOwn(environments, environment), `environment must be one of ${Object.keys(environments)}`);
  for (const name of FUNCTIONS) {
    must(options[name] === undefined || typeof options[name] === 'function', `${name} must be a function`);
  }
  must(
    Array.isArray(middleware) && middleware.every((item) => Object(item) === item),
    'middleware must be an array of objects',
  );
  if (typeof apiKey !== 'function') checkText('apiKey', apiKey);
  // Looked up late, so that what replaces it after the client was created (a mock, a tracer) is used.
  const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init);
  return {
    ...options,
    apiKey: async () => checkText('apiKey', typeof apiKey === 'function' ? await apiKey() : apiKey),
    baseUrl: checkUrl(options.baseUrl ?? environments[environment]),
    headers: mergeHeaders('createClient', base, options.headers),
    limits: readLimits(options, LIMITS),
    middleware,
    fetch: fetch ?? globalFetch,
  };
}

/**
 * The options of a call, checked and with those of the client.
 *
 * @param more - names of further options that the call has
 * @throws TypeError that names the option
 */
export function readCallOptions(name: string, options: IdempotentCallOptions, settings: Settings, more: string[]) {
  refuseUnknown(name, 'option', options, [...CALL_OPTIONS, ...more]);
  const { signal, idempotencyKey } = options;
  must(!signal || (signal.addEventListener as unknown), `${name}: signal must be an AbortSignal`);
  if (idempotencyKey !== undefined) checkText(`${name}: idempotencyKey`, idempotencyKey);
  return {
    signal,
    idempotencyKey,
    headers: mergeHeaders(name, settings.headers, options.headers),
    limits: readLimits(options, settings.limits),
  };
}

/** @throws TypeError unless something holds */
export function must(holds: unknown, message: string): asserts holds {
  if (!holds) throw new TypeError(message);
}

/** @throws TypeError that names what is not known */
export function refuseUnknown(name: string, kind: string, given: object, known: readonly string[]): void {
  must(typeof given === 'object', `${name}: the ${kind}s must be an object`);
  for (const key of Object.keys(given)) must(known.includes(key), `${name}: unknown ${kind} ${JSON.stringify(key)}`);
}

/** Headers with others over them. */
function mergeHeaders(name: string, base: Headers, given: CallOptions['headers'] = {}): Headers {
  const headers = new Headers(base);
  for (const [key, value] of Object.entries(given)) {
    must(!/^authorization$/i.test(key), `${name}: the header Authorization is for the API key`);
    try {
      if (value === undefined) headers.delete(key);
      else headers.set(key, value);
    } catch {
      throw new TypeError(`${name}: the header ${JSON.stringify(key)} cannot be sent`);
    }
  }
  headers.set('X-Petstore-Client', `js/${version}`);
  return headers;
}

function readLimits(given: CallLimits, defaults: typeof LIMITS): typeof LIMITS {
  const limits = { ...defaults };
  for (const name of Object.keys(LIMITS) as (keyof CallLimits)[]) {
    const value = given[name] ?? defaults[name];
    must(typeof value === 'number' && value >= 0, `${name} must be a number of at least 0`);
    limits[name] = value;
  }
  return limits;
}

function checkUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  must(
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(url.href),
    'baseUrl must be an http(s) URL without credentials, query and fragment',
  );
  return url.href.replace(/\/+$/, '');
}

function checkText(name: string, text: string): string {
  must(
    /^[!-~]+$/.test(typeof text === 'string' ? text : ''),
    `${name} must be a non-empty string of visible ASCII characters`,
  );
  return text;
}

/** PETSTORE_API_KEY, where there is an environment that may be read. */
function environmentKey(): string | undefined {
  try {
    return (globalThis as { process?: { env?: Record<string, string> } }).process?.env?.PETSTORE_API_KEY;
  } catch {
    // Deno without the permission.
    return undefined;
  }
}
