import { hash } from 'node:crypto';
import { _, type Ajv2020, type CodeKeywordDefinition, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { isMultiple } from './numbers.ts';

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Keywords whose work grows with the value and no faster, whatever a client sends. Those of Ajv compare pairs of items, call methods of
 * the value by name (`valueOf`), or divide binary fractions.
 */
export function addKeywords(ajv: Ajv2020): void {
  const contains = ajv.getKeyword('contains') as CodeKeywordDefinition;
  ajv.removeKeyword('contains').addKeyword({
    ...contains,
    code: (context) => {
      context.setParams({ min: context.parentSchema.minContains ?? 1, max: context.parentSchema.maxContains });
      // Ajv takes the result of the list before for that of an empty one.
      if (context.parentSchema.minContains !== 0) context.fail(_`${context.data}.length === 0`);
      contains.code(context);
    },
  });
  for (const keyword of ['uniqueItems', 'multipleOf', 'const', 'enum']) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, items: unknown[]) =>
      !isUnique || new Set(items.map(identityOf)).size === items.length,
    error: { message: 'must not have equal items' },
  });
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    compile: (divisor: number) => (value: number) => isMultiple(value, divisor),
    error: { message: ({ schema }) => `must be a multiple of ${schema}` },
  });
  ajv.addKeyword({
    keyword: 'const',
    compile: (only: unknown) => (value: unknown) => isEqual(only, value),
    error: { message: ({ schema }) => `must be ${JSON.stringify(schema)}` },
  });
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    compile: (values: unknown[]) => {
      const [simple, objects] = [new Set(values), values.filter(isObject)];
      return (value: unknown) => simple.has(value) || (isObject(value) && objects.some((each) => isEqual(each, value)));
    },
    error: {
      params: ({ schemaCode }) => _`{ allowedValues: ${schemaCode} }`,
      message: 'must be one of the known values',
    },
  });
  ajv.addKeyword({
    keyword: 'x-read-only-fields',
    type: 'object',
    schemaType: 'array',
    modifying: true,
    before: 'maxProperties',
    validate: readOnlyFields,
  });
}

/** Refuses the fields that only responses have or, with `x-read-only: ignore` beside it, removes them. */
const readOnlyFields = Object.assign(
  (names: string[], value: Record<string, unknown>, schema: Record<string, unknown> = {}): boolean => {
    const sent = names.filter((name) => Object.hasOwn(value, name));
    if (schema['x-read-only'] === 'ignore') for (const name of sent) delete value[name];
    else if (sent.length > 0) {
      const [readOnlyField] = sent;
      readOnlyFields.errors = [{ keyword: 'x-read-only-fields', params: { readOnlyField }, message: 'is read-only' }];
      return false;
    }
    return true;
  },
  { errors: [] as Partial<ErrorObject>[] },
);

/** Whether a value equals one of the contract. The work is bounded by the contract's. */
function isEqual(expected: unknown, value: unknown): boolean {
  if (!isObject(expected) || !isObject(value)) return expected === value;
  if (Array.isArray(expected) !== Array.isArray(value)) return false;
  const names = Object.keys(expected);
  if (names.length !== Object.keys(value).length) return false;
  return names.every((name) => Object.hasOwn(value, name) && isEqual(expected[name as never], value[name as never]));
}

/** Digests of the objects of requests: the same for equal ones. */
const digests = new WeakMap<object, string>();

/** The same text for equal JSON values. No object is read twice, although it may be a part of items at many levels. */
function identityOf(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value);
  const digested = digests.get(value);
  if (digested !== undefined) return digested;
  const part = (name: string) => `${JSON.stringify(name)}:${identityOf(value[name as never])}`;
  const parts = Array.isArray(value)
    ? `[${value.map(identityOf).join()}]`
    : `{${Object.keys(value).sort().map(part).join()}}`;
  const digest = hash('sha256', parts);
  digests.set(value, digest);
  return digest;
}

/**
 * Makes a validator remember its result for each object. A recursive schema with several alternatives would else validate a value once
 * for each way that leads to it: with two of them, 2^n times at depth n.
 *
 * @param isRecursive - whether the schema of a `$ref` may lead to itself
 * @param find - finds the validator of a `$ref`
 */
export function rememberRecursion(
  ajv: Ajv2020,
  isRecursive: (ref: string) => boolean,
  find: (ref: string) => ValidateFunction,
): void {
  const plain = ajv.getKeyword('$ref') as CodeKeywordDefinition;
  const remembering = new Map<string, ValidateFunction>();
  const code: CodeKeywordDefinition['code'] = (context) => {
    const ref: string = context.schema;
    if (!isRecursive(ref)) return plain.code(context);
    const validator = remembering.get(ref) ?? remembered(() => find(ref));
    remembering.set(ref, validator);
    callRef(context, context.gen.scopeValue('validate', { ref: validator }), undefined, false);
  };
  ajv.removeKeyword('$ref').addKeyword({ ...plain, code });
}

interface Context {
  /** The pointer to the value. */
  instancePath: string;
}

function remembered(find: () => ValidateFunction): ValidateFunction {
  const results = new WeakMap<object, ReturnType<typeof resultOf>>();
  const remembering = (value: unknown, context: Context = { instancePath: '' }): boolean => {
    const earlier = isObject(value) ? results.get(value) : undefined;
    const result = earlier ?? resultOf(find(), value, context);
    if (isObject(value) && !earlier) results.set(value, result);
    // Ajv's code changes what it is given. It would also add up the failures of all ways.
    const { isValid, error, props, items } = result;
    Object.assign(remembering, {
      errors: error ? [{ ...error, instancePath: context.instancePath + error.instancePath }] : null,
      evaluated: { props: isObject(props) ? { ...props } : props, items },
    });
    return isValid;
  };
  return remembering as ValidateFunction;
}

/** The result of a validation, with a pointer from the value, which may be validated as a part of another one. */
function resultOf(validate: ValidateFunction, value: unknown, context: Context) {
  const isValid = validate(value, context as never);
  const { errors, evaluated } = validate;
  const [first] = errors ?? [];
  const error = first && { ...first, instancePath: first.instancePath.slice(context.instancePath.length) };
  return { isValid, error, props: evaluated?.props, items: evaluated?.items };
}
