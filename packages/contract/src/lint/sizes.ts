import { type Document, isObject, resolve, type SchemaOrBoolean } from '@petstore-platform/openapi';

/** The most that an operation may ask for: a body is in memory as a whole, unless it is bytes or a form that its handler streams. */
export const LARGEST_BODY = 64 * 2 ** 20;
export const LARGEST_STREAM = 2 ** 40;

/** A number or a literal takes about this many characters. */
const SCALAR = 8;

/**
 * The characters of the largest value that a schema limits by itself, as by `maxLength`. A part without a limit counts as empty: it says
 * nothing about the size that its author expects.
 */
export function sizeOf(document: Document, schema: SchemaOrBoolean | undefined, within: unknown[] = []): number {
  const target: SchemaOrBoolean | undefined = resolve(document, schema);
  if (!isObject(target) || within.includes(target)) return 0;
  const size = (each: SchemaOrBoolean | undefined) => sizeOf(document, each, [...within, target]);
  const {
    type,
    enum: values,
    maxLength,
    maxItems,
    items,
    properties = {},
    allOf = [],
    oneOf = [],
    anyOf = [],
  } = target;
  const types = [type].flat();
  if (Array.isArray(values)) return Math.max(0, ...values.map((one) => JSON.stringify(one)?.length ?? 0));
  const parts = [
    types.includes('string') ? (maxLength ?? 0) : 0,
    types.includes('array') ? (maxItems ?? 0) * (size(items) + 1) : 0,
    Object.entries<SchemaOrBoolean>(properties).reduce((sum, [name, one]) => sum + name.length + 4 + size(one), 0),
    ...allOf.map(size),
    Math.max(0, ...[...oneOf, ...anyOf].map(size)),
  ];
  const total = parts.reduce((sum, one) => sum + one, 0);
  return total > 0 || types.includes('string') ? total : SCALAR;
}
