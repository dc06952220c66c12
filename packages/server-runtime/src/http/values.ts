import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, NOT_FOUND } from '../errors.ts';
import { MOST } from './field-errors.ts';
import { below, fieldError, nameOf } from './reasons.ts';
import type {} from './request-state.ts';

type Parts = Pick<FastifyRequest, 'params' | 'query' | 'headers' | 'body' | 'raw'>;

/** A value of a request, or the name of a field. */
export interface Value {
  /** The JSON pointer to the value, or to the object that has the field. */
  pointer: string;
  value: unknown;
  isName?: true;
}

/**
 * Refuses texts that cannot be stored or sent, so that no contract has to: NUL, which Postgres refuses, and lone surrogates, which UTF-8
 * lacks. It does so after the validation, whose failures go first.
 */
export function registerValues(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const { params, query, body } = request;
    if (isClean(params) && isClean(query) && isClean(body)) return done();
    const wrong = [...valuesOf(request)].filter(({ value }) => typeof value === 'string' && !isStorable(value));
    done(refusal(wrong, (isName) => `${isName ? 'has a field whose name' : ''} contains an invalid character`.trim()));
  });
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
export function* valuesOf({ params, query, headers, body, raw }: Parts): Generator<Value> {
  const parameters = raw.state.operation?.parameters ?? [];
  const declared = parameters.flatMap(({ in: place, name }) => (place === 'header' ? [name.toLowerCase()] : []));
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
export function refusal(wrong: Value[], reasonOf: (isName?: true) => string): ApiError {
  const errors = wrong.slice(0, MOST).map(({ pointer, isName }) => fieldError(pointer, reasonOf(isName)));
  const [first] = errors;
  if (!first || wrong.some(({ pointer }) => pointer.startsWith('/path'))) return new ApiError(404, NOT_FOUND);
  return new ApiError(400, `${nameOf(first.pointer)} ${first.message}`, { errors });
}
