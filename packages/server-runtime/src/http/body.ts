import type { IncomingMessage } from 'node:http';
import { checkMedia, decodeUtf8, parseForm, parseJson, readJson } from '@petstore-platform/openapi-validation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Contract, Media, Operation } from '../contract.ts';
import { malformed } from '../errors.ts';
import { Bytes, Incoming } from './incoming.ts';
import { JSON_BODY } from './media.ts';
import { type Fields, type Form, openForm, readForm } from './multipart.ts';

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
  if (others.length > 0) app.addContentTypeParser('*', async (request: FastifyRequest) => checkMedia(request));
}

const parserOf =
  ({ kind }: Media) =>
  async (request: FastifyRequest, payload: IncomingMessage) => {
    const { routeOptions } = request;
    checkMedia(request);
    const isStreamed = routeOptions.config.isStream === true;
    if (kind === 'parts') return partsOf(request, payload, isStreamed);
    if (isStreamed && (kind === 'bytes' || kind === 'text')) return streamOf(payload, routeOptions.bodyLimit);
    const body = await readBody(payload, routeOptions.bodyLimit);
    if (kind === 'form') return parseForm(decodeUtf8(body));
    if (kind === 'text') return decodeUtf8(body);
    return kind === 'bytes' ? body : parseJson(body, request);
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
  const form = await read(payload, whole, body, (text) => readJson(text).value);
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
