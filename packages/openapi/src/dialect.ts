/** Schemas of OpenAPI 3.0, and of JSON Schema with several dialects and identifiers, in JSON Schema 2020-12. */
import type { Document } from './document.ts';
import { type Any, rebuild } from './objects.ts';
import { from, type Report } from './origin.ts';
import { patternOf } from './patterns.ts';
import { keysOf } from './pointers.ts';
import { at, freeName, isComponent, refTo } from './references.ts';

export const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** Keywords that limit no value. */
export const ANNOTATION =
  /^(title|summary|description|default|example|examples|deprecated|readOnly|writeOnly|externalDocs|xml|\$comment|x-.*)$/;
/** A schema for validators, to which an annotation with an `$id` would look like a schema. */
export const withoutAnnotations = (schema: Any): Any =>
  rebuild(schema, 'schema', (one) => Object.fromEntries(Object.entries(one).filter(([key]) => !ANNOTATION.test(key))));

/** Keywords that OpenAPI 3.0 ignores beside a `$ref`, although their authors mean them. */
const MEANT = /^(default|readOnly|writeOnly|nullable|description|deprecated|title|example|x-.*)$/;
const GENERIC = /^(schema|schemas|properties|items|components|content|allOf|anyOf|oneOf|\d+)$/;

/**
 * Makes a function that converts each schema of a document. Those within it are converted already.
 *
 * @param schemas - receives the schemas in the middle of the document to which a reference leads, as components
 */
export function converter(document: Document, schemas: Record<string, Any>, report: Report): (written: Any) => Any {
  const is30 = `${document.openapi}`.startsWith('3.0');
  const names = new Map<string, string>();

  /** A reference into the middle of the document becomes one to a component. Undefined, with a note, if it leads nowhere. */
  function named(ref: string, schema: Any): string | undefined {
    const existing = names.get(ref);
    if (existing !== undefined) return refTo(existing);
    const target = at(document, ref);
    if (target === undefined) {
      report('error', 'reference', schema, `$ref leads nowhere: ${ref}`);
      return undefined;
    }
    const words = keysOf(ref)
      .filter((key) => !GENERIC.test(key))
      .flatMap((key) => key.split(/[^A-Za-z0-9]+/));
    const base = words.map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join('') || 'Schema';
    const name = freeName(base, (one) => Object.hasOwn(schemas, one));
    names.set(ref, name);
    // The name is taken before the schema is converted, because it may contain itself.
    schemas[name] = true;
    schemas[name] = rebuild(target, 'schema', converted);
    return refTo(name);
  }

  function converted(written: Any): Any {
    const schema = { ...written };
    const tell: Tell = (key, message, level = 'warning') => report(level, 'dialect', written, message, key);
    if (typeof schema.$ref === 'string') {
      const isHere = isComponent(schema.$ref, 'schema') && at(document, schema.$ref) !== undefined;
      if (!isHere) schema.$ref = named(schema.$ref, schema);
      if (schema.$ref === undefined) delete schema.$ref;
    }
    const { nullable } = schema;
    delete schema.nullable;
    if (nullable !== undefined && !is30)
      tell('nullable', 'Write `type: [string, "null"]`: `nullable` is a keyword of OpenAPI 3.0. It is read so.');
    exclusiveBounds(schema, is30, tell);
    if (!Array.isArray(schema.enum)) delete schema.enum;
    else if (schema.enum.length > 0)
      schema.enum = [...new Map(schema.enum.map((one: unknown) => [keyOf(one), one])).values()];
    else {
      tell('enum', 'An empty `enum` admits no value.');
      delete schema.enum;
      schema.not = {};
    }
    if (schema.required !== undefined && !Array.isArray(schema.required)) {
      tell('required', '`required` is a list of names of properties. It is not read.');
      delete schema.required;
    }
    const unknown = [schema.type].flat().find((type) => type !== undefined && !TYPES.includes(type));
    if (unknown !== undefined) {
      tell('type', `JSON has no type \`${unknown}\`: write one of ${TYPES.join(', ')}.`, 'error');
      delete schema.type;
    }
    for (const key of ['$id', '$schema', '$anchor', '$dynamicAnchor']) delete schema[key];
    if (Array.isArray(schema.items)) {
      schema.prefixItems ??= schema.items;
      delete schema.items;
    }
    if (typeof schema.pattern === 'string') readPattern(schema, report);
    const whole = siblings(schema, is30, report);
    if (nullable !== true) return whole;
    // OpenAPI 3.0.3: the list has to name null, too.
    if (!schema.enum || schema.enum.includes(null)) return from(written, orNull(whole));
    tell('nullable', 'The `enum` does not list null, so that null is not admitted: add it, or remove `nullable`.');
    return whole;
  }
  return converted;
}

type Tell = (key: string, message: string, level?: 'error' | 'warning') => void;

const keyOf = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one));

/** In OpenAPI 3.0, an exclusive bound is a boolean beside the bound. */
function exclusiveBounds(schema: Any, is30: boolean, tell: Tell): void {
  for (const bound of ['minimum', 'maximum']) {
    const exclusive = bound.replace('m', 'exclusiveM');
    const isExclusive = schema[exclusive];
    if (typeof isExclusive !== 'boolean') continue;
    if (!is30) tell(exclusive, `Write the bound itself: a boolean \`${exclusive}\` is of OpenAPI 3.0. It is read so.`);
    delete schema[exclusive];
    if (!isExclusive || schema[bound] === undefined) continue;
    schema[exclusive] = schema[bound];
    delete schema[bound];
  }
}

function readPattern(schema: Any, report: Report): void {
  const pattern = patternOf(schema.pattern);
  if (pattern === schema.pattern) return;
  const isRead = pattern !== undefined;
  const message = isRead
    ? `The pattern is read as \`${pattern}\`: an expression with the flag \`u\` knows no other escapes.`
    : `\`${schema.pattern}\` is no regular expression of ECMAScript.`;
  report(isRead ? 'warning' : 'error', 'pattern', schema, message, 'pattern');
  if (isRead) schema.pattern = pattern;
  else delete schema.pattern;
}

/** `{ $ref, minLength }` → `{ allOf: [{ $ref }], minLength }`. Only annotations stay beside a `$ref`. */
function siblings(schema: Any, is30: boolean, report: Report): Any {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...rest } = schema;
  const ignored = is30 ? Object.keys(rest).filter((key) => !MEANT.test(key)) : [];
  const message = `Write \`allOf\`: OpenAPI 3.0 ignores ${ignored.join(', ')} beside a \`$ref\`.`;
  if (ignored.length > 0) report('warning', 'reference', schema, message);
  for (const key of ignored) delete rest[key];
  if (Object.keys(rest).every((key) => ANNOTATION.test(key))) return { ...rest, $ref };
  return { ...rest, allOf: [from(schema, { $ref }), ...(rest.allOf ?? [])] };
}

/** A schema that also admits null. */
function orNull(schema: Any): Any {
  const annotations = Object.fromEntries(Object.entries(schema).filter(([key]) => ANNOTATION.test(key)));
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !ANNOTATION.test(key)));
  if (schema.const === null || [schema.type].flat().includes('null')) return schema;
  const [list = '', ...others] = Object.keys(rest);
  if (others.length === 0 && /^(any|one)Of$/.test(list))
    return { ...schema, [list]: [...schema[list], { type: 'null' }] };
  const isComposed = ['$ref', 'allOf', 'oneOf', 'anyOf', 'not', 'if', 'const'].some((key) => schema[key] !== undefined);
  if (isComposed) return { ...annotations, anyOf: [from(schema, rest), { type: 'null' }] };
  return { ...schema, ...(schema.type !== undefined && { type: [schema.type, 'null'].flat() }) };
}
