/** Schemas of OpenAPI 3.0, and of JSON Schema with several dialects and identifiers, in JSON Schema 2020-12. */
import type { Document } from './document.ts';
import type { Report } from './notes.ts';
import { type Any, type Change, isMap, rebuild } from './objects.ts';
import { from } from './origin.ts';
import { patternOf } from './patterns.ts';
import { keysOf } from './place.ts';
import { at, isComponent, refTo } from './references.ts';

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** Keywords that limit no value. */
export const ANNOTATION =
  /^(title|summary|description|default|example|examples|deprecated|readOnly|writeOnly|externalDocs|xml|\$comment|x-.*)$/;
/** Keywords that OpenAPI 3.0 ignores beside a `$ref`, although their authors mean them. */
const MEANT = /^(default|readOnly|writeOnly|nullable|description|deprecated|title|example|x-.*)$/;
const GENERIC = /^(schema|schemas|properties|items|components|content|allOf|anyOf|oneOf|\d+)$/;

/**
 * Makes a function that converts each object of a document.
 *
 * @param schemas - receives the schemas in the middle of the document to which a reference leads, as components
 */
export function converter(document: Document, schemas: Record<string, Any>, report: Report): Change {
  const is30 = `${document.openapi}`.startsWith('3.0');
  const names = new Map<string, string>();
  const change: Change = (value, kind) => (kind === 'schema' && isMap(value) ? converted(value) : value);

  /** A reference into the middle of the document becomes one to a component. */
  function named(ref: string, schema: Any): string {
    const known = names.get(ref);
    if (known !== undefined) return refTo(known);
    const target = at(document, ref);
    if (target === undefined) {
      report('error', 'reference', schema, `$ref leads nowhere: ${ref}`);
      return '';
    }
    const words = keysOf(ref)
      .filter((key) => !GENERIC.test(key))
      .flatMap((key) => key.split(/[^A-Za-z0-9]+/));
    const base = words.map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join('') || 'Schema';
    let name = base;
    for (let count = 2; Object.hasOwn(schemas, name); count += 1) name = `${base}${count}`;
    names.set(ref, name);
    // The name is taken before the schema is converted, because it may contain itself.
    schemas[name] = true;
    schemas[name] = rebuild(target, 'schema', change);
    return refTo(name);
  }

  function converted(written: Any): Any {
    const schema = { ...written };
    if (typeof schema.$ref === 'string') {
      const ref = isComponent(schema.$ref, 'schema') ? schema.$ref : named(schema.$ref, schema);
      if (ref === '' || (ref === schema.$ref && at(document, ref) === undefined)) {
        if (ref !== '') report('error', 'reference', schema, `$ref leads nowhere: ${ref}`);
        delete schema.$ref;
      } else schema.$ref = ref;
    }
    const { nullable } = schema;
    delete schema.nullable;
    if (nullable !== undefined && !is30)
      report(
        'warning',
        'dialect',
        written,
        'Write `type: [string, "null"]`: `nullable` is a keyword of OpenAPI 3.0. It is read so.',
        'nullable',
      );
    exclusiveBounds(schema, is30, report);
    if (!Array.isArray(schema.enum)) delete schema.enum;
    else if (schema.enum.length > 0)
      schema.enum = [...new Map(schema.enum.map((one: unknown) => [keyOf(one), one])).values()];
    else {
      report('warning', 'dialect', written, 'An empty `enum` admits no value.', 'enum');
      delete schema.enum;
      schema.not = {};
    }
    if (schema.required !== undefined && !Array.isArray(schema.required)) {
      report('warning', 'dialect', written, '`required` is a list of names of properties. It is not read.', 'required');
      delete schema.required;
    }
    const unknown = [schema.type].flat().find((type) => type !== undefined && !TYPES.includes(type));
    if (unknown !== undefined) {
      report('error', 'dialect', written, `JSON has no type \`${unknown}\`: write one of ${TYPES.join(', ')}.`, 'type');
      delete schema.type;
    }
    for (const key of ['$id', '$schema', '$anchor', '$dynamicAnchor']) delete schema[key];
    if (Array.isArray(schema.items)) {
      schema.prefixItems ??= schema.items;
      delete schema.items;
    }
    if (typeof schema.pattern === 'string') readPattern(schema, report);
    const whole = siblings(schema, is30, report);
    return nullable === true ? from(written, orNull(whole)) : whole;
  }
  return change;
}

const keyOf = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one));

/** In OpenAPI 3.0, an exclusive bound is a boolean beside the bound. */
function exclusiveBounds(schema: Any, is30: boolean, report: Report): void {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (!is30)
      report(
        'warning',
        'dialect',
        schema,
        `Write the bound itself: a boolean \`${exclusive}\` is of OpenAPI 3.0. It is read so.`,
        exclusive,
      );
    const isExclusive = schema[exclusive] && schema[bound] !== undefined;
    delete schema[exclusive];
    if (!isExclusive) continue;
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
  if (ignored.length > 0)
    report(
      'warning',
      'reference',
      schema,
      `Write \`allOf\`: OpenAPI 3.0 ignores ${ignored.join(', ')} beside a \`$ref\`.`,
    );
  for (const key of ignored) delete rest[key];
  if (Object.keys(rest).every((key) => ANNOTATION.test(key))) return { ...rest, $ref };
  return { ...rest, allOf: [from(schema, { $ref }), ...(rest.allOf ?? [])] };
}

/** A schema that also admits null. */
function orNull(schema: Any): Any {
  const annotations = Object.fromEntries(Object.entries(schema).filter(([key]) => ANNOTATION.test(key)));
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !ANNOTATION.test(key)));
  const other = { ...annotations, anyOf: [from(schema, rest), { type: 'null' }] };
  const isComposed = ['$ref', 'allOf', 'oneOf', 'anyOf', 'not', 'if'].some((key) => schema[key] !== undefined);
  const values = schema.enum ? { enum: schema.enum.includes(null) ? schema.enum : [...schema.enum, null] } : {};
  if (schema.const === null || [schema.type].flat().includes('null')) return { ...schema, ...values };
  if (schema.const !== undefined) return other;
  if (!isComposed && schema.type === undefined) return schema.enum ? { ...schema, ...values } : schema;
  if (!isComposed) return { ...schema, type: [...[schema.type].flat(), 'null'], ...values };
  const [list, ...others] = Object.keys(rest);
  if (others.length === 0 && (list === 'anyOf' || list === 'oneOf'))
    return { ...schema, [list]: [...schema[list], { type: 'null' }] };
  return other;
}
