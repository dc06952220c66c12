import { mapParts } from '@petstore-platform/openapi';

/** A schema of JSON Schema that is an object. A boolean schema has nothing to close. */
type Schema = object;

/** Keywords with data. Ajv would take an `$id` in them for that of a schema. */
const DATA = /^(examples?$|x-(?!extensible-enum$))/;
/** Keywords with schemas. `not` and `if` keep theirs: stricter conditions would change what they select. */
const OF_PARTS = /^(properties|patternProperties|additionalProperties|items|prefixItems)$/;
const OF_THE_SAME_VALUE = /^(allOf|anyOf|oneOf|then|else|dependentSchemas)$/;

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
  const kept = Object.entries(schema).filter(([keyword]) => !DATA.test(keyword));
  return mapParts(Object.fromEntries(kept), 'schema', (part, _, keyword) =>
    OF_PARTS.test(keyword) ? closed(part) : OF_THE_SAME_VALUE.test(keyword) ? closedWithin(part) : part,
  );
}
