import type { Note } from './document.ts';
import { originOf } from './origin.ts';
import { Place } from './place.ts';

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
