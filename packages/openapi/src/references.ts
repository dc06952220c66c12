/** References within one document, by JSON pointers. */
import type { Document } from './document.ts';
import { type Any, isMap, type Kind, SECTIONS } from './objects.ts';
import { keysOf, pointerOf } from './place.ts';

const SCHEMA = '#/components/schemas/';

/** The pointer to a component schema as a `$ref`, which is a URI fragment (RFC 3986). */
export const refTo = (name: string) => SCHEMA + encodeURIComponent(pointerOf([name]).slice(2)).replaceAll('%7E', '~');

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

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
