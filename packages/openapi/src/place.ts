/** OpenAPI documents as written, in one file or several: each value has its file, JSON pointer and line. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Note } from './document.ts';
import { mayRead, UNREADABLE } from './files.ts';
import { escaped, type Key, keysOf, pointerOf } from './pointers.ts';
import { parseYaml } from './yaml.ts';

export interface SourceOptions {
  /** The folder outside of which no file is read. Default: that of the document. */
  within?: string | undefined;
  /** The folder to which file names in messages are relative. Default: the working directory. */
  from?: string | undefined;
  /** Provides a file that may not be there yet. */
  load?: ((file: string) => void) | undefined;
}

/** An OpenAPI document and the files that it refers to. */
export class Source {
  readonly file: string;
  readonly #options: SourceOptions;
  readonly #files = new Map<string, ReturnType<typeof parseYaml>>();
  /** A cache of places by file and pointer, because most references lead to a few places. */
  readonly #found = new Map<string, Place>();
  /** The places of a file by `$anchor` and `$id`. They are only searched if a reference names one. */
  readonly #named = new Map<string, ReadonlyMap<string, Place>>();

  /** @param file - the document's root. Referenced files are read on demand. */
  constructor(file: string, options: SourceOptions = {}) {
    this.file = file;
    this.#options = options;
  }

  /** The files that were read so far. */
  get files(): string[] {
    return [...this.#files.keys()];
  }

  /** Notes of the lines that other readers of YAML accept. */
  get indented(): Note[] {
    const message = 'This line stands too far left: YAML 1.2 wants it further in than its key.';
    const note = { level: 'warning', rule: 'reading/yaml', message, pointer: '#' } as const;
    return [...this.#files].flatMap(([file, { indented = [] }]) => indented.map((line) => ({ ...note, file, line })));
  }

  get root(): Place {
    return this.in(this.file);
  }

  /** The folder to which file names in messages are relative. */
  get folder(): string {
    return path.resolve(this.#options.from ?? '');
  }

  /** The name of a file in messages. */
  nameOf(file: string): string {
    return path.relative(this.folder, file).replaceAll('\\', '/');
  }

  /** The root of one of its files. */
  in(file: string): Place {
    return new Place(this, file, this.open(file).value);
  }

  /** @param pointer - a JSON pointer, such as `#/paths/~1orders` */
  find(file: string, pointer: string): Place {
    const place = this.#found.get(file + pointer) ?? this.in(file).at(...keysOf(pointer));
    this.#found.set(file + pointer, place);
    return place;
  }

  /** The schema of a file with an `$anchor` or `$id`. */
  named(file: string, keyword: '$anchor' | '$id', name: string): Place | undefined {
    const indexed = this.#named.get(file);
    if (indexed) return indexed.get(`${keyword} ${name}`);
    const places = new Map<string, Place>();
    const todo = [this.in(file)];
    for (const place of todo) {
      for (const key of ['$anchor', '$id'])
        if (typeof place.value?.[key] === 'string') places.set(`${key} ${place.value[key]}`, place);
      todo.push(...place.items(), ...place.entries().map(([, child]) => child));
    }
    this.#named.set(file, places);
    return places.get(`${keyword} ${name}`);
  }

  /** Whether a reference that was followed leads to a place. */
  isTarget(id: string): boolean {
    return this.#found.has(id);
  }

  /** Whether a file was read or may be. */
  has(file: string): boolean {
    if (this.#files.has(file)) return true;
    this.#options.load?.(file);
    return mayRead(this.#options.within ?? path.dirname(this.file), file);
  }

  open(file: string): ReturnType<typeof parseYaml> {
    const opened = this.#files.get(file);
    if (opened) return opened;
    if (!this.has(file)) throw new Error(`${this.nameOf(file)} ${UNREADABLE}`);
    const parsed = parseYaml(readFileSync(file, 'utf8'), this.nameOf(file));
    this.#files.set(file, parsed);
    return parsed;
  }
}

/** A location in a document. `value` is undefined if nothing is there. */
export class Place {
  readonly source: Source;
  readonly file: string;
  // The value is untyped YAML, so each caller checks the values it reads.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly value: any;
  /** The parent place in the file. The root is its own. */
  readonly parent: Place;
  readonly #key: Key;
  #path: string | undefined;
  #id: string | undefined;
  /** The references that led here and have fields besides `$ref`. */
  readonly via: readonly Place[];

  constructor(source: Source, file: string, value: unknown, parent?: Place, key: Key = '', via: readonly Place[] = []) {
    this.source = source;
    this.file = file;
    this.value = value;
    this.parent = parent ?? this;
    this.#key = key;
    this.via = via;
  }

  get exists(): boolean {
    return this.value !== undefined;
  }

  /** The keys from the root of the file. */
  get keys(): Key[] {
    return this.parent === this ? [] : [...this.parent.keys, this.#key];
  }

  /** JSON pointer within the file, such as `#/paths/~1orders/get`. */
  get pointer(): string {
    return pointerOf(this.keys);
  }

  /** Unique within the document. */
  get id(): string {
    return this.#id ?? this.#fullPath;
  }

  get #fullPath(): string {
    // The paths of parents are cached, because the places of a large contract are asked for millions of times.
    this.#path ??= this.parent === this ? `${this.file}#` : `${this.parent.#fullPath}/${escaped(this.#key)}`;
    return this.#path;
  }

  /** The line of the place's key, counted from 1; of the closest ancestor if nothing is there. */
  get line(): number {
    return this.source.open(this.file).lineOf(this.keys);
  }

  /** The descendant by keys or indexes. Does not follow a `$ref`. */
  at(...keys: Key[]): Place {
    return keys.reduce<Place>((place, key) => place.#child(key), this);
  }

  #child(key: Key): Place {
    const { source, file, value } = this;
    const held = isObject(value) && Object.hasOwn(value, key) ? (value as Record<Key, unknown>)[key] : undefined;
    return new Place(source, file, held, this, key);
  }

  /** The same place with another value. */
  #with(value: unknown, via: readonly Place[] = []): Place {
    return new Place(this.source, this.file, value, this.parent === this ? undefined : this.parent, this.#key, via);
  }

  /** A copy of the place without some keys. */
  without(...keys: string[]): Place {
    if (!isObject(this.value) || !keys.some((key) => key in this.value)) return this;
    const left = Object.entries(this.value).filter(([key]) => !keys.includes(key));
    const copy = this.#with(Object.fromEntries(left));
    copy.#id = `${this.id} without ${keys}`;
    return copy;
  }

  /** The entries of an object; none of anything else. */
  entries(): [string, Place][] {
    if (!isObject(this.value) || Array.isArray(this.value)) return [];
    return Object.keys(this.value).map((key) => [key, this.at(key)]);
  }

  /** Like {@link entries}, by normalized key. */
  byKey(normalized = (key: string) => key): Map<string, Place> {
    return new Map(this.entries().map(([key, place]) => [normalized(key), place]));
  }

  /** The items of an array; none of anything else. */
  items(): Place[] {
    return Array.isArray(this.value) ? this.value.map((_, index) => this.at(index)) : [];
  }

  /** The values of an array; none of anything else. */
  values(): Set<unknown> {
    return new Set(Array.isArray(this.value) ? this.value : []);
  }

  /**
   * Follows `$ref`s to the final place. A null value counts as absent.
   *
   * @param isAlone - stops at a `$ref` with sibling keywords
   */
  follow(isAlone = false): Place {
    const seen = new Set<string>();
    const via: Place[] = [];
    let place: Place = this;
    while (typeof place.value?.$ref === 'string' && !(isAlone && Object.keys(place.value).length > 1)) {
      if (seen.has(place.id)) throw place.#error('$ref leads back to itself');
      seen.add(place.id);
      if (Object.keys(place.value).length > 1) via.push(place);
      place = place.target();
    }
    const value = place.value ?? undefined;
    return value === place.value && via.length === 0 ? place : place.#with(value, via);
  }

  /** One step of {@link follow}: across files, and into them by JSON pointer (RFC 6901), `$anchor` or `$id`. */
  target(): Place {
    const [location = '', fragment = ''] = String(this.value.$ref).split('#');
    const file = location === '' ? this.file : path.resolve(path.dirname(this.file), decodeURIComponent(location));
    const isHost = /^\w[\w+.-]+:|^\/\//.test(location);
    const schema = isHost || !this.source.has(file) ? this.source.named(this.file, '$id', location) : undefined;
    if (isHost && !schema)
      throw this.#error(`$ref to another host is not followed; keep a copy beside the contract: ${this.value.$ref}`);
    if (!isHost && !schema && !this.source.has(file)) throw this.#error(`$ref: ${this.value.$ref} ${UNREADABLE}`);
    const name = decodeURIComponent(fragment);
    const within = schema ?? this.source.in(file);
    const place = /^$|^\//.test(name)
      ? this.source.find(within.file, within.pointer + name)
      : this.source.named(within.file, '$anchor', name);
    if (place?.exists) return place;
    throw this.#error(`$ref leads nowhere: ${this.value.$ref}`);
  }

  /** The target; undefined if this is no reference, or leads nowhere, which the reader of the value reports. */
  get targetIfAny(): Place | undefined {
    try {
      return typeof this.value?.$ref === 'string' ? this.target() : undefined;
    } catch {
      return undefined;
    }
  }

  #error(message: string): Error {
    return new Error(`${this.source.nameOf(this.file)}:${this.line} ${message}`);
  }
}

/** Places that apply together, such as the schemas of an `allOf`. */
export type Places = readonly Place[];

/** Joins two maps by key. A value is undefined if its map lacks the key. */
export function paired<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): [name: string, old: Value | undefined, now: Value | undefined][] {
  return [...new Set([...before.keys(), ...after.keys()])].map((name) => [name, before.get(name), after.get(name)]);
}

/** Joins the entries of two objects by key. */
export const pairedEntries = (old: Place, now: Place) => paired(old.byKey(), now.byKey());

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
