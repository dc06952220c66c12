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

/** Notes by place. Several readers of a shared part make one note. */
export class Notes {
  readonly #notes = new Map<string, Note>();
  readonly #root: Place;

  readonly #prefix: string;

  /**
   * @param root - the place of a note about a part that is in no file
   * @param prefix - of the names of rules
   */
  constructor(root: Place, prefix = 'reading') {
    this.#root = root;
    this.#prefix = prefix;
  }

  readonly report: Report = (level, rule, at, message, key) => {
    const place = (at instanceof Place ? at : originOf(at)) ?? this.#root;
    const part = key === undefined ? place : place.at(key);
    const note = {
      level,
      rule: `${this.#prefix}/${rule}`,
      message,
      file: part.file,
      line: part.line,
      pointer: part.pointer,
    };
    this.#notes.set(`${note.file}${note.pointer} ${rule} ${message}`, note);
  };

  get all(): Note[] {
    return [...this.#notes.values()];
  }
}
