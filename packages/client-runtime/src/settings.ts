import { checkText, invariant, refuseUnknown, tried } from './checks.ts';
import type { ApiKey, ClientOptions, Fetch } from './client-options.ts';
import { RETRY_BUDGET } from './constants.ts';
import type { Gate } from './gate.ts';
import { pageOrigin, urlOf } from './headers.ts';
import type { CallLimits } from './options.ts';
import type { Sdk } from './sdk.ts';

const LIMITS = { timeout: 10_000, totalTimeout: 90_000, maxRetries: 2, maxRetryAfter: 60_000 };

/** The options of a call that `fetch` does not get. */
export const CALL_OPTIONS = { ...LIMITS, headers: 0, signal: 0, idempotencyKey: 0 };
export const METHOD_OPTIONS = { ...CALL_OPTIONS, cache: 0, keepalive: 0, priority: 0, next: 0, dispatcher: 0 };
const HOOKS = { fetch: 0, middleware: 0, around: 0, onRetry: 0 };
const CLIENT_OPTIONS = { ...LIMITS, ...HOOKS, headers: 0, apiKey: 0, environment: 0, baseUrl: 0 };
/** The checked options of a client, with defaults. */
export type Settings = ReturnType<typeof readSettings>;

/** The state that a client shares with the clients made from it by `withOptions`. There is one gate per server and API key. */
const newState = () => ({
  apiKey: undefined as ApiKey,
  retryBudget: { left: RETRY_BUDGET, isReached: false },
  gates: new Map<string, Gate>(),
  headers: { accept: 'application/json' } as HeaderRecord,
});

/** Merges options over those of the base client, and checks them. No message contains the key or a password. */
export function readSettings(sdk: Sdk, options: ClientOptions, base: ReturnType<typeof newState> = newState()) {
  const { name, environments } = sdk;
  const keyName = `${name}_API_KEY`;
  refuseUnknown('createClient', 'option', options, CLIENT_OPTIONS);
  const names = Object.keys(environments);
  const { apiKey = base.apiKey ?? variable(keyName), environment = names[0] as string } = options;
  const { baseUrl = options.environment ? undefined : variable(`${name}_BASE_URL`) } = options;
  invariant(names.includes(environment), `createClient: environment must be one of ${names}`);
  if (typeof apiKey !== 'function') checkText('createClient: apiKey', apiKey);
  invariant(apiKey !== undefined, `createClient: apiKey is missing, and ${keyName} is not set`);
  return {
    ...base,
    ...options,
    sdk,
    apiKey: async () => {
      const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
      invariant(key || key === null, 'createClient: apiKey is missing: the function gave none');
      checkText('createClient: apiKey', key);
      return key;
    },
    baseUrl: checkUrl(baseUrl ?? (environments[environment] as string)),
    headers: mergeHeaders('createClient', base.headers, options.headers),
    ...withLimits('createClient', LIMITS, options),
    fetch: options.fetch ?? globalFetch,
  };
}

/** The global `fetch`, looked up for each request, because a mock or a tracer may replace it later. */
export const globalFetch = ((url, init) => globalThis.fetch(url, init)) as Fetch;

type HeaderRecord = { readonly [name: string]: string | null };

/** Merges headers over others, as openapi-fetch takes them: `null` removes one. Names are in lower case. */
export function mergeHeaders(name: string, base: HeaderRecord, headers: unknown): HeaderRecord {
  if (!headers) return base;
  invariant(typeof headers === 'object', `${name}: headers must be an object`);
  const merged: Record<string, string | null> = { ...base };
  const entries = Symbol.iterator in Object(headers) ? (headers as Headers) : Object.entries(headers);
  for (const [key, value] of entries) {
    const lower = key.toLowerCase();
    const option = lower === 'authorization' ? 'apiKey' : lower === 'idempotency-key' && 'idempotencyKey';
    invariant(!option, `${name}: the header ${key} is set by the option ${option}`);
    const isSendable = tried(() => new Headers([[key, `${value}`]]));
    invariant(isSendable, `${name}: the header ${JSON.stringify(key)} cannot be sent`);
    merged[lower] = value ?? null;
  }
  return merged;
}

/** Merges the limits of a call, or of a client, over others. */
export function withLimits<Base extends typeof LIMITS>(name: string, base: Base, limits: CallLimits): Base {
  const merged = { ...base };
  for (const key of Object.keys(LIMITS) as (keyof CallLimits)[]) {
    const value = limits[key] ?? base[key];
    invariant(value === Math.abs(value), `${name}: ${key} must be a number of at least 0`);
    merged[key] = value;
  }
  return merged;
}

/** Checks a base URL. A path needs the page's URL, which is not known yet while a server renders the page. */
function checkUrl(baseUrl: string): string {
  const page = /^\/(?![/\\])/.test(baseUrl) ? 'http://page' : '';
  const href = urlOf(page + baseUrl)?.href ?? '';
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

type Runtime = { process?: { env?: Record<string, string> } };

/** Reads an environment variable; undefined if the runtime has none or, as Deno, throws without the permission. */
const variable = (name: string) => tried(() => (globalThis as Runtime).process?.env?.[name]) || undefined;
