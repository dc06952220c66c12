/** OpenAPI documents as written: each value has its file, JSON pointer and line. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, isNode, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { bound, complete } from '../complete.ts';
import { keysOf } from '../contract.ts';
import { mayRead, UNREADABLE } from '../files.ts';

/** An OpenAPI document and the files that it refers to. */
export class Source {
  readonly file: string;
  readonly platform: string | undefined;
  /** The keys of the components that the platform adds. */
  #added = new Set<string>();
  readonly #files = new Map<string, ReturnType<typeof parse>>();
  /** By file and pointer: most references lead to a few places. */
  readonly #found = new Map<string, Place>();

  /**
   * @param file - the document's root. Referenced files are read on demand.
   * @param platform - the file that completes it
   */
  constructor(file: string, platform?: string) {
    this.file = file;
    this.platform = platform;
  }

  /** Those read so far. */
  get files(): string[] {
    return [...this.#files.keys()];
  }

  get root(): Place {
    return this.in(this.file);
  }

  /** The root of one of its files. */
  in(file: string): Place {
    return new Place(this, file, [], this.open(file).value);
  }

  /** @param pointer - a JSON pointer, such as `#/paths/~1orders` */
  find(file: string, pointer: string): Place {
    const place = this.#found.get(file + pointer) ?? this.in(file).at(...keysOf(pointer));
    this.#found.set(file + pointer, place);
    return place;
  }

  /** Whether a file was read or may be. */
  has(file: string): boolean {
    return this.#files.has(file) || mayRead(this.file, file);
  }

  open(file: string): ReturnType<typeof parse> {
    if (!this.has(file)) throw new Error(`${path.relative('', file)} ${UNREADABLE}`);
    const known = this.#files.get(file);
    if (known) return known;
    const source = parse(file);
    this.#files.set(file, source);
    if (this.platform) this.#complete(file, source.value, this.platform);
    return source;
  }

  #complete(file: string, value: unknown, platform: string): void {
    eachObject(value, bound);
    if (file !== this.file || !isObject(value)) return;
    const follow = (reference: unknown, from: string) => {
      try {
        return new Place(this, from, [], reference).follow();
      } catch {
        // It is an error of the comparison, at its place.
        return undefined;
      }
    };
    this.#added = complete({ value, file, follow }, platform);
    this.#found.clear();
  }

  /** The file and line where a place was written: the platform's, for a component that it added. */
  originOf({ file, keys, line }: Place): { file: string; line: number } {
    const isAdded = file === this.file && keys[0] === 'components' && this.#added.has(keys.slice(1, 3).join('/'));
    return this.platform && isAdded
      ? { file: this.platform, line: lineOf(parse(this.platform), keys) }
      : { file, line };
  }
}

function parse(file: string) {
  const lines = new LineCounter();
  // Merge keys (`<<: *anchor`) are not YAML 1.2, but Redocly supports them, and so does the generated code.
  const text = readFileSync(file, 'utf8');
  const document = parseDocument(text, { lineCounter: lines, merge: true });
  const [problem] = document.errors;
  if (problem) {
    const { line = 1, col = 1 } = problem.linePos?.[0] ?? {};
    throw new Error(`${path.relative('', file)}:${line}:${col} ${problem.message.split(/ at line \d|\n/)[0]}`);
  }
  // Numbers beyond 2^53 are not rounded.
  if (/\d{16}/.test(text))
    visit(document, {
      Scalar(_, node) {
        if (Number.isInteger(node.value) && !Number.isSafeInteger(node.value) && /^[-+]?\d+$/.test(node.source ?? ''))
          node.value = BigInt(node.source ?? 0);
      },
    });
  // By default, an anchor has at most 100 aliases; a response of all operations may have more.
  return { document, lines, value: document.toJS({ maxAliasCount: 10_000 }) as unknown };
}

type Key = string | number;

function lineOf({ document, lines }: ReturnType<typeof parse>, keys: readonly Key[]): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? node.range?.[0] : 0;
  for (const key of keys) {
    const pair = isMap(node) ? node.items.find((item) => String(item.key) === String(key)) : undefined;
    node = isSeq(node) ? node.items[Number(key)] : pair?.value;
    const here = pair?.key ?? node;
    if (!isNode(here)) break;
    offset = here.range?.[0];
  }
  return lines.linePos(offset ?? 0).line;
}

/** A JSON pointer (RFC 6901) as a fragment. */
export const pointerOf = (keys: readonly Key[]) =>
  `#${keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;

/** A location in a document. `value` is undefined if nothing is there. */
export class Place {
  readonly source: Source;
  readonly file: string;
  readonly keys: readonly Key[];
  // Untyped YAML: each caller checks the values it reads.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly value: any;
  #id: string | undefined;
  /** The references with further fields that led here. */
  readonly via: readonly Place[];

  constructor(
    source: Source,
    file: string,
    keys: readonly Key[],
    value: unknown,
    id?: string,
    via: readonly Place[] = [],
  ) {
    this.source = source;
    this.file = file;
    this.keys = keys;
    this.value = value;
    this.#id = id;
    this.via = via;
  }

  get exists(): boolean {
    return this.value !== undefined;
  }

  /** JSON pointer within the file, such as `#/paths/~1orders/get`. */
  get pointer(): string {
    return pointerOf(this.keys);
  }

  /** Unique within the document. */
  get id(): string {
    this.#id ??= this.file + this.pointer;
    return this.#id;
  }

  /** The line of the place's key, counted from 1; of the closest ancestor if nothing is there. */
  get line(): number {
    return lineOf(this.source.open(this.file), this.keys);
  }

  /** The descendant by keys or indexes. Does not follow a `$ref`. */
  at(...keys: Key[]): Place {
    const below = (parent: unknown, key: Key) =>
      isObject(parent) && Object.hasOwn(parent, key) ? (parent as Record<Key, unknown>)[key] : undefined;
    return new Place(this.source, this.file, [...this.keys, ...keys], keys.reduce(below, this.value));
  }

  /** A copy of the place without some keys. */
  without(...keys: string[]): Place {
    if (!isObject(this.value) || !keys.some((key) => key in this.value)) return this;
    const left = Object.entries(this.value).filter(([key]) => !keys.includes(key));
    return new Place(this.source, this.file, this.keys, Object.fromEntries(left), `${this.id} without ${keys}`);
  }

  /** The parent place in the file. */
  get parent(): Place {
    return this.source.in(this.file).at(...this.keys.slice(0, -1));
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
    return value === place.value && via.length === 0
      ? place
      : new Place(place.source, place.file, place.keys, value, undefined, via);
  }

  /** One step of {@link follow}: across files, and into them by JSON pointer (RFC 6901). */
  target(): Place {
    const [location = '', fragment = ''] = String(this.value.$ref).split('#');
    if (/^\w[\w+.-]+:|^\/\//.test(location))
      throw this.#error(`$ref to another host is not followed; keep a copy beside the contract: ${this.value.$ref}`);
    if (!/^$|^\//.test(fragment))
      throw this.#error(`$ref by \`$anchor\` is not followed; write a JSON pointer: ${this.value.$ref}`);
    const file = location === '' ? this.file : path.resolve(path.dirname(this.file), decodeURIComponent(location));
    if (!this.source.has(file)) throw this.#error(`$ref: ${this.value.$ref} ${UNREADABLE}`);
    const place = this.source.find(file, decodeURIComponent(fragment));
    if (place.exists) return place;
    throw this.#error(`$ref leads nowhere: ${this.value.$ref}`);
  }

  #error(message: string): Error {
    return new Error(`${path.relative('', this.file)}:${this.line} ${message}`);
  }
}

/** Places that form one thing together, such as the schemas of an `allOf`. */
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Calls a function for each object of a document once, but not for those of examples. */
function eachObject(value: unknown, call: (object: object) => void, seen = new Set<unknown>()): void {
  if (!isObject(value) || seen.has(value)) return;
  seen.add(value);
  call(value);
  for (const [key, child] of Object.entries(value))
    if (!/^(examples?|default|const|enum)$/.test(key)) eachObject(child, call, seen);
}
