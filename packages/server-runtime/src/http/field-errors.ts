import type { ErrorObject } from 'ajv';
import type { Ajv2020, AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { FieldError } from '../contract.ts';

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
    const pointer = at.length > LONGEST ? at.slice(0, at.lastIndexOf('/', LONGEST)) : at;
    found.set(`${pointer} ${message}`, { pointer, message });
  };
  const visit = (schema: AnySchemaObject, value: unknown, at: string): void => {
    if (found.size >= MOST) return;
    const validate = validatorOf(ajv, schema);
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

const validators = new WeakMap<AnySchemaObject, ValidateFunction>();

/** Validates a value without its parts. Each validator is compiled at the first failure. */
function validatorOf(ajv: Ajv2020, schema: AnySchemaObject): ValidateFunction {
  const { properties, required, additionalProperties, items, allOf, ...rest } = schema;
  const validator = validators.get(schema) ?? ajv.compile(isSplit(schema) ? rest : schema);
  validators.set(schema, validator);
  return validator;
}

/** A part of a pointer (RFC 6901, section 3). */
export const below = (pointer: string, name: string) =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The reason why a value fails, with the name of a field that is missing or unknown. */
export function reasonOf({ keyword, params, message = '' }: Pick<ErrorObject, 'keyword' | 'params' | 'message'>) {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params;
  const field = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const path = field === undefined ? '' : below('', field);
  return { field, path, reason: REASONS[keyword]?.(params) ?? message };
}

const REASONS: Record<string, (params: ErrorObject['params']) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is unknown',
  unevaluatedProperties: () => 'is unknown',
  enum: ({ allowedValues }) => `must be one of ${allowedValues.join(', ')}`,
  pattern: () => 'contains an invalid character',
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minProperties: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} properties`),
  type: ({ type }) => `must be ${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`,
};
