/** A schema of JSON Schema that is an object. A boolean schema has nothing to close. */
type Schema = object;

/** A schema that refuses properties which it does not declare, at any depth: `unevaluatedProperties: false`. */
export function closed(schema: Schema): Schema {
  return typeof schema === 'object' ? { unevaluatedProperties: false, ...closedWithin(schema) } : schema;
}

/**
 * Closes the schemas of the values within a value, but not of the value itself: a part of an `allOf` does not know the properties
 * of the other parts. The schema that uses it is closed instead.
 */
export function closedWithin(schema: Schema): Schema {
  if (typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !DATA.test(keyword))
      .map(([keyword, value]) => [keyword, KEYWORDS[keyword]?.(value) ?? value]),
  );
}

/** Keywords with data. Ajv would take an `$id` in them for that of a schema. */
const DATA = /^(examples?$|x-(?!extensible-enum$))/;

const all = (change: (schema: Schema) => Schema) => (schemas: Schema[]) => schemas.map(change);

const each = (change: (schema: Schema) => Schema) => (schemas: Record<string, Schema>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));

/** Keywords with schemas. `not` and `if` keep theirs: stricter conditions would change what they select. */
// biome-ignore lint/suspicious/noExplicitAny: the value of a keyword is a schema, a list or a map of schemas
const KEYWORDS: Record<string, (value: any) => unknown> = {
  properties: each(closed),
  patternProperties: each(closed),
  additionalProperties: closed,
  items: closed,
  prefixItems: all(closed),
  // The schemas of these keywords apply to the same value.
  allOf: all(closedWithin),
  anyOf: all(closedWithin),
  oneOf: all(closedWithin),
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
  then: closedWithin,
  else: closedWithin,
  dependentSchemas: each(closedWithin),
};
