/** The objects of OpenAPI 3.0 to 3.2 and of JSON Schema 2020-12, and the fields that hold others. */
import type { Direction } from './document.ts';

/** `[]` is a list of objects, `{}` a map, and `*` any other field. `-` is a value. */
const OBJECTS = kindsIn(`
  document: paths paths webhooks path{} x-webhooks path{} components components servers server[]
  components: schemas schema{} responses response{} parameters parameter{} requestBodies body{} headers header{} callbacks callback{} pathItems path{}
    securitySchemes scheme{} links link{} examples example{} mediaTypes media{}
  paths: * path
  path: * operation additionalOperations operation{} parameters parameter[] servers server[] summary - description - $ref -
  server: variables variable{}
  operation: parameters parameter[] requestBody body responses responses callbacks callback{} servers server[]
  callback: * path
  responses: * response
  response: headers header{} content media{} links link{}
  parameter: schema schema content media{} examples example{}
  header: schema schema content media{} examples example{}
  body: content media{}
  media: schema schema itemSchema schema encoding encoding{} prefixEncoding encoding[] itemEncoding encoding examples example{}
  encoding: headers header{} encoding encoding{} prefixEncoding encoding[] itemEncoding encoding
  schema: allOf schema[] oneOf schema[] anyOf schema[] prefixItems schema[] $defs schema{} definitions schema{} dependentSchemas schema{}
    patternProperties schema{} properties schema{} additionalProperties schema contains schema contentSchema schema else schema if schema
    items schema not schema propertyNames schema then schema unevaluatedItems schema unevaluatedProperties schema
`);

export type Kind = string;

/** The objects in the place of which a Reference Object may stand, and the section of `components` for each. */
export const SECTIONS: Readonly<Record<Kind, string>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  body: 'requestBodies',
  header: 'headers',
  callback: 'callbacks',
  path: 'pathItems',
  scheme: 'securitySchemes',
  link: 'links',
  example: 'examples',
  media: 'mediaTypes',
};

function kindsIn(text: string): Record<Kind, Record<string, string>> {
  const lines = text.trim().split(/\n {2}(?=\w)/);
  const objects = lines.map((line) => {
    const [kind = '', ...words] = line.split(/:?\s+/);
    const fields = words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] as string]] : []));
    // The object inherits nothing, because a contract may have any field, such as `constructor`.
    return [kind, Object.assign(Object.create(null), Object.fromEntries(fields))] as const;
  });
  return Object.fromEntries(objects);
}

/** The kind of the object in a field, and whether the field holds several of them. Undefined for a value. */
export function kindIn(kind: Kind, field: string): { kind: Kind; isMany: boolean } | undefined {
  const kinds = OBJECTS[kind];
  const found = kinds?.[field] ?? (field.startsWith('x-') ? undefined : kinds?.['*']) ?? '-';
  if (found === '-') return undefined;
  const isMany = /[\]}]$/.test(found);
  return { kind: isMany ? found.slice(0, -2) : found, isMany };
}

// biome-ignore lint/suspicious/noExplicitAny: untyped YAML
export type Any = any;

export const isMap = (value: unknown): value is Record<string, Any> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Changes an object of a kind. The result takes its place.
 *
 * @param direction - of the message that the object is part of, from the server's sight
 */
export type Change = (value: Any, kind: Kind, direction: Direction) => Any;

const OTHER = { request: 'response', response: 'request' } as const;
/** The directions of the messages of an operation. Those of a webhook or callback, which is a request of the server, are reversed. */
const DIRECTIONS: Record<Kind, Direction> = { parameter: 'request', body: 'request', response: 'response' };

/** Copies an object with changed objects in its fields. Each is given with its field, and with its name or index there. */
export function mapParts(
  value: Any,
  kind: Kind,
  change: (one: Any, kind: Kind, field: string, name?: string | number) => Any,
): Any {
  const copy: Any = { ...value };
  for (const field of Object.keys(copy)) {
    const held = kindIn(kind, field);
    if (!held) continue;
    const inner = (one: Any, name?: string | number) => change(one, held.kind, field, name);
    // A schema of an earlier dialect may have a list where a schema is due.
    if (Array.isArray(copy[field])) copy[field] = copy[field].map(inner);
    else if (!held.isMany) copy[field] = inner(copy[field]);
    else if (isMap(copy[field])) copy[field] = mapValues(copy[field], inner);
  }
  return copy;
}

/**
 * Copies an object with all objects below it.
 *
 * @param after - called with each copy, those within first
 * @param before - called with each object before those within it
 * @param direction - of the object, unless its kind has one
 */
export function rebuild(
  value: Any,
  kind: Kind,
  after: Change,
  before: Change = (one) => one,
  direction: Direction = 'response',
  isReversed = false,
): Any {
  if (!isMap(value)) return value;
  const current = DIRECTIONS[kind] ? (isReversed ? OTHER[DIRECTIONS[kind]] : DIRECTIONS[kind]) : direction;
  const copy = mapParts(before(value, kind, current), kind, (one, held, field) => {
    const turns = held === 'callback' || /^(x-)?webhooks$/.test(field);
    return rebuild(one, held, after, before, current, turns !== isReversed);
  });
  return after(copy, kind, current);
}

/** A map with changed values. A key `__proto__` stays one, as the copy has it before it is set, and so do symbols. */
export function mapValues(map: Record<string, Any>, change: (value: Any, key: string) => Any): Record<string, Any> {
  const copy = { ...map };
  for (const key of Object.keys(copy)) copy[key] = change(map[key], key);
  return copy;
}
