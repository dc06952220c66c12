/** An OpenAPI document as written: each value has its file, JSON pointer and line. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LineCounter, parseDocument, type Document as YamlDocument } from 'yaml';
import { mayRead, UNREADABLE } from '../files.ts';
import { keysOf, Place } from './place.ts';

interface SourceFile {
  document: YamlDocument;
  lines: LineCounter;
  value: unknown;
}

export class Source {
  readonly file: string;
  readonly #files = new Map<string, SourceFile>();
  /** By file and pointer: most references lead to a few places. */
  readonly #found = new Map<string, Place>();

  /** @param file - the document's root. Referenced files are read on demand. */
  constructor(file: string) {
    this.file = file;
  }

  get root(): Place {
    return this.in(this.file);
  }

  /** The root of one of its files. */
  in(file: string): Place {
    return new Place(this, file, [], this.open(file).value);
  }

  /** @param pointer - a JSON pointer, such as `#/paths/~1pets` */
  find(file: string, pointer: string): Place {
    const place = this.#found.get(file + pointer) ?? this.in(file).at(...keysOf(pointer));
    this.#found.set(file + pointer, place);
    return place;
  }

  /** Whether a file was read or may be. */
  has(file: string): boolean {
    return this.#files.has(file) || mayRead(this.file, file);
  }

  open(file: string): SourceFile {
    const known = this.#files.get(file);
    if (known) return known;
    if (!mayRead(this.file, file)) throw new Error(`${path.relative('', file)} ${UNREADABLE}`);
    const text = readFileSync(file, 'utf8');
    const lines = new LineCounter();
    // Merge keys (`<<: *anchor`) are not YAML 1.2, but Redocly supports them, and so does the generated code.
    const document = parseDocument(text, { lineCounter: lines, merge: true });
    const [problem] = document.errors;
    if (problem) {
      const { line = 1, col = 1 } = problem.linePos?.[0] ?? {};
      throw new Error(`${path.relative('', file)}:${line}:${col} ${problem.message.split(/ at line \d|\n/)[0]}`);
    }
    // By default, an anchor has at most 100 aliases; a response of all operations may have more.
    const source = { document, lines, value: document.toJS({ maxAliasCount: 10_000 }) };
    this.#files.set(file, source);
    return source;
  }
}
