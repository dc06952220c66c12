/** The views that requests and responses have of a schema: a `readOnly` property is only in responses, a `writeOnly` one only in requests. */
import type { Direction, Document } from './document.ts';
import { type Any, type Change, isMap, rebuild } from './objects.ts';
import { freeName, partsIn, partsOf, refTo, schemaIn } from './references.ts';

const HIDDEN = { request: 'readOnly', response: 'writeOnly' } as const;
const COMPOSED = ['allOf', 'oneOf', 'anyOf'] as const;
const OPEN = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];

/** An annotation of the request view: the names of its read-only fields, which a request may not have. */
export const READ_ONLY_FIELDS = 'x-read-only-fields';

/**
 * Gives each schema one direction. A component that differs between them and is used in both becomes two: `Thing` for responses, and
 * `ThingInput` for requests.
 */
export function withViews(document: Document): Document {
  const { schemas = {}, ...sections } = Object(document.components);
  const refs = new Map(Object.entries<Any>(schemas).map(([name, schema]) => [name, refsIn(schema, 'schema').response]));
  const uses = refsIn({ ...document, components: sections }, 'document');
  const [sent, received] = [reached(uses.request, refs), reached(uses.response, refs)];
  const differing = differingIn(schemas, refs);
  const isTaken = (name: string) => Object.hasOwn(schemas, name);
  const twofold = [...differing].filter((name) => sent.has(name) && received.has(name));
  const inputs = new Map(twofold.map((name) => [name, freeName(`${name}Input`, isTaken)]));
  const change = views(schemas, inputs, document['x-read-only'] === 'ignore');
  const view = (schema: Any, direction: Direction) => rebuild(schema, 'schema', (one) => one, change, direction);
  const all = Object.entries<Any>(schemas).flatMap(([name, schema]): [string, Any][] => {
    if (!differing.has(name)) return [[name, schema]];
    const input = inputs.get(name);
    const entry = [name, view(schema, sent.has(name) && !received.has(name) ? 'request' : 'response')] as [string, Any];
    return input ? [entry, [input, view(schema, 'request')]] : [entry];
  });
  const rest = rebuild({ ...document, components: sections }, 'document', (one) => one, change);
  return { ...rest, components: { ...rest.components, schemas: Object.fromEntries(all) } };
}

/** The names of the schemas to which an object refers, by direction. */
function refsIn(value: Any, kind: string): Record<Direction, Set<string>> {
  const found = { request: new Set<string>(), response: new Set<string>() };
  rebuild(value, kind, (one, kind, direction) => {
    const name = kind === 'schema' ? schemaIn(Object(one).$ref) : undefined;
    if (name !== undefined) found[direction].add(name);
    return one;
  });
  return found;
}

function reached(starts: ReadonlySet<string>, refs: ReadonlyMap<string, Iterable<string>>): Set<string> {
  const seen = new Set(starts);
  // A set that grows while it is walked is walked to its end.
  for (const name of seen) for (const other of refs.get(name) ?? []) seen.add(other);
  return seen;
}

/** The schemas that hide a field from a direction, and those that refer to one that does. */
function differingIn(schemas: Record<string, Any>, refs: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const differing = new Set<string>();
  for (const [name, schema] of Object.entries(schemas))
    rebuild(schema, 'schema', (one) => {
      const fields = Object.values<Any>(Object(one.properties));
      if (fields.some((field) => has(schemas, field, 'readOnly') || has(schemas, field, 'writeOnly')))
        differing.add(name);
      return one;
    });
  const users = new Map<string, string[]>();
  for (const [name, targets] of refs) for (const one of targets) users.set(one, [...(users.get(one) ?? []), name]);
  return reached(differing, users);
}

/** Whether a schema has an annotation, itself or in what it refers to. */
const has = (schemas: Record<string, Any>, schema: Any, key: string) =>
  partsOf(schemas, schema).some((part) => part[key] === true);

/** The change of a schema before that of its parts, for the view of a direction. */
function views(schemas: Record<string, Any>, inputs: ReadonlyMap<string, string>, isDropping: boolean): Change {
  /** The hidden fields of a schema and its parts. */
  const hiddenIn = (schema: Any, key: string): string[] =>
    partsIn(schemas, schema)
      .flatMap(({ properties }) => Object.entries<Any>(Object(properties)))
      .flatMap(([name, field]) => (has(schemas, field, key) ? [name] : []));
  /** `required` in one part may name a field of another. */
  const unrequire = (schema: Any, hidden: readonly string[]): Any => {
    if (!isMap(schema)) return schema;
    const copy: Any = { ...schema };
    if (Array.isArray(copy.required)) {
      copy.required = copy.required.filter((name: string) => !hidden.includes(name));
      if (copy.required.length === 0) delete copy.required;
    }
    for (const part of COMPOSED)
      if (Array.isArray(copy[part])) copy[part] = copy[part].map((one: Any) => unrequire(one, hidden));
    return copy;
  };
  return (schema, kind, direction) => {
    if (kind !== 'schema') return schema;
    const input = direction === 'request' ? inputs.get(schemaIn(schema.$ref) ?? '') : undefined;
    if (input) return { ...schema, $ref: refTo(input) };
    const hidden = schema.$ref ? [] : [...new Set(hiddenIn(schema, HIDDEN[direction]))];
    if (hidden.length === 0) return schema;
    const copy = unrequire(schema, hidden);
    // In an open object, the field would be one of the others.
    const isOpen = OPEN.some((key) => schema[key] !== undefined && schema[key] !== false) && direction === 'request';
    const fields = Object.entries(Object(schema.properties)).flatMap(([name, field]): [string, unknown][] => {
      if (!has(schemas, field, HIDDEN[direction])) return [[name, field]];
      return isOpen ? [[name, false]] : [];
    });
    if (schema.properties) copy.properties = Object.fromEntries(fields);
    if (direction === 'response') return copy;
    return { ...copy, [READ_ONLY_FIELDS]: hidden, ...(isDropping && { 'x-read-only': 'ignore' }) };
  };
}
