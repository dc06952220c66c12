import path from 'node:path';
import { bundle } from './bundle.ts';
import type { Document, Note, Reading } from './document.ts';
import { normalize } from './normalize.ts';
import { notesOf, type Report } from './origin.ts';
import { Source, type SourceOptions } from './place.ts';

interface Options extends SourceOptions {
  /** Changes the document before it is published and normalized. */
  overlay?: ((document: Document, report: Report) => Document) | undefined;
}

/**
 * Reads an OpenAPI document of one file or several.
 *
 * @returns the reading, with what cannot be read or is read otherwise as `notes`
 * @throws Error with a one-line message if the file cannot be read or parsed, or is not OpenAPI 3
 */
export function read(file: string, { overlay, ...options }: Options = {}): Reading & { files: string[] } {
  const source = new Source(path.resolve(file), options);
  if (!/^3\.[0-2](\.|$)/.test(`${source.root.value?.openapi}`))
    throw new Error(`${source.nameOf(source.file)}:1:1 ${notOpenApi(source.root.value)}`);
  const notes = notesOf(source.root);
  const whole = bundle(source, notes.report);
  const published = overlay?.(whole, notes.report) ?? whole;
  const reading = normalize(published, notes.report);
  return { published, ...reading, notes: sorted([...notes.all(), ...source.indented]), files: source.files };
}

const notOpenApi = (document: unknown) =>
  Object(document).swagger === undefined
    ? 'Begin the document with `openapi: 3.1.0`, or another of 3.0 to 3.2.'
    : 'This is Swagger 2.0. Convert it to OpenAPI 3 first, for example with `npx swagger2openapi --outfile openapi.yaml FILE`.';

const sorted = (notes: Note[]) => notes.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
