import type { CallOptions } from '../options.ts';
import { checkPathValue, checkQueryValue } from './values.ts';

/** A row of the generated table: how an operation is sent. */
export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';
  readonly path: string;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  readonly body: boolean;
}

/**
 * Sorts the arguments of a method: `(parameters?, body?, options?)`, each there only if the operation has it.
 *
 * @throws TypeError that names the operation and the parameter
 */
export function readArguments(name: string, operation: Operation, args: readonly unknown[]) {
  const { pathParameters, queryParameters } = operation;
  const rest = [...args];
  const parameters = pathParameters.length + queryParameters.length > 0 ? (rest.shift() ?? {}) : {};
  const body = operation.body ? rest.shift() : undefined;
  const { signal } = (rest[0] ?? {}) as CallOptions;

  if (typeof parameters !== 'object') throw new TypeError(`${name}: the parameters must be an object`);
  if (operation.body && body === undefined) throw new TypeError(`${name}: the body is missing`);

  const params = { path: {} as Record<string, unknown>, query: {} as Record<string, unknown> };
  const given = new Map<string, unknown>(Object.entries(parameters));
  for (const key of pathParameters) params.path[key] = checkPathValue(`${name}: ${key}`, given.get(key));
  for (const [key, value] of given) {
    if (queryParameters.includes(key)) params.query[key] = checkQueryValue(`${name}: ${key}`, value);
    else if (!pathParameters.includes(key)) throw new TypeError(`${name}: unknown parameter ${JSON.stringify(key)}`);
  }
  return { params, body, signal };
}
