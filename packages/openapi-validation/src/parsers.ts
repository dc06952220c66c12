import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeUtf8, parseJson } from './json.ts';
import { below, fieldError, inWords, RequestError, wholeError } from './reasons.ts';
import { isDecodable, readFields } from './styles.ts';

export const FORM = 'application/x-www-form-urlencoded';

/** Matches a `charset` other than UTF-8. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*(?:utf-8|"utf-8")\s*(?:;|$))/i;

/** @throws RequestError 415 for a body of another media type than that of the operation, in another coding or in another charset */
export function checkMedia({ headers, mediaType = '', routeOptions }: FastifyRequest): void {
  // Fastify also parses texts, which a schema without a media type does not mean.
  const parsed = mediaType === 'text/plain' ? 'application/json' : mediaType;
  const { type = parsed } = routeOptions.config.openapi?.body?.media ?? { type: 'application/json' };
  const { content } = Object(routeOptions.schema?.body);
  const types = content ? Object.keys(content) : [type];
  if (!types.includes(mediaType)) throw new RequestError(415, `Send the body as ${types.join(' or ')}`);
  const { 'content-encoding': coding = 'identity' } = headers;
  if (coding.toLowerCase() !== 'identity') throw new RequestError(415, 'Send the body without a Content-Encoding');
  if (OTHER_CHARSET.test(headers['content-type'] ?? '')) throw new RequestError(415, 'Send the body in UTF-8');
}

/** Parses JSON and forms in place of Fastify, which rounds numbers and replaces bytes that are not UTF-8. */
export function registerParsers(app: FastifyInstance): void {
  const add = (type: string | RegExp, parse: (body: Buffer, request: FastifyRequest) => unknown) =>
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
      if (request.routeOptions.config.openapi) checkMedia(request);
      return parse(body, request);
    });
  app.removeContentTypeParser('application/json');
  add(/^application\/(?:[\w.!#$&^+-]+\+)?json(?:\s*;|$)/i, parseJson);
  if (!app.hasContentTypeParser(FORM)) add(FORM, parseForm);
}

/**
 * The fields of a form as texts, and as a list if a name is repeated. Those that are JSON, or have a style, are read as the operation says.
 *
 * @throws RequestError 400 for an invalid percent-encoding, and for invalid JSON
 */
export function parseForm(bytes: Buffer, request: FastifyRequest): Record<string, unknown> {
  const text = decodeUtf8(bytes);
  const { json = [], styles } = request.routeOptions.config.openapi?.body ?? {};
  const fields = new Map<string, unknown>();
  if (!isDecodable(text)) throw wholeError('body', 'has an invalid percent-encoding');
  for (const [name, value] of new URLSearchParams(text))
    for (const each of json.includes(name) ? parseField(Buffer.from(value), request, name) : [value]) {
      const earlier = fields.get(name);
      // A copy of the list for each value would take seconds for a form of 64 KiB.
      if (Array.isArray(earlier)) earlier.push(each);
      else fields.set(name, earlier === undefined ? each : [earlier, each]);
    }
  // A field may be named `__proto__`.
  const read = Object.fromEntries(fields);
  return styles ? readFields(styles, read, text) : read;
}

/**
 * A field of a form that is JSON, or its items.
 *
 * @throws RequestError 400 for invalid JSON
 */
export function parseField(bytes: Buffer, request: FastifyRequest, name: string): unknown[] {
  const pointer = below('/body', name);
  try {
    return [parseJson(bytes, request, pointer)].flat();
  } catch {
    throw new RequestError(400, `${inWords(pointer)} ${NO_JSON}`, [fieldError(pointer, NO_JSON)]);
  }
}

const NO_JSON = 'is not valid JSON';
