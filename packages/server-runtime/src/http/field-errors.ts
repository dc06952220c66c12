import type { ErrorObject } from 'ajv';
import type { Ajv2020, AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { FieldError } from '../contract.ts';

/** The levels of a body. Functions that call themselves for each level, as those of JSON, would overflow the stack. */
export const LEVELS = 100;
/** The most failures that are listed for a request. */
export const MOST = 20;
/** The most characters of a pointer. The names in it may be the client's; a longer pointer ends at an enclosing value. */
const LONGEST = 256;

/**
 * Lists the failures of a value, at most twenty. Ajv's own `allErrors` has no limit: a client could fill the memory with failures. Here
 * every part of the value is validated by itself, up to its first failure, so that it costs no more than a value of which only the last
 * part fails.
 *
 * @param pointer - of the value (RFC 6901)
 */
export function fieldErrors(ajv: Ajv2020, schema: AnySchemaObject, value: unknown, pointer: string): FieldError[] {
  const found = new Map<string, FieldError>();
  const add = (at: string, message: string) => {
    const pointer = clip(at);
    found.set(`${pointer} ${message}`, { pointer, message });
  };
  const visit = (schema: AnySchemaObject, value: unknown, at: string): void => {
    if (found.size >= MOST) return;
    const alternative = isSplit(schema) ? alternativeOf(schema, value) : undefined;
    if (alternative?.schema) visit(alternative.schema, value, at);
    else if (alternative) {
      const { tag, known } = alternative;
      add(below(at, tag), Object.hasOwn(value as object, tag) ? `must be one of ${known.join(', ')}` : 'is required');
    }
    const validate = validatorOf(ajv, schema, alternative !== undefined);
    if (!validate(value)) {
      const [{ instancePath, ...error }] = validate.errors as [ErrorObject];
      const { path, reason } = reasonOf(error);
      add(at + instancePath + path, reason);
    }
    if (!isSplit(schema)) return;
    for (const part of schema.allOf ?? []) visit(part, value, at);
    if (typeof value !== 'object' || value === null) return;
    const required: string[] = Array.isArray(value) ? [] : (schema.required ?? []);
    for (const name of required) if (!Object.hasOwn(value, name)) add(below(at, name), 'is required');
    for (const name in value) {
      if (found.size >= MOST) return;
      const part = Array.isArray(value) ? schema.items : partOf(schema, name);
      if (part === false) add(below(at, name), 'is unknown');
      else if (part) visit(part, value[name as never], below(at, name));
    }
  };
  visit(schema, value, pointer);
  return [...found.values()].slice(0, MOST);
}

/** Whether the parts of a value can be validated by themselves. These keywords need the whole value. */
const isSplit = ({ unevaluatedProperties, unevaluatedItems, prefixItems, patternProperties }: AnySchemaObject) =>
  [unevaluatedProperties, unevaluatedItems, prefixItems, patternProperties].every((keyword) => keyword === undefined);

function partOf({ properties = {}, additionalProperties }: AnySchemaObject, name: string): AnySchemaObject | boolean {
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}

/**
 * Finds the alternative (of `oneOf` or `anyOf`) that an object names by its tag, a property with a `const` or an `enum` in each of them.
 * Without it, the failures would be those of the first alternative. An unknown tag has no schema.
 */
function alternativeOf({ oneOf, anyOf }: AnySchemaObject, value: unknown) {
  const all: AnySchemaObject[] = oneOf ?? anyOf ?? [];
  const alternatives = all.filter(({ type }) => type !== 'null');
  const tag = Object.keys(alternatives[0]?.properties ?? {}).find((name) =>
    alternatives.every((each) => tagsOf(each, name).length > 0),
  );
  if (tag === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const schema = alternatives.find((each) => tagsOf(each, tag).includes((value as Record<string, unknown>)[tag]));
  return { schema, tag, known: alternatives.flatMap((each) => tagsOf(each, tag)) };
}

const tagsOf = ({ properties }: AnySchemaObject, name: string): unknown[] => {
  const { const: only, enum: values = only === undefined ? [] : [only] } = properties?.[name] ?? {};
  return values;
};

const validators = new WeakMap<object, ValidateFunction>();

/** Validates a value without its parts. Each validator is compiled at the first failure. */
function validatorOf(ajv: Ajv2020, schema: AnySchemaObject, isTagged: boolean): ValidateFunction {
  const { properties, required, additionalProperties, items, allOf, ...rest } = schema;
  const { oneOf, anyOf, ...untagged } = rest;
  const key = isTagged ? (oneOf ?? anyOf) : schema;
  const validator = validators.get(key) ?? ajv.compile(isTagged ? untagged : isSplit(schema) ? rest : schema);
  validators.set(key, validator);
  return validator;
}

/** A part of a pointer (RFC 6901, section 3). */
export const below = (pointer: string, name: string) =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A pointer that ends at an enclosing value if it is too long. */
export const clip = (pointer: string) =>
  pointer.length > LONGEST ? pointer.slice(0, pointer.lastIndexOf('/', LONGEST)) : pointer;

/** The reason why a value fails, with the name of a field that is missing or unknown. */
export function reasonOf({ keyword, params, message = '' }: Pick<ErrorObject, 'keyword' | 'params' | 'message'>) {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params;
  const field = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const path = field === undefined ? '' : below('', field);
  return { field, path, reason: REASONS[keyword]?.(params) ?? message };
}

/** A pattern that only says which characters a text has, as `^[^<>]*$`. */
const CHARACTERS = /^\^(?:\(\?![^()]*\))?\[(?:\\.|[^\]\\])*\][*+]\$$/;

const atLeast = (limit: number, noun: string) =>
  limit === 1 ? 'must not be empty' : `must have at least ${limit} ${noun}`;

const REASONS: Record<string, (params: ErrorObject['params']) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is unknown',
  unevaluatedProperties: () => 'is unknown',
  enum: ({ allowedValues }) => `must be one of ${allowedValues.join(', ')}`,
  pattern: ({ pattern }) =>
    CHARACTERS.test(pattern) ? 'contains an invalid character' : `must match pattern "${pattern}"`,
  minLength: ({ limit }) => atLeast(limit, 'characters'),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => atLeast(limit, 'items'),
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minProperties: ({ limit }) => atLeast(limit, 'properties'),
  type: ({ type }) => `must be ${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`,
};
