/** OpenAPI documents as written, in one file or several. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Note } from './document.ts';
import { mayRead, UNREADABLE } from './files.ts';
import { type Key, keysOf, Place } from './place.ts';
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
    const known = this.#named.get(file);
    if (known) return known.get(`${keyword} ${name}`);
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
    const known = this.#files.get(file);
    if (known) return known;
    if (!this.has(file)) throw new Error(`${this.nameOf(file)} ${UNREADABLE}`);
    const parsed = parseYaml(readFileSync(file, 'utf8'), this.nameOf(file));
    this.#files.set(file, parsed);
    return parsed;
  }

  lineOf(file: string, keys: readonly Key[]): number {
    return this.open(file).lineOf(keys);
  }
}
