import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import { below, checkMedia, fieldError, parseField } from '@petstore-platform/openapi-validation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FilePart, Operation } from '../contract.ts';
import { ApiError, malformed } from '../errors.ts';
import { bytesOf, type Incoming, incoming } from './incoming.ts';
import { GONE } from './request-state.ts';

/** A file as it arrives. Its name and its type are as the client says. */
export interface FileStream<Field extends string = string> {
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
  /** Puts the files in the places of their texts, once these are validated. */
  place(fields: Fields): void;
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

function collector(request: FastifyRequest, { files = {}, json = [] }: Form) {
  /** A field may be named `__proto__`. */
  const fields = new Map<string, unknown>();
  let left = MAX_TEXTS;
  const add = (name: string, value: unknown): void => {
    const earlier = fields.get(name);
    if (Array.isArray(earlier)) earlier.push(value);
    else fields.set(name, earlier === undefined ? value : [earlier, value]);
  };
  const addText = async ({ field, source }: Part): Promise<void> => {
    const tooLarge = new ApiError(413, `body has fields of more than ${MAX_TEXTS} bytes`);
    left -= Buffer.byteLength(field);
    const bytes = await bytesOf(source, left, { tooLarge, broken: failureOf });
    left -= bytes.length;
    if (left < 0) throw tooLarge;
    if (Object.hasOwn(files, field)) throw failed(field, 'must be a file');
    if (!isUtf8(bytes)) throw failed(field, 'is not valid UTF-8');
    if (!json.includes(field)) return add(field, bytes.toString());
    for (const each of parseField(bytes, request, field)) add(field, each);
  };
  return { fields, add, addText };
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

const failuresOf = (field: string, { max = Number.POSITIVE_INFINITY }: FilePart) =>
  [max, { tooLarge: failed(field, `is larger than ${max} bytes`, 413), broken: failureOf }] as const;

/** Reads a whole form, with its files in memory. */
async function readForm(request: FastifyRequest, form: Form): Promise<ReadForm> {
  const { fields, add, addText } = collector(request, form);
  const found = new Map<string, File[]>();
  for await (const part of partsOf(request, form)) {
    const { field, name, type, source } = part;
    if (name === undefined) {
      await addText(part);
      continue;
    }
    const bytes = await bytesOf(source, ...failuresOf(field, check(part, form.files)));
    found.set(field, [...(found.get(field) ?? []), new File([bytes], name, { type })]);
    add(field, `${hash('sha256', bytes)} ${type} ${name}`);
  }
  const place = (valid: Fields) => {
    for (const [name, files] of found)
      valid[name] = form.files?.[name]?.many && Array.isArray(valid[name]) ? files : files[0];
  };
  return { fields: Object.fromEntries(fields), place };
}

/** Reads the fields of a form that come before its files. What is required of the files holds once they are read. */
async function openForm(request: FastifyRequest, form: Form): Promise<ReadForm> {
  const { files = {} } = form;
  const { fields, addText } = collector(request, form);
  const parts = partsOf(request, form);
  let next = await parts.next();
  try {
    for (; !next.done && next.value.name === undefined; next = await parts.next()) await addText(next.value);
  } catch (error) {
    await parts.return();
    throw error;
  }
  for (const [name, { many }] of Object.entries(files))
    fields.set(name, many ? Array.from({ length: Math.max(1, many.min ?? 1) }, () => '') : '');
  const value = fileStreams(request.raw, parts, next, files);
  const place = (valid: Fields) => {
    for (const name of Object.keys(files)) delete valid[name];
    Object.defineProperty(valid, FILES, { value });
  };
  return { fields: Object.fromEntries(fields), place };
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
    forms.get(request)?.place(request.body as Fields);
    done();
  });
}

export type FileStreams = ReturnType<typeof fileStreams>;

/** The files of a form in the order of the client, each as it arrives. One that is not read is skipped. */
function fileStreams(
  raw: IncomingMessage,
  parts: AsyncGenerator<Part, void>,
  first: IteratorResult<Part, void>,
  files: NonNullable<Form['files']>,
) {
  let next = first;
  let failure: Error | null = null;
  const read: { field: string; name: string; type: string; stream: Incoming }[] = [];
  const countOf = (field: string) => read.filter((one) => one.field === field).length;

  async function* walk(): AsyncGenerator<FileStream, void> {
    for (; !next.done; next = await parts.next()) {
      const { field, name, type, source } = next.value;
      if (name === undefined) throw failed(field, 'must be sent before the files');
      const file = check(next.value, files);
      if (countOf(field) >= (file.many ? (file.many.max ?? LIMITS.parts) : 1))
        throw failed(field, 'is given too often');
      const stream = incoming(source, ...failuresOf(field, file));
      const one = { field, name, type, stream };
      read.push(one);
      yield { ...one };
      if (!stream.readableEnded) {
        stream.destroy();
        await finished(source).catch(() => {});
      }
    }
    for (const [field, { required, many }] of Object.entries(files)) {
      const count = countOf(field);
      const least = required ? Math.max(1, many?.min ?? 1) : count > 0 ? (many?.min ?? 0) : 0;
      if (count < least)
        throw count === 0 ? failed(field, 'is required') : failed(field, `must have at least ${least} items`);
    }
  }

  /** Drops what was not read. */
  const destroy = () => {
    raw.unpipe();
    raw.resume();
  };
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* walk();
      } catch (error) {
        // A handler may catch it.
        failure = error as Error;
        destroy();
        throw error;
      }
    },
    /** Covers all files. @throws Error if one was not read to its end */
    get digest(): string {
      if (!next.done) throw new Error('Read all files before write(): the Idempotency-Key covers them');
      return JSON.stringify(read.map(({ field, name, type, stream }) => [field, name, type, stream.digest]));
    },
    /** The failure of the form, or of a file. */
    get errored(): Error | null {
      return failure ?? read.find(({ stream }) => stream.errored)?.stream.errored ?? null;
    },
    destroy,
  };
}
