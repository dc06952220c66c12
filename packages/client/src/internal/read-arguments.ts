import { createFinalURL, serializeArrayParam, serializePrimitiveParam } from 'openapi-fetch';
import type { IdempotentCallOptions } from '../call.ts';
import type { Operation } from './operation.ts';
import { checkPathValue, checkQueryValue } from './values.ts';

// The styles that the contract uses: `simple` in the path, exploded `form` in the query. openapi-fetch's serializers for
// whole requests know every style and would add a tenth to the size of this package.
const pathSerializer = (path: string, values: Record<string, unknown>) =>
  path.replace(/{([^}]+)}/g, (_, name) => encodeURIComponent(String(values[name])));
const querySerializer = (values: Record<string, unknown>) =>
  Object.entries(values)
    .map(([name, value]) =>
      Array.isArray(value)
        ? serializeArrayParam(name, value, { style: 'form', explode: true })
        : serializePrimitiveParam(name, value as string),
    )
    .filter(Boolean)
    .join('&');

/**
 * The arguments of a method, `(parameters?, body?, options?)`, each there only if the operation has it, as what is sent.
 *
 * @throws TypeError that names the operation and the parameter
 */
export function readArguments(name: string, operation: Operation, args: readonly unknown[], baseUrl: string) {
  const places = new Map(Object.entries(operation.parameters ?? {}));
  const rest = [...args];
  const parameters = places.size > 0 ? (rest.shift() ?? {}) : {};
  const body = operation.body && JSON.stringify(rest.shift());
  const options = (rest[0] ?? {}) as IdempotentCallOptions;

  if (typeof parameters !== 'object') throw new TypeError(`${name}: the parameters must be an object`);
  if (operation.body === 'required' && body === undefined) throw new TypeError(`${name}: the body is missing`);
  const { signal, idempotencyKey } = options;
  if (signal && !(signal.addEventListener as unknown)) throw new TypeError(`${name}: signal must be an AbortSignal`);
  if (idempotencyKey !== undefined && !/^[!-~]+$/.test(idempotencyKey)) {
    throw new TypeError(`${name}: idempotencyKey must be a non-empty string of visible ASCII characters`);
  }

  const params = { path: {} as Record<string, unknown>, query: {} as Record<string, unknown> };
  const given = new Map<string, unknown>(Object.entries(parameters));
  for (const key of given.keys()) {
    if (!places.has(key)) throw new TypeError(`${name}: unknown parameter ${JSON.stringify(key)}`);
  }
  for (const [key, place] of places) {
    const check = place === 'path' ? checkPathValue : checkQueryValue;
    params[place][key] = check(`${name}: ${key}`, given.get(key));
  }
  return {
    url: createFinalURL(operation.path, { baseUrl, params, querySerializer, pathSerializer }),
    body,
    options,
  };
}
