import { isMap } from '@petstore-platform/openapi';
import { type Document, type Operation, partsOf, resolve, type Schema } from '../contract.ts';
import { fitIn } from '../fits.ts';

/** Values of formats. */
const FORMATS: Record<string, string> = {
  'date-time': '2026-01-01T12:00:00Z',
  date: '2026-01-01',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'ann@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/',
  url: 'https://example.com/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  byte: 'YQ==',
};

/**
 * Makes a function that gives the sample of an operation. An example that does not fit its schema is left out, because the server
 * would refuse it. In place of a missing one that is needed, a value is made of the examples, defaults and limits in the schema. What has
 * no value that fits its schema is missing.
 */
export function samplesFor(document: Document) {
  const fits = fitIn(document);
  const chosen = (schema: Schema, example: unknown, isNeeded: boolean) =>
    [example, isNeeded ? sampleValue(document, schema) : exampleIn(schema)].find(
      (one) => one !== undefined && fits(schema, one),
    );
  return ({ body, parameters }: Operation) => {
    const values = parameters.flatMap(({ name, schema, example, required }): [string, unknown][] => {
      const value = chosen(schema, example, required === true);
      return value === undefined ? [] : [[name, value]];
    });
    const sent = body && chosen(body.schema as Schema, body.example, true);
    return { parameters: Object.fromEntries(values) as Record<string, unknown>, body: sent };
  };
}

const exampleIn = ({ example, examples }: Schema): unknown => example ?? Object(examples)[0];

/** A value of a schema. Undefined if none is found. @param needed - fields that a schema around it requires */
export function sampleValue(
  document: Document,
  reference: Schema,
  within: unknown[] = [],
  needed: readonly string[] = [],
): unknown {
  const schema: Schema = Object(resolve(document, reference));
  // A value that contains itself ends where it may.
  if (within.includes(schema)) return undefined;
  const inner = (each: unknown) => sampleValue(document, each as Schema, [...within, schema]);
  const {
    default: usual,
    const: only,
    enum: values,
    'x-extensible-enum': extensible,
  } = schema as Schema & Record<string, unknown>;
  const example = exampleIn(schema) ?? usual ?? only ?? values?.[0] ?? Object(extensible)[0];
  if (example !== undefined) return example;
  const { properties, allOf = [], oneOf = [], anyOf = [], prefixItems = [], items, minItems = 0 } = schema;
  const { format = '', minLength = 0, maxLength = Infinity } = schema;
  const [alternative] = [...oneOf, ...anyOf];
  const all = [...needed, ...partsOf(document, schema).flatMap(({ required = [] }) => required)];
  const parts = [...allOf, ...(alternative ? [alternative] : [])].map((part) =>
    sampleValue(document, part as Schema, [...within, schema], all),
  );
  const [type] = [schema.type ?? (properties ? 'object' : undefined)].flat();
  if (type === 'object' || (type === undefined && parts.some(isMap))) {
    const fields = Object.entries<Schema>(properties ?? {}).flatMap(([name, field]): [string, unknown][] => {
      const isNeeded = all.includes(name) || exampleIn(Object(resolve(document, field))) !== undefined;
      const value = isNeeded && !field.readOnly ? inner(field) : undefined;
      return value === undefined ? [] : [[name, value]];
    });
    return Object.assign({}, ...parts.filter(isMap), Object.fromEntries(fields));
  }
  if (type === undefined) return parts.find((part) => part !== undefined);
  const length = Math.max(minItems, items ? 1 : 0);
  if (type === 'array') return Array.from({ length }, (_, index) => inner(prefixItems[index] ?? items ?? {}) ?? null);
  if (type === 'string') return FORMATS[format] ?? 'text'.padEnd(minLength, 'text').slice(0, maxLength);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  const {
    exclusiveMinimum,
    minimum = Number(exclusiveMinimum ?? -Infinity) + 1,
    maximum = Infinity,
    multipleOf = 1,
  } = schema;
  return Math.min(Math.max(multipleOf, minimum), maximum);
}
