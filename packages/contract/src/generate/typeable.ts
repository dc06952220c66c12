import { mapValues, rebuild } from '@petstore-platform/openapi';
import { type Document, partsOf, resolve, type Schema } from '../contract.ts';

/** Keywords that say which values there are, and not only limit them. */
const TYPED = ['type', '$ref', 'properties', 'allOf', 'oneOf', 'anyOf', 'enum', 'const', 'items', 'prefixItems'].concat(
  ['additionalProperties', 'patternProperties', 'x-extensible-enum'],
);

const isTyped = (schema: unknown) => TYPED.some((key) => Object.hasOwn(Object(schema), key));

/** Makes a function that writes the schemas of a document, or one of them, in the keywords that openapi-typescript understands. */
export function typeableIn(document: Document): <Value>(value: Value, kind: 'document' | 'schema') => Value {
  const each = <Value>(value: Value, kind: string, change: (schema: Schema) => Schema): Value =>
    rebuild(value, kind, (one, of) => {
      // openapi-typescript does not know the media types among the components of OpenAPI 3.2.
      return of === 'schema' ? change(one) : of === 'media' ? resolve(document, one) : one;
    });
  const plain = each(document, 'document', withoutNotes);
  return (value, kind) => each(each(value, kind, withoutNotes), kind, (schema) => composed(plain, schema));
}

/** The values of a discriminator are also in its alternatives, and definitions are no fields. */
function withoutNotes({ discriminator: _, $defs: __, const: only, ...rest }: Schema): Schema {
  const schema: Schema =
    only === undefined ? rest : { ...rest, ...(only === null ? { enum: [null] } : { const: only }) };
  // Parts that only require fields say the same beside the others.
  const bare = (schema.allOf ?? []).filter((part) => !isTyped(part));
  if (bare.length === 0) return schema;
  const required = new Set([schema, ...bare].flatMap((part) => Object(part).required ?? []));
  return { ...schema, required: [...required], allOf: (schema.allOf ?? []).filter((part) => !bare.includes(part)) };
}

function composed(document: Document, { anyOf, oneOf, ...schema }: Schema): Schema {
  const { required = [], properties = {}, allOf = [] } = schema;
  const missing = required.filter((name) => !Object.hasOwn(properties, name));
  const isObject = schema.type === 'object' || schema.properties || allOf.length > 0;
  const parts = [...allOf];
  const whole: Schema = { ...schema };
  // Fields that are required here, and described in a part or nowhere.
  if (missing.length > 0 && isObject) {
    const described = fieldsOf(document, schema, missing);
    if (allOf.length > 0) parts.push(described);
    else whole.properties = { ...properties, ...described.properties };
    if (allOf.length > 0) whole.required = required.filter((name) => !missing.includes(name));
  }
  // openapi-typescript takes `anyOf` as further values beside the other keywords.
  const lists = [anyOf, oneOf].flatMap((list) => {
    const alternatives = list?.map((part) => withFields(document, schema, part));
    return alternatives?.every(isTyped) ? [alternatives] : [];
  });
  const [first, second] = lists;
  if (first) whole.oneOf = first;
  if (second) parts.push({ oneOf: second });
  if (parts.length > 0) whole.allOf = parts;
  else delete whole.allOf;
  const { additionalProperties, patternProperties } = whole;
  // A field with an index signature gets a type of its own, to which its other parts are added here.
  if ((parts.length > 0 || first) && whole.properties && (additionalProperties || patternProperties)) {
    const object = { type: 'object', properties: whole.properties, required: whole.required } as const;
    const { properties: _, required: __, additionalProperties: ___, patternProperties: ____, ...others } = whole;
    return { ...others, allOf: [{ ...object, additionalProperties, patternProperties } as Schema, ...parts] };
  }
  return whole;
}

/** An alternative that only requires fields of the whole, with their schemas. */
function withFields(document: Document, whole: Schema, part: Schema): Schema {
  const { required } = Object(part);
  return isTyped(part) || !Array.isArray(required) ? part : fieldsOf(document, whole, required);
}

/** An object of the named fields of a schema. */
function fieldsOf(document: Document, schema: Schema, names: string[]): Schema {
  const found = Object.fromEntries(names.map((name) => [name, {}]));
  const properties = mapValues(found, (_, name) => fieldOf(document, schema, name) ?? {});
  return { type: 'object', required: names, properties };
}

/** The schema of a field, in the schema itself or in its parts. */
function fieldOf(document: Document, schema: Schema, name: string): Schema | undefined {
  const parts = partsOf(document, schema);
  const described = parts.find(({ properties = {} }) => Object.hasOwn(properties, name));
  if (described) return described.properties?.[name] as Schema;
  return parts.map(({ additionalProperties: others }) => others).find((others) => typeof others === 'object') as Schema;
}
