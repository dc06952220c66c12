import type { ClientOptions, DebugEvent, Fetch } from './client-options.ts';
import type { Gate } from './gate.ts';
import { pageOrigin, urlOf } from './headers.ts';
import type { CallLimits } from './options.ts';
import type { Sdk } from './sdk.ts';

function print({ operation, attempt, method, url, status, duration, error, delay }: DebugEvent): void {
  const next = delay ? `, again in ${Math.round(delay)} ms` : '';
  console.debug(`${operation} ${attempt}: ${method} ${url} ${error?.code ?? status} in ${duration} ms${next}`);
}

const LIMITS = { timeout: 10_000, totalTimeout: 90_000, maxRetries: 2, maxRetryAfter: 60_000 };
/** Tokens for retries, shared by all calls of a client. `retry.ts` spends them. */
export const QUOTA = 500;

/** The types of options by the words of `typeof`, one or several; '' for an option that is checked elsewhere. */
type Types = { readonly [name: string]: string };
const LIMIT = 'number';
const COMMON = { timeout: LIMIT, totalTimeout: LIMIT, maxRetries: LIMIT, maxRetryAfter: LIMIT, headers: 'object' };
/** The options of a call that `fetch` does not get. */
export const CALL_OPTIONS: Types = { ...COMMON, signal: 'object', idempotencyKey: 'string' };
export const METHOD_OPTIONS = { ...CALL_OPTIONS, cache: '', keepalive: '', priority: '', next: '', dispatcher: '' };
const CALLBACKS = { fetch: 'function', around: 'function', onRetry: 'function', onDeprecation: 'function' };
const CLIENT_OPTIONS: Types = {
  ...COMMON,
  ...CALLBACKS,
  debug: 'boolean function',
  apiKey: 'string function',
  environment: '',
  baseUrl: '',
  middleware: '',
};
/** How a message describes a type. */
const EXPECTED: Types = {
  number: 'a number of at least 0',
  string: 'a string of visible ASCII characters (no "Bearer ", no line break)',
  function: 'a function',
  object: 'an object',
  boolean: 'a boolean',
};
/** The checked options of a client, with defaults. */
export type Settings = ReturnType<typeof readSettings>;

/** The state that a client shares with the clients made from it by `withOptions`. There is one gate per server and API key. */
const newState = () => ({
  announced: new Set<string>(),
  quota: { tokens: QUOTA, isReached: false },
  gates: new Map<string, Gate>(),
});

/** Merges options over those of the base client, and checks them. No message contains the key or a password. */
export function readSettings(
  sdk: Sdk,
  options: ClientOptions,
  base?: ReturnType<typeof newState> & { headers: HeaderRecord },
) {
  const { name, environments } = sdk;
  const keyName = `${name}_API_KEY`;
  refuseUnknown('createClient', 'option', options, CLIENT_OPTIONS);
  const names = Object.keys(environments);
  const { apiKey = variable(keyName), environment = names[0] as string, middleware = [] } = options;
  const { baseUrl = options.environment ? undefined : variable(`${name}_BASE_URL`) } = options;
  checkOptions('createClient', { ...options, apiKey }, CLIENT_OPTIONS);
  invariant(names.includes(environment), `createClient: environment must be one of ${names}`);
  invariant(Array.isArray(middleware), 'createClient: middleware must be an array');
  invariant(apiKey !== undefined, `createClient: apiKey is missing, and ${keyName} is not set`);
  return {
    ...(base ?? newState()),
    ...options,
    sdk,
    apiKey: async () => {
      if (typeof apiKey !== 'function') return apiKey;
      const key = await apiKey();
      invariant(key || key === null, 'createClient: apiKey is missing: the function gave none');
      checkOptions('createClient', { apiKey: key }, { apiKey: 'string' });
      return key;
    },
    baseUrl: checkUrl(baseUrl ?? (environments[environment] as string)),
    headers: mergeHeaders('createClient', base?.headers ?? { accept: 'application/json' }, options.headers),
    ...withLimits(LIMITS, options),
    middleware,
    debug: options.debug === true ? print : options.debug || undefined,
    // `globalThis.fetch` is looked up for each request, because a mock or a tracer may replace it later.
    fetch: options.fetch ?? (((url, init) => globalThis.fetch(url, init)) as Fetch),
  };
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new TypeError(message);
}

export function refuseUnknown(name: string, kind: string, given: object, known: object, more: object = {}): void {
  invariant(typeof given === 'object', `${name}: the ${kind}s must be an object`);
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(known, key) || Object.hasOwn(more, key)) continue;
    const meant = Object.keys({ ...known, ...more }).find((one) => isNear(one.toLowerCase(), key.toLowerCase()));
    const hint = meant ? `, did you mean ${meant}?` : '';
    throw new TypeError(`${name}: unknown ${kind} ${JSON.stringify(key)}${hint}`);
  }
}

/** Whether two names have the same letters but for less than three, and less than half of the shorter one. */
function isNear(one: string, other: string): boolean {
  const strange = [...one, ...other].filter((letter) => !one.includes(letter) || !other.includes(letter));
  return strange.length < Math.min(3, one.length / 2, other.length / 2);
}

/** Checks the types of options. An absent one is null or undefined. */
export function checkOptions(name: string, given: object, known: Types): void {
  for (const [key, value] of Object.entries(given)) {
    const type = Object.hasOwn(known, key) && known[key];
    if (!type || value === null || value === undefined) continue;
    const types = type.split(' ');
    const inRange = typeof value === 'string' ? /^[!-~]+$/.test(value) : typeof value !== 'number' || value >= 0;
    invariant(
      types.includes(typeof value) && inRange,
      `${name}: ${key} must be ${types.map((each) => EXPECTED[each]).join(' or ')}`,
    );
  }
}

type HeaderRecord = { readonly [name: string]: string | null };

/** Merges headers over others, as openapi-fetch takes them: `null` removes one. Names are in lower case. */
export function mergeHeaders(name: string, base: HeaderRecord, given: unknown): HeaderRecord {
  if (!given) return base;
  const merged: Record<string, string | null> = { ...base };
  const entries = Symbol.iterator in Object(given) ? (given as Headers) : Object.entries(given);
  for (const [key, value] of entries) {
    const lower = key.toLowerCase();
    const option = lower === 'authorization' ? 'apiKey' : lower === 'idempotency-key' && 'idempotencyKey';
    invariant(!option, `${name}: the header ${key} is set by the option ${option}`);
    try {
      new Headers([[key, `${value}`]]);
    } catch {
      throw new TypeError(`${name}: the header ${JSON.stringify(key)} cannot be sent`);
    }
    merged[lower] = value ?? null;
  }
  return merged;
}

/** Merges the limits of a call, or of a client, over others. */
export function withLimits<Base extends typeof LIMITS>(base: Base, given: CallLimits): Base {
  const merged = { ...base };
  for (const name of Object.keys(LIMITS) as (keyof CallLimits)[]) merged[name] = given[name] ?? base[name];
  return merged;
}

/** Checks a base URL. A path needs the page's URL, which is not known yet while a server renders the page. */
function checkUrl(baseUrl: string): string {
  const page = /^\/(?![/\\])/.test(baseUrl) ? 'http://page' : '';
  const { href = '' } = urlOf(page + baseUrl) ?? {};
  const shown = JSON.stringify(`${baseUrl}`.replace(/\?.*/s, '?…').split('@').at(-1));
  invariant(
    /^https?:\/\/[^/@]+\/[^?#]*$/.test(href),
    `createClient: baseUrl must be an http(s) URL or a path, without credentials and query, not ${shown}`,
  );
  return String(/^.*[^/]/.exec(href.slice(page.length)) ?? '');
}

/** Resolves a base URL. A path is on the server of the page. */
export function absolute(baseUrl: string): string {
  if (baseUrl.startsWith('http')) return baseUrl;
  const origin = `${pageOrigin()}`;
  invariant(origin.startsWith('http'), `baseUrl is ${baseUrl}, but there is no page`);
  return origin + baseUrl;
}

/** Reads an environment variable; undefined if the runtime has none or does not permit it. */
function variable(name: string): string | undefined {
  try {
    return (globalThis as { process?: { env?: Record<string, string> } }).process?.env?.[name] || undefined;
  } catch {
    // Deno throws without the permission.
    return undefined;
  }
}
