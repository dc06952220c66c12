import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Contract, Media, Operation } from '../contract.ts';
import { ApiError, malformed } from '../errors.ts';
import { LEVELS, MOST } from './field-errors.ts';
import { Bytes, Incoming } from './incoming.ts';
import { formOf, JSON_BODY } from './media.ts';
import { type Fields, type Form, openForm, readForm } from './multipart.ts';
import { isFraction, isRounded } from './numbers.ts';
import { below } from './reasons.ts';

/** A body is parsed if it has the media type of its operation; every other one, and a body without one, is 415. */
export function registerBodyParser(app: FastifyInstance, operations: Contract['operations'] = {}): void {
  app.addHook('preParsing', ({ headers, raw }, reply, _payload, done) => {
    app.requests.rest(raw.state);
    // The client waits for `100 Continue`, which HTTP/1.0 does not have.
    if (headers.expect !== undefined && raw.httpVersion !== '1.0') reply.raw.writeContinue();
    done();
  });
  app.addHook('preValidation', ({ raw }, _reply, done) => done(app.requests.work(raw.state)));
  app.removeAllContentTypeParsers();
  const others = Object.values(operations).flatMap(({ body }) => body?.media ?? []);
  for (const [type, media] of new Map([JSON_BODY, ...others].map((one) => [one.type, one])))
    app.addContentTypeParser(type, parserOf(media));
  if (others.some(({ kind }) => kind === 'parts')) registerFiles(app);
  // The failure names the type of the operation.
  if (others.length > 0) app.addContentTypeParser('*', async (request: FastifyRequest) => wanted(request));
}

/** @throws ApiError 415 for another media type than that of the operation, by which the schema of the body is found */
function wanted({ raw, mediaType }: FastifyRequest): void {
  const { type } = raw.state.operation?.body?.media ?? JSON_BODY;
  if (mediaType !== type) throw new ApiError(415, `Send the body as ${type}`);
}

const parserOf =
  ({ kind }: Media) =>
  async (request: FastifyRequest, payload: IncomingMessage) => {
    const { headers, routeOptions, raw } = request;
    const { 'content-encoding': coding = 'identity' } = headers;
    wanted(request);
    if (coding.toLowerCase() !== 'identity') throw new ApiError(415, 'Send the body without a Content-Encoding');
    if (OTHER_CHARSET.test(headers['content-type'] ?? '')) throw new ApiError(415, 'Send the body in UTF-8');
    const isStreamed = routeOptions.config.isStream === true;
    if (kind === 'parts') return partsOf(request, payload, isStreamed);
    if (isStreamed && (kind === 'bytes' || kind === 'text')) return streamOf(payload, routeOptions.bodyLimit);
    const body = await readBody(payload, routeOptions.bodyLimit);
    if (kind === 'form') return formOf(decodeUtf8(body));
    if (kind === 'text') return decodeUtf8(body);
    if (kind === 'bytes') return body;
    if (body.length === 0) return undefined;
    const { value, rounded } = parseJson(body);
    raw.state.rounded = rounded;
    return value;
  };

/** @throws ApiError 413 if the client says that it sends too much */
function streamOf(payload: IncomingMessage, limit: number, hasDigest = true): Incoming {
  if (Number(payload.headers['content-length']) > limit) throw malformed('FST_ERR_CTP_BODY_TOO_LARGE');
  return new Incoming(payload, limit, { hasDigest });
}

/** The fields of a form. Its files take their places after the validation. */
async function partsOf({ raw, routeOptions }: FastifyRequest, payload: IncomingMessage, isStreamed: boolean) {
  const { body = {} } = raw.state.operation as Operation;
  const read = isStreamed ? openForm : readForm;
  // Its fields and files are covered one by one.
  const whole = streamOf(payload, routeOptions.bodyLimit, false);
  const form = await read(payload, whole, body, (text) => parseJson(text).value);
  forms.set(raw, form);
  return form.fields;
}

/** The forms of requests in progress. */
const forms = new WeakMap<IncomingMessage, Form>();

function registerFiles(app: FastifyInstance): void {
  app.addHook('preHandler', ({ raw, body }, _reply, done) => {
    const form = forms.get(raw);
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

/** The files of a form that is read by its handler. */
export const FILES = Symbol('files');

/** Matches a `charset` other than UTF-8. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*(?:utf-8|"utf-8")\s*(?:;|$))/i;

/**
 * Reads a body into one buffer, where Fastify keeps its chunks.
 *
 * @throws ApiError 413 for more than `limit` bytes
 */
function readBody(payload: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const body = new Bytes(limit);
  payload.on('data', (chunk: Buffer) => {
    if (body.size + chunk.length > limit) reject(malformed('FST_ERR_CTP_BODY_TOO_LARGE'));
    else body.add(chunk);
  });
  payload.on('end', () => resolve(body.all));
  payload.on('error', reject);
  if (Number(payload.headers['content-length']) > limit) reject(malformed('FST_ERR_CTP_BODY_TOO_LARGE'));
  return promise;
}

/**
 * Parses JSON text in UTF-8 (RFC 8259) without loss.
 *
 * @returns the value, and the pointers of its numbers that a double cannot hold: see `isRounded`. An integer and a number out of range
 *   stay as they are, for the bounds of its schema. A fraction that would become an integer is NaN, which matches no schema of a number.
 * @throws ApiError 400 for invalid JSON, bytes that are not UTF-8, and values that are nested too deep
 */
export function parseJson(body: Buffer): { value: unknown; rounded: string[] } {
  const text = decodeUtf8(body);
  // A recursive function would use up its stack, here or in a handler.
  if (isDeep(body)) throw failed(`is nested deeper than ${LEVELS} levels`);
  const holders = new Map<object, Set<string>>();
  /** Is called with the object or array that holds the value. */
  function notice(this: object, key: string, value: unknown, context?: { source?: string }): unknown {
    const { source = '' } = context ?? {};
    if (typeof value !== 'number' || !isRounded(source, value)) return value;
    holders.set(this, (holders.get(this) ?? new Set()).add(key));
    return isFraction(source) ? Number.NaN : value;
  }
  try {
    const value: unknown = JSON.parse(text, ROUNDABLE.test(text) ? notice : undefined);
    return { value, rounded: holders.size > 0 ? pointersOf(value, holders) : [] };
  } catch {
    throw failed('is not valid JSON');
  }
}

/** @throws ApiError 400 for bytes that are not UTF-8 */
function decodeUtf8(body: Buffer): string {
  if (!isUtf8(body)) throw new ApiError(400, 'body is not valid UTF-8');
  return body.toString();
}

const failed = (message: string) => new ApiError(400, `body ${message}`, { errors: [{ pointer: '/body', message }] });

/** Matches where a number may not be one that a double holds: a fraction, an exponent, sixteen digits. */
const ROUNDABLE = /\d(?:[.eE]|\d{15})/;

function isDeep(body: Buffer): boolean {
  if (body.length < 2 * LEVELS) return false;
  let [depth, isText] = [0, false];
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) index += 1;
    else if (isText) continue;
    else if (byte === BRACKET || byte === BRACE) depth += 1;
    else if (byte === BRACKET + 2 || byte === BRACE + 2) depth -= 1;
    if (depth > LEVELS) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE] = Buffer.from('"\\[{') as unknown as [number, number, number, number];

/** The pointers of the values that objects and arrays hold by these names. No holder is found for a body that is a number. */
function pointersOf(value: unknown, holders: Map<object, Set<string>>): string[] {
  const pointers: string[] = [];
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null || pointers.length >= MOST) return;
    for (const name of holders.get(value) ?? []) pointers.push(below(at, name));
    for (const [name, part] of Object.entries(value)) visit(part, below(at, name));
  };
  visit(value, '/body');
  return pointers.length > 0 ? pointers : ['/body'];
}
