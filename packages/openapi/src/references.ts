/** References within one document, by JSON pointers. */
import type { Document } from './document.ts';
import { type Any, isMap, type Kind, SECTIONS } from './objects.ts';
import type { Report } from './origin.ts';
import { keysOf, pointerOf } from './pointers.ts';

const SCHEMA = '#/components/schemas/';

/** The pointer to a component schema as a `$ref`, which is a URI fragment (RFC 3986). */
export const refTo = (name: string) => SCHEMA + encodeURIComponent(pointerOf([name]).slice(2)).replaceAll('%7E', '~');

/** A name, with a number if it is taken. */
export function freeName(base: string, isTaken: (name: string) => boolean, separator = ''): string {
  let name = base;
  for (let count = 2; isTaken(name); count += 1) name = `${base}${separator}${count}`;
  return name;
}

/** The name of the component schema to which a `$ref` leads. Undefined for any other. */
export function schemaIn(ref: unknown): string | undefined {
  if (typeof ref !== 'string' || !ref.startsWith(SCHEMA)) return undefined;
  const [, , , name, ...rest] = ['', ...keysOf(decoded(ref))];
  return rest.length === 0 ? name : undefined;
}

/** Whether a `$ref` leads to a component of a kind. */
export const isComponent = (ref: string, kind: Kind) =>
  ref.startsWith(`#/components/${SECTIONS[kind]}/`) && ref.split('/').length === 4;

/** The value at a pointer. Undefined if nothing is there. */
export function at(document: Document, pointer: string): Any {
  return keysOf(decoded(pointer)).reduce<Any>(
    (node, key) => (Object.hasOwn(Object(node), key) ? node[key] : undefined),
    document,
  );
}

/** Follows references to the value. Undefined if one leads nowhere, or back to itself. */
export function resolve(document: Document, value: Any): Any {
  const seen = new Set<unknown>();
  let found = value;
  while (isMap(found) && typeof found.$ref === 'string') {
    if (seen.has(found)) return undefined;
    seen.add(found);
    found = at(document, found.$ref);
  }
  return found;
}

/** Follows the references of a schema. */
export const follow = (schemas: Record<string, Any>, schema: Any): Any => resolve({ components: { schemas } }, schema);

/** A schema, and the parts that always apply with it: those of its reference and `allOf`, and of these. */
export const partsOf = (schemas: Record<string, Any>, schema: unknown): Any[] => collected(schemas, schema, []);

/** All parts of a schema, alternatives included. */
export const partsIn = (schemas: Record<string, Any>, schema: unknown): Any[] =>
  collected(schemas, schema, ['anyOf', 'oneOf']);

function collected(schemas: Record<string, Any>, schema: unknown, lists: string[], found = new Set<Any>()): Any[] {
  if (!isMap(schema) || found.has(schema)) return [];
  found.add(schema);
  const target = schema.$ref === undefined ? [] : schemas[schemaIn(schema.$ref) ?? ''];
  const parts = [...lists.map((key) => schema[key] ?? []), target, schema.allOf ?? []].flat();
  for (const part of parts) collected(schemas, part, lists, found);
  return [...found];
}

/** The keywords with schemas that apply to the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];

/** Removes each reference by which a schema applies to itself: no validation would end (JSON Schema 2020-12, section 9.4.1). */
export function breakLoops(schemas: Record<string, Any>, report: Report): void {
  const [done, open] = [new Set<string>(), new Set<string>()];
  const visit = (schema: Any): void => {
    if (!isMap(schema)) return;
    const name = schemaIn(schema.$ref);
    if (name !== undefined && open.has(name)) {
      report('error', 'recursion', schema, `\`${name}\` leads back to itself, and not by a part of its value.`);
      delete schema.$ref;
    } else if (name !== undefined && !done.has(name)) walk(name);
    for (const key of IN_PLACE) for (const part of [schema[key]].flat()) visit(part);
  };
  const walk = (name: string) => {
    open.add(name);
    visit(schemas[name]);
    open.delete(name);
    done.add(name);
  };
  for (const name of Object.keys(schemas)) if (!done.has(name)) walk(name);
}

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
