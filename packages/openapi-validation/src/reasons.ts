import type { ErrorObject } from 'ajv';

/** A value that fails, for forms. */
export interface FieldError {
  /** The JSON pointer to it (RFC 6901), below `/body`, `/query` or `/header`. */
  pointer: string;
  message: string;
}

/** A request that is refused. Fastify answers it with the status; an error handler may add `errors`. */
export class RequestError extends Error {
  readonly statusCode: 400 | 404 | 415;
  /** The values that fail: at most twenty. Undefined if the request fails as a whole. */
  readonly errors: FieldError[] | undefined;

  /** @param message - sent to the client */
  constructor(statusCode: RequestError['statusCode'], message: string, errors?: FieldError[]) {
    super(message);
    this.statusCode = statusCode;
    this.errors = errors;
  }
}

/** The failure of a part as a whole: 400. */
export const wholeError = (part: 'body' | 'query', message: string) =>
  new RequestError(400, `${part} ${message}`, [{ pointer: `/${part}`, message }]);

export const NOT_FOUND = 'The requested resource could not be found';

/** The most characters of a pointer. The names in it may be the client's; a longer pointer ends at an enclosing value. */
export const MAX_POINTER = 256;

/** A failure of the value at a pointer (RFC 6901). */
export function fieldError(at: string, message: string): FieldError {
  return { pointer: at.length > MAX_POINTER ? at.slice(0, at.lastIndexOf('/', MAX_POINTER)) : at, message };
}

/** A name as a part of a pointer (RFC 6901, section 3). */
export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
export const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

export const below = (pointer: string, name: string) => `${pointer}/${escapePointer(name)}`;

/** The nouns in messages for the parts of a request. */
const NOUNS: Record<string, string> = { query: 'query parameter ', header: 'header ', body: 'body.' };

/** The value at a pointer in words, or its field. */
export function inWords(pointer: string, field?: string): string {
  const [, part = '', ...names] = pointer.split('/');
  const noun = NOUNS[part] ?? '';
  if (field !== undefined) names.push(quote(field));
  return names.length > 0 ? noun + names.join('.') : noun.slice(0, -1);
}

/** Shortens a name chosen by the client. */
export function quote(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}

/** The reason why a value fails, with the name of a field that is missing, unknown, read-only or has a wrong name. */
export function reasonOf({ keyword, params, message = '', propertyName }: Omit<ErrorObject, 'schemaPath'>) {
  const { missingProperty, additionalProperty, unevaluatedProperty, readOnlyField } = params;
  const field: string | undefined =
    missingProperty ?? additionalProperty ?? unevaluatedProperty ?? readOnlyField ?? propertyName;
  return { field, path: field === undefined ? '' : below('', field), reason: REASONS[keyword]?.(params) ?? message };
}

/** A pattern that only says which characters a text has, as `^[^<>]*$`. */
const CHARACTERS = /^\^(?:\(\?![^()]*\))?\[(?:\\.|[^\]\\])*\][*+]\$$/;

const atLeast = (limit: number, noun: string) =>
  limit === 1 ? 'must not be empty' : `must have at least ${limit} ${noun}`;

const REASONS: Record<string, (params: ErrorObject['params']) => string> = {
  required: () => 'is required',
  dependentRequired: ({ property }) => `is required beside ${property}`,
  additionalProperties: () => 'is unknown',
  unevaluatedProperties: () => 'is unknown',
  'false schema': () => 'is not allowed',
  enum: ({ allowedValues }) => oneOf(allowedValues),
  pattern: ({ pattern }) =>
    CHARACTERS.test(pattern) ? 'contains an invalid character' : `must match pattern "${pattern}"`,
  minLength: ({ limit }) => atLeast(limit, 'characters'),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => atLeast(limit, 'items'),
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minProperties: ({ limit }) => atLeast(limit, 'properties'),
  type: ({ type }) => `must be ${/^[aeio]/.test(type) ? 'an' : 'a'} ${[type].flat().join(' or ')}`,
};

/** The known values in words. Objects are written as JSON. */
export const oneOf = (values: unknown[]) =>
  `must be one of ${values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : `${value}`)).join(', ')}`;
