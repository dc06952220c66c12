import { type Any, isMap } from './objects.ts';
import { from } from './origin.ts';
import { refTo, schemaIn } from './references.ts';

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
  const known = tags.flatMap((tag) => tag ?? []);
  const isDistinct =
    tags.every((tag, index) => tag || names[index] === undefined) && new Set(known).size === known.length;
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
    const [value, ...others] = valuesOf.get(name) ?? [name];
    const tag = others.length === 0 ? { const: value } : { enum: [value, ...others] };
    return from(one, {
      allOf: [one, { type: 'object', required: [property], properties: { [property]: { type: 'string', ...tag } } }],
    });
  });
  return { ...rest, [keyword]: alternatives };
}

/** The values that a schema allows for a property. Undefined if it does not limit them. */
function tagOf(
  schemas: Record<string, Any>,
  schema: Any,
  property: string,
  within: unknown[] = [],
): unknown[] | undefined {
  const found = follow(schemas, schema);
  if (!isMap(found) || within.includes(found)) return undefined;
  const { const: only, enum: values } = Object(follow(schemas, found.properties?.[property]));
  if (only !== undefined) return [only];
  if (Array.isArray(values) && values.length > 0) return values;
  for (const part of found.allOf ?? []) {
    const tags = tagOf(schemas, part, property, [...within, found]);
    if (tags) return tags;
  }
  return undefined;
}

/** Follows the references of a schema. */
export function follow(schemas: Record<string, Any>, schema: Any): Any {
  let found = schema;
  for (let depth = 0; depth < 100 && typeof found?.$ref === 'string'; depth += 1)
    found = schemas[schemaIn(found.$ref) ?? ''];
  return found;
}
