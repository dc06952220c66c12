import { type Any, isMap } from './objects.ts';
import type { Place } from './place.ts';
import { keysOf } from './pointers.ts';

/** The place in the author's file from which an object was made. A copy by `{ ...object }` keeps it, and JSON has no such fields. */
const ORIGIN = Symbol('origin');

export function setOrigin<Value extends object>(value: Value, place: Place): Value {
  return Object.assign(value, { [ORIGIN]: place });
}

/** The place in the author's file of an object. Undefined for one that is in none. */
export const originOf = (value: unknown): Place | undefined => Object(value)[ORIGIN];

/** Gives an object the place of the one that it is made from. */
export function from<Value extends object>(other: unknown, value: Value): Value {
  const place = originOf(other);
  return place && !originOf(value) ? setOrigin(value, place) : value;
}

/** The place in the author's file of a part of a document. If it is in none, that of the nearest part around it. */
export function placeAt(document: Any, pointer: string | readonly (string | number)[]): Place | undefined {
  let [node, place]: [Any, Place | undefined] = [document, originOf(document)];
  for (const key of typeof pointer === 'string' ? keysOf(pointer) : pointer) {
    node = isMap(node) || Array.isArray(node) ? (node as Any)[key] : undefined;
    place = originOf(node) ?? place?.at(key);
  }
  return place;
}
