import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { below, fieldError } from '@petstore-platform/openapi-validation';
import type { FilePart, Operation } from '../contract.ts';
import { ApiError } from '../errors.ts';
import { Bytes, Incoming } from './incoming.ts';

/** A file as it arrives. Its name and its type are as the client says. */
export interface FileStream<Field extends string = string> {
  /** The name of the field. */
  field: Field;
  /** Without a path. */
  name: string;
  /** The media type. */
  type: string;
  stream: Readable;
}

/** The fields of a form, with a text in place of each file, by which an `Idempotency-Key` covers it. */
export type Fields = Record<string, unknown>;

export interface Form {
  fields: Fields;
  /** The files of a form that was read to its end, by field. */
  files: Map<string, File[]>;
  /** The files of a form that is being read. */
  stream?: FileStreams;
}

type Parts = Pick<NonNullable<Operation['body']>, 'files' | 'json'>;

type Parse = (text: Buffer) => unknown;

type Field = { field: string; value: string };
type Part = Field | { field: string; name: string; type: string; source: Readable };

/** The most parts. Each takes memory, however short it is. */
const PARTS = 1_000;

/** The most characters of all fields and their names, which are in memory also where files flow. */
const FIELDS = 2 ** 20;

const BROKEN = new ApiError(400, 'body is not valid multipart/form-data');

const failed = (field: string, reason: string, status = 400) => {
  const pointer = below('/body', field);
  return new ApiError(status, `body.${field.slice(0, 64)} ${reason}`, { errors: [fieldError(pointer, reason)] });
};

/** Separates the parts of a body, the next one once the last file is read. */
function split(headers: IncomingMessage['headers'], body: Incoming): Readable & AsyncIterable<Part> {
  const parts = new PassThrough({ objectMode: true, highWaterMark: 1 });
  const fail = (error: Error) => void parts.destroy(error);
  const malformed = () => fail(BROKEN);
  const limits = { fieldSize: FIELDS, parts: PARTS, headerPairs: 20, fieldNameSize: 200 };
  let busboy: BusboyInstance;
  try {
    busboy = new Busboy({ headers: headers as { 'content-type': string }, limits });
  } catch {
    malformed();
    return parts;
  }
  let open: Readable | undefined;
  busboy.on('file', (field, source, name, _encoding, type) => {
    open = source;
    // The end of the body within a file is a failure of the body.
    source.on('error', malformed);
    parts.write({ field: `${field ?? ''}`, name: `${name ?? ''}`, type, source });
  });
  let held = 0;
  busboy.on('field', (name, value, _name, isTruncated) => {
    const field = `${name ?? ''}`;
    held += field.length + value.length;
    if (isTruncated) fail(failed(field, `is larger than ${FIELDS} bytes`, 413));
    else if (held > FIELDS) fail(new ApiError(413, `body has fields of more than ${FIELDS} bytes`));
    else parts.write({ field, value });
  });
  busboy.on('partsLimit', () => fail(new ApiError(413, `body has more than ${PARTS} parts`)));
  busboy.on('error', malformed);
  busboy.on('finish', () => parts.end());
  body.on('error', fail);
  parts.on('error', () => {});
  parts.on('close', () => {
    body.unpipe(busboy);
    open?.destroy();
    body.destroy();
  });
  body.pipe(busboy);
  return parts;
}

/** Collects the fields of a form. */
class Collected {
  readonly fields = new Map<string, unknown>();
  readonly #parts: Parts;
  readonly #parse: Parse;

  constructor(parts: Parts, parse: Parse) {
    this.#parts = parts;
    this.#parse = parse;
  }

  add(name: string, value: unknown): void {
    const known = this.fields.get(name);
    if (Array.isArray(known)) known.push(value);
    else this.fields.set(name, known === undefined ? value : [known, value]);
  }

  text({ field, value }: Field): void {
    const { files = {}, json = [] } = this.#parts;
    if (Object.hasOwn(files, field)) throw failed(field, 'must be a file');
    if (!json.includes(field)) return void this.add(field, value);
    try {
      const parsed = this.#parse(Buffer.from(value));
      if (Array.isArray(parsed)) for (const each of parsed) this.add(field, each);
      else this.add(field, parsed);
    } catch {
      throw failed(field, 'is not valid JSON');
    }
  }

  /** A field may be named `__proto__`. */
  get value(): Fields {
    return Object.fromEntries(this.fields);
  }
}

/** @throws ApiError 400 for a file that the contract does not have */
function check(
  { field, name, type }: { field: string; name: string; type: string },
  files: Parts['files'] = {},
): FilePart {
  const part = Object.hasOwn(files, field) ? files[field] : undefined;
  if (!part) throw failed(field, 'must not be a file');
  // A name that a program appends to the path of a folder, whose file system takes 255 characters.
  if (/^\.{0,2}$/.test(name) || name.length > 255 || hasControls(name)) throw failed(field, 'has an invalid file name');
  const isOf = (range: string) => range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
  if (part.types && !part.types.some(isOf)) throw failed(field, `must be ${part.types.join(' or ')}`);
  return part;
}

const hasControls = (text: string) => [...text].some((each) => each < ' ' || each === '\u007f');

const limited = (source: Readable, field: string, { max = Number.POSITIVE_INFINITY }: FilePart) =>
  new Incoming(source, max, { tooLarge: failed(field, `is larger than ${max} bytes`, 413), broken: BROKEN });

/** Reads a whole form, with its files in memory. */
export async function readForm(request: IncomingMessage, body: Incoming, spec: Parts, parse: Parse): Promise<Form> {
  const collected = new Collected(spec, parse);
  const found = new Map<string, File[]>();
  const parts = split(request.headers, body);
  try {
    for await (const part of parts) {
      if (!('source' in part)) {
        collected.text(part);
        continue;
      }
      const { field, name, type } = part;
      const incoming = limited(part.source, field, check(part, spec.files));
      const bytes = new Bytes();
      for await (const chunk of incoming) bytes.add(chunk);
      found.set(field, [...(found.get(field) ?? []), new File([bytes.all], name, { type })]);
      collected.add(field, `${incoming.digest} ${type} ${name}`);
    }
  } finally {
    parts.destroy();
  }
  return { fields: collected.value, files: found };
}

/** Reads the fields of a form that come before its files. What is required of the files holds once they are read. */
export async function openForm(request: IncomingMessage, body: Incoming, spec: Parts, parse: Parse): Promise<Form> {
  const { files = {} } = spec;
  const collected = new Collected(spec, parse);
  const parts = split(request.headers, body);
  const iterator = parts[Symbol.asyncIterator]();
  let next: IteratorResult<Part>;
  try {
    for (next = await iterator.next(); !next.done && !('source' in next.value); next = await iterator.next())
      collected.text(next.value);
    for (const [name, { many }] of Object.entries(files))
      collected.fields.set(name, many ? Array.from({ length: Math.max(1, many.min ?? 1) }, () => '') : '');
  } catch (error) {
    parts.destroy();
    throw error;
  }
  return { fields: collected.value, files: new Map(), stream: new FileStreams(parts, iterator, next, files) };
}

/** The files of a form in the order of the client, each as it arrives. One that is not read is skipped. */
export class FileStreams implements AsyncIterable<FileStream> {
  readonly #parts: Readable;
  readonly #iterator: AsyncIterator<Part>;
  #next: IteratorResult<Part>;
  readonly #files: NonNullable<Parts['files']>;
  readonly #read: { field: string; name: string; type: string; incoming: Incoming }[] = [];

  constructor(
    parts: Readable,
    iterator: AsyncIterator<Part>,
    next: IteratorResult<Part>,
    files: NonNullable<Parts['files']>,
  ) {
    this.#parts = parts;
    this.#iterator = iterator;
    this.#next = next;
    this.#files = files;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FileStream, void> {
    for (; !this.#next.done; this.#next = await this.#iterator.next()) {
      const part = this.#next.value;
      if (!('source' in part)) throw failed(part.field, 'must be sent before the files');
      const { field, name, type, source } = part;
      const file = check(part, this.#files);
      const { length } = this.#read.filter((one) => one.field === field);
      if (length >= (file.many ? (file.many.max ?? PARTS) : 1)) throw failed(field, 'is given too often');
      const incoming = limited(source, field, file);
      this.#read.push({ field, name, type, incoming });
      yield { field, name, type, stream: incoming };
      if (!incoming.readableEnded) {
        incoming.destroy();
        if (!source.readableEnded) await once(source, 'end');
      }
    }
    for (const [field, { required, many }] of Object.entries(this.#files)) {
      const { length } = this.#read.filter((one) => one.field === field);
      const least = required ? Math.max(1, many?.min ?? 1) : length > 0 ? (many?.min ?? 0) : 0;
      if (length < least)
        throw length === 0 ? failed(field, 'is required') : failed(field, `must have at least ${least} items`);
    }
  }

  /** Covers all files. @throws Error if one was not read to its end */
  get digest(): string {
    if (!this.#next.done) throw new Error('All files are read before a change: an Idempotency-Key covers them');
    return JSON.stringify(this.#read.map(({ field, name, type, incoming }) => [field, name, type, incoming.digest]));
  }

  /** The failure of the form, or of a file. */
  get errored(): Error | null {
    return this.#parts.errored ?? this.#read.find(({ incoming }) => incoming.errored)?.incoming.errored ?? null;
  }

  destroy(): void {
    this.#parts.destroy();
  }
}
