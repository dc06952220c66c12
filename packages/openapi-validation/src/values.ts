import type { FastifyRequest } from 'fastify';
import { MAX_ERRORS } from './field-errors.ts';
import { below, fieldError, inWords, NOT_FOUND, RequestError } from './reasons.ts';

/** A text of a request that is wrong. */
interface Wrong {
  /** The JSON pointer to it or, for the name of a field, to the object that has it. */
  pointer: string;
  isName: boolean;
}

/** The failure for texts that cannot be stored or sent: NUL, which Postgres refuses, and lone surrogates, which UTF-8 lacks. */
export function textFailure(request: FastifyRequest): RequestError | undefined {
  const { params, query, body } = request;
  if (isClean(params) && isClean(query) && isClean(body)) return undefined;
  // There is no such resource.
  if (!isClean(params)) return new RequestError(404, NOT_FOUND);
  const wrong = [...wrongIn('/query', query), ...wrongIn('/body', body)];
  const errors = wrong
    .slice(0, MAX_ERRORS)
    .map(({ pointer, isName }) =>
      fieldError(pointer, `${isName ? 'has a field whose name ' : ''}contains an invalid character`),
    );
  const [first] = errors;
  return first && new RequestError(400, `${inWords(first.pointer)} ${first.message}`, errors);
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

function* wrongIn(pointer: string, value: unknown): Generator<Wrong> {
  if (typeof value === 'string' && !isStorable(value)) yield { pointer, isName: false };
  if (!isTree(value)) return;
  for (const name in value)
    if (isStorable(name)) yield* wrongIn(below(pointer, name), value[name]);
    else yield { pointer, isName: true };
}
