import type { AnySchema, AnySchemaObject, ErrorObject } from 'ajv/dist/2020.js';
import { isObject } from './keywords.ts';
import { regExp } from './patterns.ts';
import { below, type FieldError, fieldError, MAX_POINTER, oneOf, reasonOf } from './reasons.ts';
import { type Compiler, isKeyed, propertiesOf } from './schemas.ts';

/** The most failures that are listed for a request. */
export const MAX_ERRORS = 20;

/**
 * Lists the failures of a value, at most twenty. Ajv's own `allErrors` has no limit: a client could fill the memory with failures. Here
 * every part of the value is validated by itself, up to its first failure, so that it costs no more than a value of which only the last
 * part fails.
 *
 * @param pointer - of the value (RFC 6901)
 * @returns none if the value is valid, or fails only as a whole that this does not see
 */
export function fieldErrors(compiler: Compiler, schema: AnySchema, value: unknown, pointer: string): FieldError[] {
  const found = new Map<string, FieldError>();
  const add = (at: string, message: string) => {
    const error = fieldError(at, message);
    found.set(`${error.pointer} ${message}`, error);
  };
  /** Adds the first failure of the value as a whole. */
  const addFirst = (schema: AnySchema, value: unknown, at: string) => {
    const validate = compiler.compile(schema);
    if (validate(value)) return;
    const errors = validate.errors as ErrorObject[];
    // The failures before it are those of the single items.
    const error = errors.find(({ schemaPath }) => schemaPath === '#/contains') ?? (errors[0] as ErrorObject);
    const { path, reason } = reasonOf(error);
    add(at + error.instancePath + path, reason);
  };
  const visit = (schema: AnySchema, value: unknown, at: string): void => {
    if (found.size >= MAX_ERRORS || schema === true) return;
    if (!isKeyed(schema)) return void add(at, 'is not allowed');
    const before = found.size;
    const alternative = alternativeOf(compiler, schema, value);
    if (alternative?.schema) visit(alternative.schema, value, at);
    else if (alternative) {
      const { tag, tags } = alternative;
      add(below(at, tag), Object.hasOwn(value as object, tag) ? oneOf(tags) : 'is required');
    }
    addFirst(withoutParts(schema, alternative !== undefined), value, at);
    for (const part of [...(schema.$ref === undefined ? [] : [compiler.resolve(schema)]), ...(schema.allOf ?? [])])
      if (part !== schema) visit(part, value, at);
    if (isObject(value)) visitParts(schema, value, at);
    // The unevaluated properties depend on all keywords at once.
    if (found.size === before && (schema.unevaluatedProperties ?? schema.unevaluatedItems) !== undefined)
      addFirst(schema, value, at);
  };
  const visitParts = (schema: AnySchemaObject, value: object, at: string): void => {
    const required: string[] = Array.isArray(value) ? [] : (schema.required ?? []);
    for (const name of required) if (!Object.hasOwn(value, name)) add(below(at, name), 'is required');
    for (const name in value) {
      if (found.size >= MAX_ERRORS) return;
      // A pointer that is longer is cut.
      const place = at.length > MAX_POINTER ? at : below(at, name);
      const isReadOnly = (schema['x-read-only-fields'] ?? []).includes(name);
      for (const part of Array.isArray(value) ? itemOf(schema, name) : partsOf(schema, name))
        if (part !== UNKNOWN_FIELD) visit(part, value[name as never], place);
        else add(place, isReadOnly ? 'is read-only' : 'is unknown');
    }
  };
  visit(schema, value, pointer);
  return [...found.values()].slice(0, MAX_ERRORS);
}

/** Stands for a field that no keyword names, although the object takes no other. */
const UNKNOWN_FIELD = Symbol('rest');

function partsOf(schema: AnySchemaObject, name: string): (AnySchema | typeof UNKNOWN_FIELD)[] {
  const { properties = {}, patternProperties = {}, additionalProperties = true } = schema;
  const patterns = Object.keys(patternProperties).filter((pattern) => regExp(pattern).test(name));
  const parts = patterns.map((pattern) => patternProperties[pattern]);
  if (Object.hasOwn(properties, name)) parts.push(properties[name]);
  return parts.length > 0 ? parts : [additionalProperties === false ? UNKNOWN_FIELD : additionalProperties];
}

const itemOf = ({ prefixItems = [], items = true }: AnySchemaObject, index: string): AnySchema[] => [
  prefixItems[index] ?? items,
];

const withouts = [new WeakMap<object, AnySchemaObject>(), new WeakMap<object, AnySchemaObject>()] as const;

/** The keywords of a schema for the value without its parts. The same object for the same schema. */
function withoutParts(schema: AnySchemaObject, isTagged: boolean): AnySchemaObject {
  const cache = withouts[isTagged ? 1 : 0];
  const { $ref, allOf, properties, required, additionalProperties, patternProperties, ...rest } = schema;
  const { items, prefixItems, unevaluatedProperties, unevaluatedItems, ...whole } = rest;
  const { oneOf, anyOf, ...untagged } = whole;
  const copy = cache.get(schema) ?? (isTagged ? untagged : whole);
  cache.set(schema, copy);
  return copy;
}

/**
 * Finds the alternative (of `oneOf` or `anyOf`) that an object names by its tag, a property with a `const` or an `enum` in each of them.
 * Without it, the failures would be those of the first alternative. An unknown tag has no schema.
 */
function alternativeOf(compiler: Compiler, { oneOf, anyOf }: AnySchemaObject, value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || (oneOf && anyOf)) return undefined;
  const all: AnySchema[] = oneOf ?? anyOf ?? [];
  const alternatives = all
    .map((schema) => ({ schema, fields: propertiesOf(compiler, schema, ['allOf']) }))
    .filter(({ schema }) => !isKeyed(schema) || schema.type !== 'null');
  const tag = Object.keys(alternatives[0]?.fields ?? {}).find((name) =>
    alternatives.every(({ fields }) => tagsOf(fields, name).length > 0),
  );
  if (tag === undefined) return undefined;
  const named = (value as Record<string, unknown>)[tag];
  const schema = alternatives.find(({ fields }) => tagsOf(fields, tag).includes(named))?.schema;
  return { schema, tag, tags: alternatives.flatMap(({ fields }) => tagsOf(fields, tag)) };
}

function tagsOf(fields: Record<string, AnySchema>, name: string): unknown[] {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!isKeyed(field)) return [];
  return field.enum ?? (field.const === undefined ? [] : [field.const]);
}
