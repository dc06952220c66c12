import type { FastifyRequest } from 'fastify';
import { MAX_ERRORS } from './field-errors.ts';
import { keyOf } from './operation.ts';
import { below, fieldError, inWords, NOT_FOUND, RequestError } from './reasons.ts';

type Parts = Pick<FastifyRequest, 'params' | 'query' | 'headers' | 'body' | 'routeOptions'>;

/** A value of a request, or the name of a field. */
export interface Value {
  /** The JSON pointer to the value, or to the object that has the field. */
  pointer: string;
  value: unknown;
  isName?: true;
}

/** The failure for texts that cannot be stored or sent: NUL, which Postgres refuses, and lone surrogates, which UTF-8 lacks. */
export function textFailure(request: FastifyRequest): RequestError | undefined {
  const { params, query, body } = request;
  if (isClean(params) && isClean(query) && isClean(body)) return undefined;
  const wrong = [...valuesOf(request)].filter(({ value }) => typeof value === 'string' && !isStorable(value));
  return refusal(wrong, (isName) => `${isName ? 'has a field whose name' : ''} contains an invalid character`.trim());
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

/** Arrays, and objects that are no files or streams. */
const isTree = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return (
    Array.isArray(value) || prototype === null || prototype.constructor === undefined || prototype === Object.prototype
  );
};

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (!isTree(value)) return true;
  const isArray = Array.isArray(value);
  for (const name in value) if (!(isArray || isStorable(name)) || !isClean(value[name])) return false;
  return true;
}

/** All values of a request that its operation declares, and the names of fields. */
export function* valuesOf({ params, query, headers, body, routeOptions }: Parts): Generator<Value> {
  const parameters = routeOptions.config.openapi?.parameters ?? [];
  const declared = parameters.filter(({ in: place }) => place === 'header' || place === 'cookie').map(keyOf);
  yield* inside('/path', params);
  yield* inside('/query', query);
  yield* inside('/header', Object.fromEntries(declared.map((name) => [name, headers[name]])));
  yield* inside('/body', body);
}

function* inside(pointer: string, value: unknown): Generator<Value> {
  if (!isTree(value)) {
    if (value !== undefined) yield { pointer, value };
    return;
  }
  for (const name in value) {
    if (!Array.isArray(value)) yield { pointer, value: name, isName: true };
    if (isStorable(name)) yield* inside(below(pointer, name), value[name]);
  }
}

/** The failure for values that are wrong: 404 where one is in the path, as there is no such resource, otherwise 400. */
export function refusal(wrong: Value[], reasonOf: (isName?: true) => string): RequestError {
  const errors = wrong.slice(0, MAX_ERRORS).map(({ pointer, isName }) => fieldError(pointer, reasonOf(isName)));
  const [first] = errors;
  if (!first || wrong.some(({ pointer }) => pointer.startsWith('/path'))) return new RequestError(404, NOT_FOUND);
  return new RequestError(400, `${inWords(first.pointer)} ${first.message}`, errors);
}
