/** Brings a contract to one notation without fields that have no effect, so that comparators need no special cases. */
import { isDeepStrictEqual } from 'node:util';
import { Place, type Source } from '@repo/openapi';
import { groupBy, setOf } from './words.ts';

const PLAIN = setOf('string number integer boolean null');
/** The objects for which a Reference Object may stand. */
const REFERABLE = setOf('parameter header body response callback');

/** The kinds of objects in the fields of each object of OpenAPI. `[]` is a list of them, `{}` a map, and `*` any other field. */
const OBJECTS = kindsIn(`
  document: paths path{} webhooks path{} components components servers server[]
  components: schemas schema{} responses response{} parameters parameter{} requestBodies body{} headers header{} callbacks callback{} pathItems path{}
    securitySchemes scheme{} links link{} examples example{}
  path: * operation additionalOperations operation{} parameters parameter[] servers server[] summary - description - $ref -
  operation: parameters parameter[] requestBody body responses responses callbacks callback{} servers server[]
  callback: * path
  responses: * response
  response: headers header{} content media{} links link{}
  parameter: schema schema content media{} examples example{}
  header: schema schema content media{} examples example{}
  body: content media{}
  media: schema schema itemSchema schema encoding encoding{} examples example{}
  encoding: headers header{}
  schema: allOf schema[] oneOf schema[] anyOf schema[] prefixItems schema[] $defs schema{} dependentSchemas schema{} patternProperties schema{}
    properties schema{} additionalProperties schema contains schema contentSchema schema else schema if schema items schema not schema
    propertyNames schema then schema unevaluatedItems schema unevaluatedProperties schema
`);

function kindsIn(text: string): Record<string, Record<string, string>> {
  const objects: Record<string, Record<string, string>> = {};
  let kinds: Record<string, string> = {};
  let field = '';
  for (const word of text.trim().split(/\s+/)) {
    if (word.endsWith(':')) {
      // The object inherits nothing, because a contract may have any field, such as `constructor`.
      kinds = Object.create(null);
      objects[word.slice(0, -1)] = kinds;
    } else if (field === '') field = word;
    else {
      kinds[field] = word;
      field = '';
    }
  }
  return objects;
}

// biome-ignore lint/suspicious/noExplicitAny: untyped YAML
type Value = Record<string, any>;

interface Context {
  is30: boolean;
  /** Follows a `$ref`. */
  resolve(value: Value): Value;
}

/** Fields that have no effect with certain values, each with the reason. */
const IDLE: [kinds: string, fields: string, isIdle: (value: unknown) => boolean, why: string][] = [
  ['schema', 'uniqueItems readOnly writeOnly deprecated nullable', (value) => value === false, 'the default'],
  ['parameter header operation', 'deprecated allowReserved allowEmptyValue', (value) => value === false, 'the default'],
  ['header body', 'required', (value) => value === false, 'the default'],
  ['parameter', 'required', (value) => value === false, 'the default'],
  ['schema', 'required allOf', (value) => isDeepStrictEqual(value, []), 'an empty list requires nothing'],
  ['schema', 'dependentRequired dependentSchemas patternProperties', isEmpty, 'an empty map requires nothing'],
  ['schema', 'additionalProperties unevaluatedItems unevaluatedProperties propertyNames', isAny, 'allows any value'],
  ['schema', 'minLength minItems minProperties', (value) => value === 0, 'no value is shorter'],
  ['schema', 'pattern', (value) => value === '' || value === '.*', 'matches any text'],
  ['document', 'webhooks x-webhooks', isEmpty, 'the default'],
  ['operation', 'callbacks', isEmpty, 'the default'],
  ['media', 'encoding', isEmpty, 'the default'],
  ['server', 'variables', isEmpty, 'the default'],
  ['response', 'headers content links', isEmpty, 'the default'],
];

const IDLE_IN = groupBy(
  IDLE.flatMap(([kinds, fields, isIdle]) =>
    kinds.split(' ').flatMap((kind) => fields.split(' ').map((field) => [field, isIdle, kind] as const)),
  ),
  ([, , kind]) => kind,
);

/** Functions by kind of object that replace equivalent notations in place. Each comment gives the reason. */
const RULES: Record<string, (value: Value, context: Context) => void> = {
  document(value) {
    // OpenAPI 3.0 has no `webhooks`, so Redocly and others read `x-webhooks`.
    move(value, 'x-webhooks', 'webhooks', value['x-webhooks']);
  },
  schema(value, { is30 }) {
    // OpenAPI 3.0, Reference Object: additional fields SHALL be ignored.
    if (is30 && typeof value.$ref === 'string') keep(value, ['$ref']);
    // JSON Schema, and so OpenAPI 3.1, has no keyword `nullable`.
    if (!is30) delete value.nullable;
    for (const side of ['Maximum', 'Minimum']) {
      // The exclusive limit is a boolean in OpenAPI 3.0, and a number in JSON Schema 2020-12.
      const [limit, exclusive] = [value[side.toLowerCase()], value[`exclusive${side}`]];
      if (typeof exclusive !== 'boolean') continue;
      delete value[`exclusive${side}`];
      if (exclusive) move(value, side.toLowerCase(), `exclusive${side}`, limit);
    }
    // OpenAPI 3.1 replaces the format (section "Migrating binary descriptions from OAS 3.0").
    if (value.format === 'byte') move(value, 'format', 'contentEncoding', 'base64');
    // OpenAPI 3.1 replaces `nullable` beside `type` by another type. A list of values then has to include null.
    if (value.nullable === true && typeof value.type === 'string') {
      delete value.nullable;
      value.type = [value.type, 'null'];
      if (Array.isArray(value.enum) && !value.enum.includes(null)) value.enum = [...value.enum, null];
    }
    // Null is the only value of its type.
    const isNull = value.const === null || isDeepStrictEqual(value.enum, [null]);
    if (isNull && (value.type === undefined || [value.type].flat().includes('null'))) {
      for (const key of ['const', 'enum', 'nullable']) delete value[key];
      value.type = 'null';
    }
    // In JSON Schema, a multiple of 1 is an integer.
    if (value.multipleOf === 1 && /integer|number/.test(String(value.type))) {
      delete value.multipleOf;
      value.type = [value.type].flat().map((type) => (type === 'number' ? 'integer' : type));
    }
    // The order of types has no meaning, and a list of one type is that type.
    if (Array.isArray(value.type)) {
      const types = [...new Set(value.type)].sort((a, b) => (a === 'null' ? 1 : b === 'null' || a < b ? -1 : 1));
      value.type = types.length === 1 ? types[0] : types;
    }
    // JSON Schema ignores `then` and `else` without `if`, and `if` without both.
    if (value.if === undefined) for (const key of ['then', 'else']) delete value[key];
    else if (value.then === undefined && value.else === undefined) delete value.if;
    // A length limit has no effect if all listed values meet it.
    const list = Array.isArray(value.enum) ? value.enum : [value.const];
    const lengths = list.map((one: unknown) => (typeof one === 'string' ? [...one].length : Number.NaN));
    if (lengths.every((length: number) => length <= value.maxLength)) delete value.maxLength;
    if (lengths.every((length: number) => length >= value.minLength)) delete value.minLength;
    // `minProperties` has no effect if at least as many properties are required.
    const required = Array.isArray(value.required) ? new Set(value.required) : new Set();
    if (value.minProperties <= required.size) delete value.minProperties;
    // Generators and readers take a schema with `properties` alone for an object.
    const others = /"(type|\$ref|allOf|oneOf|anyOf|enum|const|items|format|pattern)"/;
    if (value.properties !== undefined && !others.test(keysIn(value))) value.type = 'object';
    flatten(value);
    // Discriminator Object: schemas are mapped by their names implicitly, and a mapping may give a name or a reference.
    const mapping = Object(value.discriminator?.mapping);
    for (const [name, target] of Object.entries(mapping)) {
      if (/^[\w-]+$/.test(String(target))) mapping[name] = `#/components/schemas/${target}`;
      if (mapping[name] === `#/components/schemas/${name}`) delete mapping[name];
    }
    if (isEmpty(value.discriminator?.mapping)) delete value.discriminator.mapping;
  },
  parameter(value, { resolve }) {
    // Parameter Object: `style` and `explode` have these defaults, and no effect on plain values.
    const usual = value.in === 'query' || value.in === 'cookie' ? 'form' : 'simple';
    const types = [resolve(value.schema ?? {}).type].flat();
    const isPlain = types.every((type) => PLAIN.has(String(type)));
    if (value.explode === ((value.style ?? usual) === 'form') || isPlain) delete value.explode;
    if (value.style === usual) delete value.style;
  },
  response(value) {
    // RFC 8259 defines no parameter `charset` for JSON, which is always UTF-8.
    for (const type of Object.keys(Object(value.content))) {
      const short = type.replace(/^(application\/(?:[\w.-]+\+)?json)\s*;\s*charset=["']?utf-?8["']?$/i, '$1');
      if (short !== type && value.content[short] === undefined) move(value.content, type, short, value.content[type]);
    }
  },
};

/** The kinds that another kind's function serves: a header is like a parameter, and a body has content like a response. */
const RULE_OF: Record<string, string> = { header: 'parameter', body: 'response' };

/** Makes nested choices one: those of `anyOf`, and those of `oneOf` if the types of the alternatives differ. */
function flatten(value: Value): void {
  for (const keyword of ['anyOf', 'oneOf']) {
    const nested = (one: Value) => (keysIn(one) === `["${keyword}"]` ? one[keyword] : [one]);
    const flat = Array.isArray(value[keyword]) ? value[keyword].flatMap(nested) : [];
    const types = flat.map((one: Value) => one?.type);
    const isDisjoint = types.every((type: unknown) => typeof type === 'string') && new Set(types).size === types.length;
    const isNumber = types.includes('number') && types.includes('integer');
    if (flat.length > value[keyword]?.length && (keyword === 'anyOf' || (isDisjoint && !isNumber)))
      value[keyword] = flat;
  }
}

const keysIn = (value: unknown) => JSON.stringify(Object.keys(Object(value)));

function isEmpty(value: unknown): boolean {
  return isDeepStrictEqual(value, {});
}

function isAny(value: unknown): boolean {
  return value === true || isEmpty(value);
}

function keep(value: Value, fields: readonly string[]): void {
  for (const key of Object.keys(value)) if (!fields.includes(key)) delete value[key];
}

function move(value: Value, from: string, to: string, moved: unknown): void {
  if (value[from] === undefined) return;
  delete value[from];
  value[to] ??= moved;
}

/**
 * Normalizes the values of a contract in place, in all files that it refers to.
 *
 * @returns the schemas of other files that references lead to, by their ids, and all objects
 */
export function normalize(source: Source): { schemas: Map<string, Place>; objects: Set<unknown> } {
  const schemas = new Map<string, Place>();
  const is30 = String(source.root.value.openapi).startsWith('3.0');
  const objects = new Set<unknown>();
  const targetOf = (value: Value, file: string) => new Place(source, file, value).targetIfAny;
  const todo: [value: Value, kind: string, file: string][] = [[source.root.value, 'document', source.file]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [value, kind, file] = next;
    if (typeof value !== 'object' || value === null || objects.has(value)) continue;
    objects.add(value);
    const resolve = (one: Value) => targetOf(one, file)?.value ?? one;
    for (const [field, isIdle] of IDLE_IN.get(kind) ?? [])
      if (value[field] !== undefined && isIdle(value[field])) delete value[field];
    // Reference Object: OpenAPI 3.1 adds two fields; all others SHALL be ignored.
    if (typeof value.$ref === 'string' && REFERABLE.has(kind))
      keep(value, is30 ? ['$ref'] : ['$ref', 'summary', 'description']);
    RULES[RULE_OF[kind] ?? kind]?.(value, { is30, resolve });
    const target = targetOf(value, file);
    if (target) todo.push([target.value, kind, target.file]);
    if (target && kind === 'schema' && target.file !== source.file) schemas.set(target.id, target);
    const kinds = OBJECTS[kind] ?? {};
    for (const [field, child] of Object.entries(value)) {
      const of = kinds[field] ?? kinds['*'] ?? '-';
      if (of === '-') continue;
      const name = /[\]}]$/.test(of) ? of.slice(0, -2) : of;
      for (const one of name === of ? [child] : Object.values(child ?? {})) todo.push([one as Value, name, file]);
    }
  }
  return { schemas, objects };
}
