import path from 'node:path';
import { isMap, originOf, type Place, placeAt, read, Source } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { notation } from './notation.ts';

export type Options = NonNullable<Parameters<typeof read>[1]>;

/** A version of a contract: its normalized document, in one notation. */
export class Version extends Source {
  readonly reading: ReturnType<typeof read>;
  readonly written: Place;
  /** The places of each component schema in the published document: one, or one per direction. A generated SDK has them as types. */
  readonly schemas: ReadonlyMap<string, readonly Place[]>;
  /** The source of what the overlay adds, as JSON. Undefined without one. */
  readonly added: string | undefined;
  readonly #document: ReturnType<Source['open']>;

  /** @throws Error with a one-line message if the document cannot be read, or a reference leads nowhere */
  constructor(file: string, options: Options = {}) {
    super(path.resolve(file), options);
    this.reading = located(`${this.nameOf(this.file)}:1:1`, () => read(file, options));
    const { document, published, notes } = this.reading;
    const problem = notes.find(({ level, rule }) => level === 'error' && rule === 'reading/reference');
    if (problem) throw new Error(`${this.nameOf(problem.file)}:${problem.line} ${problem.message}`);
    this.written = originOf(document) as Place;
    const components = Object.values(Object(document.components)).flatMap((section) => Object.values(Object(section)));
    const added = components.map(originOf).find((place) => place && place.source !== this.written.source);
    this.added = added && stringify(added.source.root.value);
    const value = notation(document);
    this.#document = { value, lineOf: (keys) => (placeAt(value, keys) ?? this.written).line };
    const all = this.root.at('components', 'schemas').byKey();
    const views = Map.groupBy(all.values(), idOf);
    const names = Object.keys(Object(published.components?.schemas));
    this.schemas = new Map(names.map((name) => [name, views.get(idOf(all.get(name) as Place)) ?? []]));
  }

  /** All references of a normalized document are local. */
  override has(file: string): boolean {
    return file === this.file;
  }

  override open() {
    return this.#document;
  }
}

/** Adds the place to the failure of a recursion that is too deep. */
export function located<Result>(where: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? new Error(`${where} ${error.message}`) : error;
  }
}

/** The place in the author's file from which a part of a version was read. */
export function written(place: Place): Place {
  return (place.source instanceof Version && placeAt(place.source.root.value, place.keys)) || place;
}

/** Whether a part is the overlay's, and not the author's. */
export function isAdded(place: Place): boolean {
  const { source, value } = place;
  if (!(source instanceof Version) || source.added === undefined) return false;
  const origin = isMap(value) ? originOf(value) : written(place);
  return origin?.source !== source.written.source;
}

/** The same for parts that were read from one place, such as the views of a schema. */
export function idOf(place: Place): string {
  const { file, pointer } = written(place);
  return file + pointer;
}

/** The author's name of a component: the last key of its place, or its file. */
export function componentNameOf(place: Place): string {
  const { file, keys } = written(place);
  return String(keys.at(-1) ?? path.parse(file).name);
}
