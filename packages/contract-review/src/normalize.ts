/** Brings a contract to one notation, so that comparators need no special cases: fields that have no effect are left out. */
import { isDeepStrictEqual } from 'node:util';
import { Place } from './place.ts';
import type { Source } from './source.ts';
import { groupBy } from './words.ts';

/** For each object of OpenAPI, the kinds of objects in its fields: `[]` a list of them, `{}` a map. */
const OBJECTS: Record<string, Record<string, string>> = {
  document: { paths: 'path{}', webhooks: 'path{}', components: 'components', servers: 'server[]' },
  components: {
    schemas: 'schema{}',
    responses: 'response{}',
    parameters: 'parameter{}',
    requestBodies: 'body{}',
    headers: 'header{}',
    callbacks: 'callback{}',
    pathItems: 'path{}',
  },
  path: { '*': 'operation', parameters: 'parameter[]', servers: 'server[]', summary: '', description: '', $ref: '' },
  operation: {
    parameters: 'parameter[]',
    requestBody: 'body',
    responses: 'responses',
    callbacks: 'callback{}',
    servers: 'server[]',
  },
  callback: { '*': 'path' },
  responses: { '*': 'response' },
  response: { headers: 'header{}', content: 'media{}' },
  parameter: { schema: 'schema', content: 'media{}' },
  header: { schema: 'schema', content: 'media{}' },
  body: { content: 'media{}' },
  media: { schema: 'schema', itemSchema: 'schema', encoding: 'encoding{}' },
  encoding: { headers: 'header{}' },
  schema: {
    ...Object.fromEntries(['allOf', 'oneOf', 'anyOf', 'prefixItems'].map((key) => [key, 'schema[]'])),
    ...Object.fromEntries(
      ['$defs', 'dependentSchemas', 'patternProperties', 'properties'].map((key) => [key, 'schema{}']),
    ),
    ...Object.fromEntries(
      'additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties'
        .split(' ')
        .map((key) => [key, 'schema']),
    ),
  },
};

// biome-ignore lint/suspicious/noExplicitAny: untyped YAML
type Value = Record<string, any>;

interface Context {
  is30: boolean;
  /** Follows a `$ref`. */
  resolve(value: Value): Value;
}

/** Fields that have no effect with a value, and why. */
const IDLE: [kinds: string, fields: string, isIdle: (value: unknown) => boolean, why: string][] = [
  ['schema', 'uniqueItems readOnly writeOnly deprecated nullable', (value) => value === false, 'the default'],
  ['parameter header operation', 'deprecated allowReserved allowEmptyValue', (value) => value === false, 'the default'],
  ['header body', 'required', (value) => value === false, 'the default'],
  ['parameter', 'required', (value) => value === false, 'the default'],
  ['schema', 'required allOf', (value) => isDeepStrictEqual(value, []), 'an empty list requires nothing'],
  ['schema', 'dependentRequired dependentSchemas patternProperties', isEmpty, 'an empty map requires nothing'],
  ['schema', 'unevaluatedItems unevaluatedProperties propertyNames', isAny, 'allows any value'],
  ['schema', 'minLength minItems minProperties', (value) => value === 0, 'no value is shorter'],
  ['document', 'webhooks x-webhooks', isEmpty, 'the default'],
  ['operation', 'callbacks', isEmpty, 'the default'],
  ['media', 'encoding', isEmpty, 'the default'],
  ['server', 'variables', isEmpty, 'the default'],
  ['response', 'headers content links', isEmpty, 'the default'],
];

/** Other notations of the same. They change the value in place. */
const RULES: [kinds: string, why: string, rule: (value: Value, context: Context) => void][] = [
  [
    'document',
    'Redocly and others read it in OpenAPI 3.0, which has no `webhooks`',
    (value) => {
      move(value, 'x-webhooks', 'webhooks', value['x-webhooks']);
    },
  ],
  [
    'schema',
    'OpenAPI 3.0, Reference Object: additional fields SHALL be ignored',
    (value, { is30 }) => {
      if (is30 && typeof value.$ref === 'string') keep(value, ['$ref']);
    },
  ],
  [
    'parameter header body response callback',
    'Reference Object: 3.1 adds two fields, others SHALL be ignored',
    (value, { is30 }) => {
      if (typeof value.$ref === 'string') keep(value, is30 ? ['$ref'] : ['$ref', 'summary', 'description']);
    },
  ],
  [
    'schema',
    '`nullable` is no keyword of JSON Schema, and so of OpenAPI 3.1',
    (value, { is30 }) => {
      if (!is30) delete value.nullable;
    },
  ],
  [
    'schema',
    'a boolean in OpenAPI 3.0, a number in JSON Schema 2020-12',
    (value) => {
      for (const side of ['Maximum', 'Minimum']) {
        const limit = value[side.toLowerCase()];
        if (typeof value[`exclusive${side}`] !== 'boolean') continue;
        const isOpen = value[`exclusive${side}`] === true;
        delete value[`exclusive${side}`];
        if (isOpen) move(value, side.toLowerCase(), `exclusive${side}`, limit);
      }
    },
  ],
  [
    'schema',
    'OpenAPI 3.1: migrating binary descriptions from 3.0',
    (value) => {
      if (value.format === 'byte') move(value, 'format', 'contentEncoding', 'base64');
    },
  ],
  [
    'schema',
    'null is the only value of its type',
    (value) => {
      const isNull = value.const === null || isDeepStrictEqual(value.enum, [null]);
      if (!isNull || (value.type !== undefined && ![value.type].flat().includes('null') && !value.nullable)) return;
      for (const key of ['const', 'enum', 'nullable']) delete value[key];
      value.type = 'null';
    },
  ],
  [
    'schema',
    'JSON Schema: an integer is a multiple of 1',
    (value) => {
      if (value.multipleOf !== 1 || !/integer|number/.test(String(value.type))) return;
      delete value.multipleOf;
      const types = [value.type].flat().map((type) => (type === 'number' ? 'integer' : type));
      value.type = Array.isArray(value.type) ? [...new Set(types)] : types[0];
    },
  ],
  [
    'schema',
    'JSON Schema: without `if`, the others are ignored, and the inverse',
    (value) => {
      if (value.if === undefined) for (const key of ['then', 'else']) delete value[key];
      else if (value.then === undefined && value.else === undefined) delete value.if;
    },
  ],
  [
    'schema',
    'the values listed are not longer or shorter',
    (value) => {
      const list = Array.isArray(value.enum) ? value.enum : [value.const];
      const lengths = list.map((one: unknown) => (typeof one === 'string' ? [...one].length : Number.NaN));
      if (lengths.every((length: number) => length <= value.maxLength)) delete value.maxLength;
      if (lengths.every((length: number) => length >= value.minLength)) delete value.minLength;
    },
  ],
  [
    'schema',
    'an object with these fields has as many',
    (value) => {
      if (value.minProperties <= new Set(value.required).size) delete value.minProperties;
    },
  ],
  [
    'schema',
    'only objects have fields: generators and readers take it as their type',
    (value) => {
      const isPlain = !/"(type|\$ref|allOf|oneOf|anyOf|enum|const|items|format|pattern)"/.test(keysIn(value));
      if (value.properties !== undefined && isPlain) value.type = 'object';
    },
  ],
  [
    'schema',
    'one of several choices of `anyOf`, or of types of which a value has one, is one choice',
    (value) => {
      for (const keyword of ['anyOf', 'oneOf']) {
        const nested = (one: Value) => (keysIn(one) === `["${keyword}"]` ? one[keyword] : [one]);
        const flat = Array.isArray(value[keyword]) ? value[keyword].flatMap(nested) : [];
        const types = flat.map((one: Value) => one?.type);
        const isDisjoint =
          types.every((type: unknown) => typeof type === 'string') && new Set(types).size === types.length;
        const isNumber = types.includes('number') && types.includes('integer');
        if (flat.length > value[keyword]?.length && (keyword === 'anyOf' || (isDisjoint && !isNumber)))
          value[keyword] = flat;
      }
    },
  ],
  [
    'schema',
    'Discriminator Object: names of schemas are mapped implicitly, and may be written as name or reference',
    (value) => {
      const mapping = value.discriminator?.mapping ?? {};
      for (const [name, target] of Object.entries(mapping)) {
        if (/^[\w-]+$/.test(String(target))) mapping[name] = `#/components/schemas/${target}`;
        if (mapping[name] === `#/components/schemas/${name}`) delete mapping[name];
      }
      if (isEmpty(value.discriminator?.mapping)) delete value.discriminator.mapping;
    },
  ],
  [
    'parameter header',
    'Parameter Object: the defaults of `style` and `explode`',
    (value, { resolve }) => {
      const usual = value.in === 'query' || value.in === 'cookie' ? 'form' : 'simple';
      const type = resolve(value.schema ?? {}).type;
      const isPlain = /^(string|number|integer|boolean)$/.test(String(type)); // no effect on these
      if (value.explode === ((value.style ?? usual) === 'form') || isPlain) delete value.explode;
      if (value.style === usual) delete value.style;
    },
  ],
  [
    'body response',
    'RFC 8259: no parameter `charset` is defined; it is UTF-8',
    (value) => {
      for (const type of Object.keys(value.content ?? {})) {
        const short = type.replace(/^(application\/(?:[\w.-]+\+)?json)\s*;\s*charset=["']?utf-?8["']?$/i, '$1');
        if (short !== type && value.content[short] === undefined) move(value.content, type, short, value.content[type]);
      }
    },
  ],
  [
    'responses',
    'OpenAPI: ranges are written with upper-case X',
    (value) => {
      for (const status of Object.keys(value))
        if (/^[1-5]xx$/.test(status)) move(value, status, status.toUpperCase(), value[status]);
    },
  ],
];

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

const byKind = <Rule extends readonly [string, ...unknown[]]>(rules: readonly Rule[]) => {
  const pairs = rules.flatMap((rule) => rule[0].split(' ').map((kind) => [kind, rule] as const));
  return groupBy(pairs, ([kind]) => kind);
};
const [IDLE_OF, RULES_OF] = [byKind(IDLE), byKind(RULES)];

/**
 * Normalizes the values of a contract in place, in all files that it refers to.
 *
 * @returns the schemas of other files that references lead to, by their ids
 */
export function normalize(source: Source): Map<string, Place> {
  const schemas = new Map<string, Place>();
  const is30 = String(source.root.value.openapi).startsWith('3.0');
  const seen = new Set<unknown>();
  const targetOf = (value: Value, file: string) => {
    try {
      return new Place(source, file, [], value).target();
    } catch {
      return undefined; // Its reader reports it.
    }
  };
  const todo: [value: Value, kind: string, file: string][] = [[source.root.value, 'document', source.file]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [value, kind, file] = next;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const resolve = (one: Value) => (typeof one?.$ref === 'string' ? (targetOf(one, file)?.value ?? {}) : (one ?? {}));
    for (const [, [, fields, isIdle]] of IDLE_OF.get(kind) ?? [])
      for (const field of fields.split(' '))
        if (value[field] !== undefined && isIdle(value[field])) delete value[field];
    for (const [, [, , rule]] of RULES_OF.get(kind) ?? []) rule(value, { is30, resolve });
    const target = typeof value.$ref === 'string' ? targetOf(value, file) : undefined;
    if (target) todo.push([target.value, kind, target.file]);
    if (target && kind === 'schema' && target.file !== source.file) schemas.set(target.id, target);
    const kinds = OBJECTS[kind] ?? {};
    for (const [field, child] of Object.entries(value)) {
      const of = kinds[field] ?? kinds['*'] ?? '';
      if (of === '') continue;
      const name = of.replace(/\W+$/, '');
      for (const one of name === of ? [child] : Object.values(child ?? {})) todo.push([one as Value, name, file]);
    }
  }
  return schemas;
}
