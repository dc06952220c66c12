import { createQuerySerializer } from 'openapi-fetch';
import type { IdempotentCallOptions, RequestOptions } from './options.ts';
import { CALL_OPTIONS, checkText, mergeHeaders, must, readLimits, refuseUnknown, type Settings } from './settings.ts';

/** A row of the generated table: how an operation is sent. A flag that is absent is false. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters?: { readonly [name: string]: 'path' | 'query' };
  readonly body?: 'required' | 'optional';
  /** The JSON type of a success; absent when it has no body. */
  readonly result?: 'array' | 'object' | 'any';
  /** Has a `cursor` query parameter and a `Link` response header. */
  readonly pages?: boolean;
  /** Has an `Idempotency-Key` header parameter; `'given'`: sent only if the caller gives one. */
  readonly idempotencyKey?: true | 'given';
  readonly stability?: 'experimental' | 'beta';
}

/** One call, ready to be sent. */
export interface Outgoing extends ReturnType<typeof readArguments> {
  /** The cursor of an earlier page, which must not come again. */
  landmark?: string | undefined;
}

/** Smaller than openapi-fetch's, which handles parameter styles that the contract does not use. */
const pathSerializer = (path: string, values: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])));
export const serializers = { pathSerializer, querySerializer: createQuerySerializer() };

/** Builds a call from the arguments of a method: `(parameters?, body?, options?)`, each present only if the operation has it. */
export function readArguments(name: string, operation: Operation, args: readonly unknown[], settings: Settings) {
  const { parameters: places, path, idempotencyKey: keyed } = operation;
  const rest = [...args];
  const parameters = ((places && rest.shift()) || {}) as Record<string, unknown>;
  const body = operation.body && JSON.stringify(rest.shift());
  must(body !== undefined || operation.body !== 'required', `${name}: the body is missing`);
  const options = (rest[0] ?? {}) as IdempotentCallOptions;
  refuseUnknown(name, 'option', options, keyed ? [...CALL_OPTIONS, 'idempotencyKey'] : CALL_OPTIONS);
  const { signal, idempotencyKey = keyed === true ? uuid() : undefined } = options;
  must(!signal || (signal.throwIfAborted as unknown), `${name}: signal must be an AbortSignal`);
  const headers = mergeHeaders(name, settings.headers, options.headers);
  if (idempotencyKey !== undefined) {
    headers.set('Idempotency-Key', checkText(`${name}: idempotencyKey`, idempotencyKey));
  }
  if (body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  const limits = readLimits(options, settings);

  refuseUnknown(name, 'parameter', parameters, Object.keys(places ?? {}));
  const params = { path: {} as Record<string, unknown>, query: {} as Record<string, unknown> };
  for (const [key, place] of Object.entries(places ?? {})) {
    checkValue(`${name}: ${key}`, place, parameters[key]);
    params[place][key] = parameters[key];
  }
  const search = serializers.querySerializer(params.query);
  const url = settings.baseUrl + pathSerializer(path, params.path) + (search && `?${search}`);
  return { ...settings, ...operation, ...limits, signal, headers, idempotencyKey, name, params, body, url };
}

/** Builds a call from the arguments of `request()`. Refuses a path outside `baseUrl`, which would get the API key. */
export function readRequest(args: readonly unknown[], settings: Settings): Outgoing {
  const [method, path, options = {}] = args as [string, string, RequestOptions?];
  const { query = {}, body, ...rest } = options;
  must(/^(?!(connect|trace)$)[a-z]+$/i.test(method), 'request: fetch cannot send this method');
  must(body === undefined || !/^(get|head)$/i.test(method), `request: ${method} has no body`);
  must(
    /^\/[^?#{}]*$/.test(path) && new URL(settings.baseUrl + path).href.startsWith(`${settings.baseUrl}/`),
    'request: the path must begin with /, stay below baseUrl and have no query',
  );
  const parameters = Object.fromEntries(Object.keys(query).map((key) => [key, 'query' as const]));
  return readArguments(
    `${method} ${path}`,
    { method: method.toUpperCase(), path, parameters, body: 'optional', result: 'any', idempotencyKey: 'given' },
    [query, body, rest],
    settings,
  );
}

/** Checks a parameter. In the path, `.`, `..` and an empty value would name another resource. */
function checkValue(name: string, place: 'path' | 'query', value: unknown): void {
  const inPath = typeof value !== 'boolean' && isScalar(value) && !/^\.{0,2}$/.test(String(value));
  const inQuery = value === undefined || isScalar(value) || (Array.isArray(value) && value.every(isScalar));
  if (place === 'path') must(inPath, `${name} must be a safe number or a non-empty string other than "." and ".."`);
  else must(inQuery, `${name} must be a string, a safe number or a boolean`);
}

function isScalar(value: unknown): boolean {
  // An unsafe integer may have been rounded: it would name another animal.
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  // A lone surrogate cannot be encoded as UTF-8 (RFC 3629).
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
  return typeof value === 'boolean';
}

/** A UUID; random bits in a page that was not loaded over https; undefined without any source of randomness. */
function uuid(): string | undefined {
  const { crypto } = globalThis;
  return crypto?.randomUUID?.() ?? crypto?.getRandomValues(new Uint32Array(4)).join('-');
}
