/** The places of objects in the files of their author, and notes about these. */
import type { Note } from './document.ts';
import { type Any, isMap } from './objects.ts';
import { Place } from './place.ts';
import type { Key } from './pointers.ts';

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
export function placeAt(document: Any, keys: readonly Key[]): Place | undefined {
  let [node, place]: [Any, Place | undefined] = [document, originOf(document)];
  for (const key of keys) {
    node = isMap(node) || Array.isArray(node) ? (node as Any)[key] : undefined;
    place = originOf(node) ?? place?.at(key);
  }
  return place;
}

/**
 * Notes a change that the reading makes, or a part that it cannot read.
 *
 * @param at - the place, or an object that was made from one
 * @param key - of the part in the object
 */
export type Report = (level: Note['level'], rule: string, at: unknown, message: string, key?: string | number) => void;

/**
 * Notes by place. Several readers of a shared part make one note.
 *
 * @param root - the place of a note about a part that is in no file
 * @param prefix - of the names of rules
 */
export function notesOf(root: Place, prefix = 'reading') {
  const notes = new Map<string, Note>();
  const report: Report = (level, rule, at, message, key) => {
    const place = (at instanceof Place ? at : originOf(at)) ?? root;
    const { file, line, pointer } = key === undefined ? place : place.at(key);
    const note = { level, rule: `${prefix}/${rule}`, message, file, line, pointer };
    notes.set(`${file}${pointer} ${rule} ${message}`, note);
  };
  return { report, all: () => [...notes.values()] };
}
