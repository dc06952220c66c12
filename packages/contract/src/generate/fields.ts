import { isObject, kindsOf, type SchemaOrBoolean } from '@petstore-platform/openapi';
import type { Fields } from '@petstore-platform/server-runtime/tools';
import { type Document, resolve, type Schema } from '../contract.ts';

/** The fields of a body, or those of its items if it is a list, as the server writes them from the columns of a query. */
export function fieldsOf(document: Document, body: SchemaOrBoolean): Fields {
  const schemas = document.components?.schemas ?? {};
  const top = whole(document, body);
  const { properties = {}, required = [] } = top.items === undefined ? top : whole(document, top.items as Schema);
  return Object.fromEntries(
    Object.entries<Schema | boolean>(properties).map(([name, schema]) => {
      const { type, format, enum: values } = whole(document, schema as Schema);
      const [only, ...others] = [type ?? []].flat().filter((each) => each !== 'null');
      const isOne = only !== undefined && others.length === 0;
      const field: Fields[string] = {
        required: required.includes(name),
        ...(isOne && { type: only }),
        ...(format && { format }),
        ...(values && { enum: values }),
        ...((schema === true || kindsOf(schemas, schema).has('null')) && { nullable: true }),
      };
      return [name, field];
    }),
  );
}

/** Whether a text may be the whole body. A handler gives one as it is, while that of an object is its JSON. */
export function mayBeText(document: Document, body: SchemaOrBoolean, within: unknown[] = []): boolean {
  const schema = resolve(document, body as Schema);
  if (!isObject(schema)) return schema !== false;
  if (within.includes(schema)) return false;
  const { type, enum: values, const: only, properties, items, allOf = [], oneOf, anyOf } = schema as Schema;
  const isText = (part: unknown) => mayBeText(document, part as SchemaOrBoolean, [...within, schema]);
  const isFitting =
    values?.some((one: unknown) => typeof one === 'string') ?? (only === undefined || typeof only === 'string');
  const isOpen =
    type === undefined ? properties === undefined && items === undefined : [type].flat().includes('string');
  return isFitting && isOpen && allOf.every(isText) && [oneOf, anyOf].every((all) => all?.some(isText) ?? true);
}

/** A schema with its parts. Of several alternatives, it has the fields. */
function whole(document: Document, reference: SchemaOrBoolean, within: unknown[] = []): Schema {
  const schema = resolve(document, reference as Schema);
  if (!isObject(schema) || within.includes(schema)) return {};
  const { allOf = [], oneOf = [], anyOf = [], ...rest } = schema as Schema;
  const each = (part: unknown) => whole(document, part as SchemaOrBoolean, [...within, schema]);
  const alternatives = [...oneOf, ...anyOf].map(each).filter(({ type }) => type !== 'null');
  const certain = [...allOf.map(each), ...(alternatives.length === 1 ? alternatives : []), rest];
  return Object.assign({}, ...certain, {
    required: certain.flatMap(({ required = [] }) => required),
    // A field may be named `__proto__`, which an assignment would not add.
    properties: Object.fromEntries(
      [...alternatives, ...certain].flatMap(({ properties = {} }) => Object.entries(properties)),
    ),
  });
}
