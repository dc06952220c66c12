/** Brings a normalized document to one notation without fields that have no effect, so that comparators need no special cases. */
import { MIMEType } from 'node:util';
import {
  type Document,
  originOf,
  patternOf,
  READ_ONLY_FIELDS,
  rebuild,
  refTo,
  resolve,
  schemaIn,
  TYPES,
} from '@petstore-platform/openapi';
import { setOf } from './words.ts';

const PLAIN = setOf('string number integer boolean null');

// biome-ignore lint/suspicious/noExplicitAny: untyped YAML
type Value = Record<string, any>;

const FREE = 'additionalProperties unevaluatedItems unevaluatedProperties propertyNames';

/** Fields that have no effect with certain values, each with the reason. */
const IDLE: [kinds: string, fields: string, isIdle: (value: unknown) => boolean, why: string][] = [
  ['schema', 'uniqueItems readOnly writeOnly deprecated', (value) => value === false, 'the default'],
  ['parameter header operation', 'deprecated allowReserved allowEmptyValue', (value) => value === false, 'the default'],
  ['parameter header body', 'required', (value) => value === false, 'the default'],
  ['schema', 'required allOf', (value) => Array.isArray(value) && value.length === 0, 'an empty list requires nothing'],
  ['schema', 'dependentRequired dependentSchemas patternProperties', isEmpty, 'an empty map requires nothing'],
  ['schema', FREE, (value) => value === true || isEmpty(value), 'allows any value'],
  ['schema', 'minLength minItems minProperties', (value) => value === 0, 'no value is shorter'],
  ['schema', 'pattern', (value) => value === '' || value === '.*', 'matches any text'],
  ['schema', READ_ONLY_FIELDS, () => true, 'the fields are absent from the properties, too'],
  ['document', 'webhooks x-webhooks', isEmpty, 'the default'],
  ['operation', 'callbacks', isEmpty, 'the default'],
  ['media', 'encoding', isEmpty, 'the default'],
  ['server', 'variables', isEmpty, 'the default'],
  ['response', 'headers content links', isEmpty, 'the default'],
];

/** Fields of a schema that the reading leaves out with certain values. They are compared as written. */
const LEFT_OUT: [fields: string, isLeftOut: (value: unknown) => boolean][] = [
  ['$id $schema $anchor $dynamicAnchor', () => true],
  ['enum required', (value) => !Array.isArray(value)],
  ['type', (value) => [value].flat().some((type) => !TYPES.includes(String(type)))],
  ['pattern', (value) => !isPattern(String(value))],
];

/** Functions by kind of object that replace equivalent notations in a copy. Each comment gives the reason. */
const RULES: Record<string, (value: Value, document: Document) => void> = {
  document(value) {
    // OpenAPI 3.0 has no `webhooks`, so Redocly and others read `x-webhooks`.
    move(value, 'x-webhooks', 'webhooks', value['x-webhooks']);
  },
  schema(value, document) {
    const origin = originOf(value)?.value;
    // The reading copies that of the root to each request.
    if (origin?.['x-read-only'] === undefined) delete value['x-read-only'];
    for (const [fields, isLeftOut] of LEFT_OUT)
      for (const field of fields.split(' '))
        if (origin?.[field] !== undefined && isLeftOut(origin[field])) value[field] ??= origin[field];
    // OpenAPI 3.1 replaces the format (section "Migrating binary descriptions from OAS 3.0").
    if (value.format === 'byte') move(value, 'format', 'contentEncoding', 'base64');
    // In the same section: bytes that are not encoded.
    if (value.contentMediaType === 'application/octet-stream' && value.contentEncoding === undefined)
      move(value, 'contentMediaType', 'format', 'binary');
    // Null is the only value of its type.
    const isNull = value.const === null || (value.enum?.length === 1 && value.enum[0] === null);
    if (isNull && (value.type === undefined || [value.type].flat().includes('null'))) {
      for (const key of ['const', 'enum']) delete value[key];
      value.type = 'null';
    }
    const list: unknown[] = Array.isArray(value.enum) ? value.enum : [value.const];
    // In JSON Schema, a multiple of 1 is an integer, and so is 1.0 (JSON Schema 2020-12, section 4.2.3).
    const isInteger = (one: unknown) => Number.isInteger(one) || typeof one === 'bigint';
    const hasIntegers = list.some(isInteger) && list.every((one) => typeof one !== 'number' || isInteger(one));
    if ((value.multipleOf === 1 || hasIntegers) && /integer|number/.test(String(value.type))) {
      if (value.multipleOf === 1) delete value.multipleOf;
      value.type = [value.type].flat().map((type) => (type === 'number' ? 'integer' : type));
    }
    // JSON has two booleans, so a list of both is their type (JSON Schema 2020-12, section 4.2.1).
    const isBoolean =
      list.includes(true) && list.includes(false) && list.every((one) => /true|false|null/.test(`${one}`));
    if (isBoolean && (value.type === undefined || /^boolean(,null)?$|^null,boolean$/.test(`${value.type}`))) {
      const isOrNull = list.includes(null) && `${value.type}` !== 'boolean';
      value.type = isOrNull ? ['boolean', 'null'] : 'boolean';
      delete value.enum;
    }
    // The order of types has no meaning, and a list of one type is that type.
    if (Array.isArray(value.type)) {
      const types = [...new Set(value.type)].sort((a, b) => (a === 'null' ? 1 : b === 'null' || a < b ? -1 : 1));
      value.type = types.length === 1 ? types[0] : types;
    }
    // A dependent name is one that the dependent schema requires (section 6.5.4).
    for (const [name, required] of Object.entries(Object(value.dependentRequired))) {
      if (!Array.isArray(required)) continue;
      const { [name]: schema } = Object(value.dependentSchemas);
      value.dependentSchemas = {
        ...value.dependentSchemas,
        [name]: schema ? { allOf: [schema, { required }] } : { required },
      };
    }
    delete value.dependentRequired;
    // JSON Schema ignores `then` and `else` without `if`, and `if` without both.
    if (value.if === undefined) for (const key of ['then', 'else']) delete value[key];
    else if (value.then === undefined && value.else === undefined) delete value.if;
    // A length limit has no effect if all listed values meet it.
    const lengths = list.map((one) => (typeof one === 'string' ? [...one].length : Number.NaN));
    if (lengths.every((length) => length <= value.maxLength)) delete value.maxLength;
    if (lengths.every((length) => length >= value.minLength)) delete value.minLength;
    // `minProperties` has no effect if at least as many properties are required.
    const required = Array.isArray(value.required) ? new Set(value.required) : new Set();
    if (value.minProperties <= required.size) delete value.minProperties;
    // Generators and readers take a schema with `properties` alone for an object.
    const others = /"(type|\$ref|allOf|oneOf|anyOf|enum|const|items|format|pattern)"/;
    if (value.properties !== undefined && !others.test(keysIn(value))) value.type = 'object';
    flatten(value);
    discriminate(value, document);
  },
  operation(value, document) {
    // The order of parameters has no meaning. Those of the path come first once they are in the operation.
    const keyOf = (one: Value) => {
      const { in: where, name } = resolve(document, one) ?? {};
      return `${where} ${name}`;
    };
    if (Array.isArray(value.parameters)) value.parameters.sort((a: Value, b: Value) => (keyOf(a) < keyOf(b) ? -1 : 1));
  },
  parameter(value, document) {
    // A path has all its parameters (Parameter Object).
    if (value.in === 'path') value.required = true;
    // Parameter Object: `style` and `explode` have these defaults, and no effect on plain values.
    const usual = value.in === 'query' || value.in === 'cookie' ? 'form' : 'simple';
    const types = [resolve(document, value.schema)?.type].flat();
    const isPlain = types.every((type) => PLAIN.has(String(type)));
    if (value.explode === ((value.style ?? usual) === 'form') || isPlain) delete value.explode;
    if (value.style === usual) delete value.style;
  },
};

/**
 * A media type in one notation: the order of parameters, quotes, spaces and the case of all but values have no meaning (RFC 9110,
 * sections 5.6.6 and 8.3.1). JSON is always UTF-8 (RFC 8259, section 8.1), and so is text by default (RFC 6838, section 4.2.1).
 */
function mediaType(written: string): string {
  try {
    const { essence, params } = new MIMEType(written);
    const charset = params.get('charset')?.toLowerCase();
    if (charset !== undefined) params.set('charset', charset);
    if (/^utf-?8$/.test(`${charset}`) && /^text\/|^application\/(.+\+)?json$/.test(essence)) params.delete('charset');
    return [essence, ...[...params].map((one) => one.join('=')).sort()].join('; ');
  } catch {
    return written;
  }
}

/** Makes nested choices one: those of `anyOf`, and those of `oneOf` if the types of the alternatives differ, or beside null alone. */
function flatten(value: Value): void {
  for (const keyword of ['anyOf', 'oneOf']) {
    const nested = (one: Value) => (keysIn(one) === `["${keyword}"]` ? one[keyword] : [one]);
    const list: Value[] = Array.isArray(value[keyword]) ? value[keyword] : [];
    const flat = list.flatMap(nested);
    const types = flat.map((one: Value) => one?.type);
    const isDisjoint = types.every((type: unknown) => typeof type === 'string') && new Set(types).size === types.length;
    const isNumber = types.includes('number') && types.includes('integer');
    const isOrNull = list.filter((one) => one?.type !== 'null').length === 1;
    if (flat.length > list.length && (keyword === 'anyOf' || isOrNull || (isDisjoint && !isNumber)))
      value[keyword] = flat;
  }
}

/** The reading writes the values of a discriminator into its alternatives. They are compared as its mapping. */
function discriminate(value: Value, document: Document): void {
  const schemas: Value = document.components?.schemas ?? {};
  const tags: Value = {};
  for (const keyword of ['oneOf', 'anyOf'].filter((one) => Array.isArray(value[one])))
    value[keyword] = value[keyword].map((one: Value) => {
      const [base, tag] = one?.allOf ?? [];
      if (!tag || originOf(tag) || originOf(base) !== originOf(one)) return one;
      const [{ const: only, enum: all = [only] }] = Object.values<Value>(tag.properties) as [Value];
      const origin = originOf(schemas[schemaIn(base.$ref) ?? '']);
      // A view of a schema is named like the schema.
      const name = Object.keys(schemas).find((each) => originOf(schemas[each]) === origin);
      for (const each of all) tags[each] = refTo(name as string);
      return base;
    });
  if (Object.keys(tags).length > 0) value.discriminator = { ...originOf(value)?.value.discriminator, mapping: tags };
  // Discriminator Object: schemas are mapped by their names implicitly, and a mapping may give a name or a reference.
  const entries = Object.entries<string>(Object(value.discriminator?.mapping));
  const refs = entries.map(([key, target]) => [key, /[#/:]/.test(target) ? target : refTo(target)] as const);
  const mapping = Object.fromEntries(refs.filter(([key, target]) => target !== refTo(key)));
  if (entries.length > 0)
    value.discriminator = { ...value.discriminator, mapping: isEmpty(mapping) ? undefined : mapping };
}

const isPattern = (text: string) => patternOf(text) !== undefined;

const keysIn = (value: unknown) => JSON.stringify(Object.keys(Object(value)));

function isEmpty(value: unknown): boolean {
  return keysIn(value) === '[]' && typeof value === 'object' && !Array.isArray(value);
}

function move(value: Value, from: string, to: string, moved: unknown): void {
  if (value[from] === undefined) return;
  delete value[from];
  value[to] ??= moved;
}

export function notation(document: Document): Document {
  return rebuild(document, 'document', (value, kind) => {
    for (const [kinds, fields, isIdle] of IDLE)
      for (const field of kinds.split(' ').includes(kind) ? fields.split(' ') : [])
        if (value[field] !== undefined && isIdle(value[field])) delete value[field];
    RULES[kind === 'header' ? 'parameter' : kind]?.(value, document);
    for (const type of kind === 'media' ? [] : Object.keys(Object(value.content)))
      if (value.content[mediaType(type)] === undefined) move(value.content, type, mediaType(type), value.content[type]);
    return value;
  });
}
