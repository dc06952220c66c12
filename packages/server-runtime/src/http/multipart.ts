import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import multipart, { type MultipartFile } from '@fastify/multipart';
import { below, checkMedia, fieldError, parseField } from '@petstore-platform/openapi-validation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FilePart, Operation } from '../contract.ts';
import { ApiError, malformed } from '../errors.ts';
import { bytesOf, Incoming } from './incoming.ts';
import { GONE } from './request-state.ts';

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
type Fields = Record<string, unknown>;

interface ReadForm {
  fields: Fields;
  /** The files of a form that was read to its end, by field. */
  files: Map<string, File[]>;
  /** The files of a form that is being read. */
  stream?: FileStreams;
}

/** What the contract says of a form. */
type Form = Pick<NonNullable<Operation['body']>, 'files' | 'json'>;

/** A part as it arrives. A text has no name. */
type Part = { field: string; name: string | undefined; type: string; source: Readable };

const LIMITS = {
  /** Each part takes memory, however short it is. */
  parts: 1_000,
  headerPairs: 20,
  // The limits of texts, of files by the contract, and of the whole body are others.
  fileSize: Number.POSITIVE_INFINITY,
};

/** The most bytes of all texts and their names, which are in memory also where files flow. */
const MAX_TEXTS = 2 ** 20;

const BROKEN = new ApiError(400, 'body is not valid multipart/form-data');

const failed = (field: string, reason: string, status = 400) => {
  const pointer = below('/body', field);
  return new ApiError(status, `body.${field.slice(0, 64)} ${reason}`, { errors: [fieldError(pointer, reason)] });
};

/** The failure for an error of the plugin, or of a part. */
function failureOf(error?: Error & { code?: string }): ApiError {
  if (error instanceof ApiError) return error;
  if (error?.code === 'FST_MP_PREMATURE_CLOSE') return GONE;
  return error?.code === 'FST_PARTS_LIMIT' ? new ApiError(413, `body has more than ${LIMITS.parts} parts`) : BROKEN;
}

/** Fails a body of more bytes than its limit: the plugin has none for the whole. Returns how many there were. */
function limitBytes(raw: IncomingMessage, limit: number): () => number {
  const tooLarge = malformed('FST_ERR_CTP_BODY_TOO_LARGE');
  if (Number(raw.headers['content-length']) > limit) throw tooLarge;
  let received = 0;
  raw.on('data', (chunk: Buffer) => {
    received += chunk.length;
    // The plugin ends its parts with this error, which the first chunk beyond the limit causes.
    if (received > limit && received - chunk.length <= limit) raw.emit('error', tooLarge);
  });
  return () => received;
}

/** The parts of a form, each once the last one was read to its end. Untouched files of a browser are left out. */
async function* partsOf(request: FastifyRequest, { files = {} }: Form): AsyncGenerator<Part, void> {
  const { raw, routeOptions } = request;
  const received = limitBytes(raw, routeOptions.bodyLimit);
  let hidden: string | undefined;
  // All parts are bytes here: the plugin would parse JSON with loss, and replace what is not UTF-8.
  const isPartAFile = (field = '') => {
    if (field in Object.prototype) hidden ??= field;
    return true;
  };
  try {
    for await (const part of request.parts({ limits: LIMITS, preservePath: true, isPartAFile })) {
      const { fieldname, filename, mimetype, file } = part as MultipartFile;
      const field = `${fieldname ?? ''}`;
      if (filename !== '' || !Object.hasOwn(files, field)) {
        yield { field, name: filename?.split(/[/\\]/).at(-1), type: mimetype, source: file };
        continue;
      }
      for await (const _ of file) throw failed(field, 'has an invalid file name');
    }
    if (received() === 0) throw BROKEN;
  } catch (error) {
    // The plugin takes no names of members of objects.
    throw hidden === undefined ? failureOf(error as Error) : failed(hidden, 'is unknown');
  } finally {
    raw.unpipe();
    raw.resume();
  }
}

/** Collects the fields of a form. */
class Collected {
  readonly fields = new Map<string, unknown>();
  readonly #form: Form;
  readonly #request: FastifyRequest;
  #left = MAX_TEXTS;

  constructor(request: FastifyRequest, form: Form) {
    this.#form = form;
    this.#request = request;
  }

  add(name: string, value: unknown): void {
    const earlier = this.fields.get(name);
    if (Array.isArray(earlier)) earlier.push(value);
    else this.fields.set(name, earlier === undefined ? value : [earlier, value]);
  }

  async addText({ field, source }: Part): Promise<void> {
    const { files = {}, json = [] } = this.#form;
    const tooLarge = new ApiError(413, `body has fields of more than ${MAX_TEXTS} bytes`);
    this.#left -= Buffer.byteLength(field);
    const bytes = await bytesOf(new Incoming(source, this.#left, { tooLarge, broken: failureOf, hasDigest: false }));
    this.#left -= bytes.length;
    if (this.#left < 0) throw tooLarge;
    if (Object.hasOwn(files, field)) throw failed(field, 'must be a file');
    if (!isUtf8(bytes)) throw failed(field, 'is not valid UTF-8');
    if (!json.includes(field)) return this.add(field, bytes.toString());
    for (const each of parseField(bytes, this.#request, field)) this.add(field, each);
  }

  /** A field may be named `__proto__`. */
  get value(): Fields {
    return Object.fromEntries(this.fields);
  }
}

/** @throws ApiError 400 for a file that the contract does not have */
function check({ field, name = '', type }: Part, files: Form['files'] = {}): FilePart {
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
  new Incoming(source, max, { tooLarge: failed(field, `is larger than ${max} bytes`, 413), broken: failureOf });

/** Reads a whole form, with its files in memory. */
async function readForm(request: FastifyRequest, form: Form): Promise<ReadForm> {
  const collected = new Collected(request, form);
  const found = new Map<string, File[]>();
  for await (const part of partsOf(request, form)) {
    if (part.name === undefined) {
      await collected.addText(part);
      continue;
    }
    const { field, name, type, source } = part;
    const incoming = limited(source, field, check(part, form.files));
    const file = new File([await bytesOf(incoming)], name, { type });
    found.set(field, [...(found.get(field) ?? []), file]);
    collected.add(field, `${incoming.digest} ${type} ${name}`);
  }
  return { fields: collected.value, files: found };
}

/** Reads the fields of a form that come before its files. What is required of the files holds once they are read. */
async function openForm(request: FastifyRequest, form: Form): Promise<ReadForm> {
  const { files = {} } = form;
  const collected = new Collected(request, form);
  const parts = partsOf(request, form);
  let next = await parts.next();
  try {
    for (; !next.done && next.value.name === undefined; next = await parts.next()) await collected.addText(next.value);
  } catch (error) {
    await parts.return();
    throw error;
  }
  for (const [name, { many }] of Object.entries(files))
    collected.fields.set(name, many ? Array.from({ length: Math.max(1, many.min ?? 1) }, () => '') : '');
  return { fields: collected.value, files: new Map(), stream: new FileStreams(request.raw, parts, next, files) };
}

/** The files of a form that is read by its handler. */
export const FILES = Symbol('files');

/** Reads forms with files before the validation, after which the files take their places. */
export async function registerForms(app: FastifyInstance): Promise<void> {
  const forms = new WeakMap<FastifyRequest, ReadForm>();
  await app.register(multipart);
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return;
    checkMedia(request);
    const { body = {} } = request.raw.state.operation as Operation;
    const form = await (request.routeOptions.config.isStream ? openForm : readForm)(request, body);
    forms.set(request, form);
    request.body = form.fields;
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const { raw, body } = request;
    const form = forms.get(request);
    const fields = body as Fields;
    if (form?.stream) {
      for (const name of Object.keys(raw.state.operation?.body?.files ?? {})) delete fields[name];
      Object.defineProperty(fields, FILES, { value: form.stream });
    } else
      for (const [name, files] of form?.files ?? []) {
        const isMany = raw.state.operation?.body?.files?.[name]?.many && Array.isArray(fields[name]);
        fields[name] = isMany ? files : files[0];
      }
    done();
  });
}

/** The files of a form in the order of the client, each as it arrives. One that is not read is skipped. */
export class FileStreams implements AsyncIterable<FileStream> {
  readonly #raw: IncomingMessage;
  readonly #parts: AsyncGenerator<Part, void>;
  #next: IteratorResult<Part, void>;
  readonly #files: NonNullable<Form['files']>;
  #failure: Error | null = null;
  readonly #read: { field: string; name: string; type: string; incoming: Incoming }[] = [];

  constructor(
    raw: IncomingMessage,
    parts: AsyncGenerator<Part, void>,
    next: IteratorResult<Part, void>,
    files: NonNullable<Form['files']>,
  ) {
    this.#raw = raw;
    this.#parts = parts;
    this.#next = next;
    this.#files = files;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FileStream, void> {
    try {
      yield* this.#walk();
    } catch (error) {
      // A handler may catch it.
      this.#failure = error as Error;
      this.destroy();
      throw error;
    }
  }

  async *#walk(): AsyncGenerator<FileStream, void> {
    for (; !this.#next.done; this.#next = await this.#parts.next()) {
      const part = this.#next.value;
      const { field, name, type, source } = part;
      if (name === undefined) throw failed(field, 'must be sent before the files');
      const file = check(part, this.#files);
      const { length } = this.#read.filter((one) => one.field === field);
      if (length >= (file.many ? (file.many.max ?? LIMITS.parts) : 1)) throw failed(field, 'is given too often');
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
    return this.#failure ?? this.#read.find(({ incoming }) => incoming.errored)?.incoming.errored ?? null;
  }

  /** Drops what was not read. */
  destroy(): void {
    this.#raw.unpipe();
    this.#raw.resume();
  }
}
