import path from 'node:path';
import { type Key, keysOf, originOf, Place, placeAt, read } from '@repo/openapi';
import { notation } from './notation.ts';

export type Options = NonNullable<Parameters<typeof read>[1]>;

/** A version of a contract: its normalized document, in one notation. */
export class Version {
  readonly file: string;
  /** The folder to which file names in messages are relative. */
  readonly folder: string;
  /** The root of the normalized document. */
  readonly root: Place;
  /** The root of the author's file. */
  readonly written: Place;
  /** The places of each component schema in the published document: one, or one per direction. A generated SDK has them as types. */
  readonly schemas: ReadonlyMap<string, readonly Place[]>;
  /** A cache of places by pointer, because most references lead to a few places. */
  readonly #found = new Map<string, Place>();

  /** @throws Error with a one-line message if the document cannot be read, or a reference leads nowhere */
  constructor(file: string, options: Options = {}) {
    this.file = path.resolve(file);
    this.folder = path.resolve(options.from ?? '');
    const { document, published, notes } = read(this.file, options);
    const problem = notes.find(({ level, rule }) => level === 'error' && rule === 'reading/reference');
    if (problem) throw new Error(`${this.nameOf(problem.file)}:${problem.line} ${problem.message}`);
    this.written = originOf(document) as Place;
    this.root = new Place(this, this.file, notation(document));
    const all = this.root.at('components', 'schemas').byKey();
    const views = new Map<string, Place[]>();
    for (const place of all.values()) views.set(idOf(place), [...(views.get(idOf(place)) ?? []), place]);
    const names = Object.keys(Object(published.components?.schemas));
    this.schemas = new Map(names.map((name) => [name, views.get(idOf(all.get(name) as Place)) ?? []]));
  }

  nameOf(file: string): string {
    return path.relative(this.folder, file).replaceAll('\\', '/');
  }

  in(): Place {
    return this.root;
  }

  find(_file: string, pointer: string): Place {
    const place = this.#found.get(pointer) ?? this.root.at(...keysOf(pointer));
    this.#found.set(pointer, place);
    return place;
  }

  named(): undefined {}

  isTarget(): boolean {
    return false;
  }

  has(): boolean {
    return true;
  }

  lineOf(_file: string, keys: readonly Key[]): number {
    return (placeAt(this.root.value, keys) ?? this.written).line;
  }
}

/** The place in the author's file from which a part of a version was read. */
export function written(place: Place): Place {
  return (place.source instanceof Version && placeAt(place.source.root.value, place.keys)) || place;
}

/** The same for parts that were read from one place, such as the views of a schema. */
export function idOf(place: Place): string {
  const { file, pointer } = written(place);
  return file + pointer;
}

/** The author's name of a component: the last key of its place, or its file. */
export function nameOf(place: Place): string {
  const { file, keys } = written(place);
  return String(keys.at(-1) ?? path.parse(file).name);
}
