import type { AnySchemaObject } from 'ajv/dist/2020.js';

const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;
/** Keywords with which a contract itself says which other fields an object takes. A `$ref` is left only in a recursive schema. */
const OPEN = [
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'if',
  'dependentSchemas',
  '$ref',
] as const;

/**
 * Closes the schema of a body: its objects take no field that the contract does not name, unless it says so by `additionalProperties`.
 * Otherwise a handler that passes a body on, as to `set(body)`, would let clients change any column.
 */
export function closed(schema: AnySchemaObject): AnySchemaObject {
  const fields = fieldsOf(schema);
  const others = fields && fields.length > 0 && { additionalProperties: false };
  const named = others && Object.fromEntries(fields.map((name) => [name, {}]));
  const { properties, ...copy } = closedBelow(schema);
  return { ...copy, ...((named || properties) && { properties: { ...named, ...properties } }), ...others };
}

/**
 * Closes the schemas of the values in an object or array. The parts in `allOf` and its like stay open, as their fields belong to the
 * whole.
 */
function closedBelow(schema: AnySchemaObject): AnySchemaObject {
  const copy = { ...schema };
  for (const key of PARTS) if (copy[key]) copy[key] = copy[key].map(closedBelow);
  for (const key of ['items', 'additionalProperties']) if (typeof copy[key] === 'object') copy[key] = closed(copy[key]);
  if (copy.properties)
    copy.properties = Object.fromEntries(
      Object.entries<AnySchemaObject>(copy.properties).map(([name, value]) => [name, closed(value)]),
    );
  return copy;
}

/** The fields that an object may have. Undefined if it is open. */
function fieldsOf(schema: AnySchemaObject): string[] | undefined {
  if (OPEN.some((key) => schema[key] !== undefined)) return undefined;
  const parts = PARTS.flatMap<AnySchemaObject>((key) => schema[key] ?? []).map(fieldsOf);
  if (parts.includes(undefined)) return undefined;
  return [...Object.keys(schema.properties ?? {}), ...parts.flatMap((names) => names ?? [])];
}
