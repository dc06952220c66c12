import type { Any } from './objects.ts';
import { from } from './origin.ts';
import { follow, partsOf, refTo, schemaIn } from './references.ts';

/**
 * Gives the alternatives of a discriminator their own values of its property, if their schemas do not, so that validators, types and
 * readers tell them apart by the same rule. A mapping is written for each alternative that is a component.
 */
export function withTags(schema: Any, schemas: Record<string, Any>): Any {
  const { discriminator, ...rest } = schema;
  const property = discriminator?.propertyName;
  const keyword = schema.oneOf ? 'oneOf' : 'anyOf';
  if (typeof property !== 'string' || !Array.isArray(schema[keyword])) return schema;
  const names: (string | undefined)[] = schema[keyword].map((one: Any) => schemaIn(Object(one).$ref));
  const valuesOf = new Map<string, string[]>();
  for (const [value, target] of Object.entries(Object(discriminator.mapping))) {
    const name = schemaIn(target) ?? `${target}`;
    valuesOf.set(name, [...(valuesOf.get(name) ?? []), value]);
  }
  const tags = names.map((name) => name && tagOf(schemas, { $ref: refTo(name) }, property));
  const allTags = tags.flatMap((tag) => tag ?? []);
  const isDistinct =
    tags.every((tag, index) => tag || names[index] === undefined) && new Set(allTags).size === allTags.length;
  const isMapped = names.every(
    (name, index) => !name || !valuesOf.has(name) || `${tags[index]}` === `${valuesOf.get(name)}`,
  );
  if (names.every((name) => name === undefined)) return schema;
  if (isDistinct && isMapped) {
    // Without a mapping, a reader would take the name of the schema for the value.
    const mapping = Object.fromEntries(
      names.flatMap((name, index) => [tags[index] ?? []].flat().map((tag) => [tag, name && refTo(name)])),
    );
    return { ...schema, discriminator: { ...discriminator, mapping } };
  }
  const alternatives = schema[keyword].map((one: Any, index: number) => {
    const name = names[index];
    if (name === undefined) return one;
    const type = typeOf(schemas, one, property);
    const fallback = tags[index]?.length === 1 ? tags[index] : [name];
    const values = valuesOf.get(name)?.map((text) => (type === 'string' ? text : parsed(text))) ?? fallback;
    const [value, ...others] = values;
    const tag = others.length === 0 ? { const: value } : { enum: [value, ...others] };
    return from(one, {
      allOf: [one, { type: 'object', required: [property], properties: { [property]: { type, ...tag } } }],
    });
  });
  return { ...rest, [keyword]: alternatives };
}

/** The values that a schema allows for a property. Undefined if it does not limit them. */
const tagOf = (schemas: Record<string, Any>, schema: Any, property: string): unknown[] | undefined =>
  fieldsOf(schemas, schema, property)
    .map(({ const: only, enum: values }) => (only === undefined ? values : [only]))
    .find((values) => Array.isArray(values) && values.length > 0);

/** The type of a property whose values a mapping has as text. */
const typeOf = (schemas: Record<string, Any>, schema: Any, property: string): string =>
  fieldsOf(schemas, schema, property).find(({ type }) => ['integer', 'number', 'boolean'].includes(type))?.type ??
  'string';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The schemas of a property in a schema and its parts. */
const fieldsOf = (schemas: Record<string, Any>, schema: Any, property: string): Any[] =>
  partsOf(schemas, schema).map(({ properties }) => Object(follow(schemas, Object(properties)[property])));
