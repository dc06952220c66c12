import { invariant, refuseUnknown } from './checks.ts';
import type { Init, Operation, Params } from './operation.ts';
import type { IdempotentCallOptions, RequestOptions } from './options.ts';
import { METHOD_OPTIONS } from './settings.ts';

/** Reads the arguments of a method, `(parameters?, body?, options?)`, each present only if the operation has it. */
export function readArguments(name: string, operation: Operation, args: readonly unknown[], cursor?: string): Init {
  const places = operation.parameters;
  const rest = [...args];
  const parameters = ((places && rest.shift()) || {}) as Record<string, unknown>;
  const body = operation.body && rest.shift();
  const options = (rest[0] ?? {}) as IdempotentCallOptions;
  refuseUnknown(name, 'option', options, METHOD_OPTIONS, operation.options);
  refuseUnknown(name, 'parameter', parameters, places);
  const params: { [place: string]: { [name: string]: unknown } } = { path: {}, query: {} };
  // The names are those given, because every object inherits others, such as `constructor`.
  for (const [key, value] of Object.entries(cursor ? { ...parameters, cursor } : parameters)) {
    const place = (places as NonNullable<typeof places>)[key] as 'query';
    params[place] = { ...params[place], [key]: value };
  }
  return { ...options, params, body };
}

/** The name and row of an operation that is not in the table. */
export function unlisted(method: string, path: string): [name: string, operation: Operation] {
  const sent = { method, path, body: 'optional', result: 'any' } as const;
  return [`${method} ${path}`, { ...sent, notFound: true, idempotencyKey: 'given' }];
}

/** Reads the arguments of `request()`. */
export function readRequest(args: readonly unknown[]): [name: string, operation: Operation, init: Init] {
  const [method, path, { query = {}, body, ...options } = {}] = args as [string, string, RequestOptions?];
  const [name, operation] = unlisted(method, path);
  return [name, operation, { ...readArguments(name, operation, [body, options]), params: { query } }];
}

/** Refuses parameters that openapi-fetch would send wrongly, or to another resource. */
export function checkParameters(name: string, operation: Operation, params: Params, baseUrl: string): void {
  const { path, idempotencyKey } = operation;
  const { path: inPath = {}, query = {} } = params;
  // The operation is not in the table. A path that leads out of `baseUrl` would send the API key to another service.
  if (idempotencyKey === 'given') {
    const below = /^\/[^?#]*$/.test(path) && new URL(baseUrl + path).href.startsWith(`${baseUrl}/`);
    invariant(below, `${name}: the path must stay below baseUrl, without a query`);
  }
  const check = (key: string, valid: boolean, more = '') =>
    invariant(valid, `${name}: ${key} must be a string, a boolean or a safe number${more}`);
  for (const [, key = ''] of path.matchAll(/\{([^{}]*)\}/g)) {
    const value = inPath[key];
    invariant(value !== undefined, `${name}: ${key} is missing or empty`);
    // In the path, `.`, `..` and an empty value would name another resource.
    check(key, isScalar(value) && !/^\.{0,2}$/.test(`${value}`), ', not empty, "." or ".."');
  }
  for (const [key, value] of Object.entries(query))
    check(key, value === undefined || [key, value].flat().every(isScalar));
}

/** Encodes the names of a query, because openapi-fetch encodes only the values. */
export function encodeNames(query: Params['query'] = {}): NonNullable<Params['query']> {
  const encode = (name: string) => name.replace(/[^\w.[\]-]/gu, encodeURIComponent);
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [encode(name), value]));
}

export function isScalar(value: unknown): boolean {
  // An unsafe integer may have been rounded: it would name another resource.
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53;
  // A lone surrogate cannot be encoded as UTF-8 (RFC 3629).
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
  return typeof value === 'boolean';
}
