import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeUtf8, parseJson } from './json.ts';
import { bodyError, RequestError } from './reasons.ts';

export const FORM = 'application/x-www-form-urlencoded';

/** Matches a `charset` other than UTF-8. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*(?:utf-8|"utf-8")\s*(?:;|$))/i;

/** @throws RequestError 415 for a body of another media type than that of the operation, in another coding or in another charset */
export function checkMedia({ headers, mediaType, routeOptions }: FastifyRequest): void {
  const { type } = routeOptions.config.openapi?.body?.media ?? { type: 'application/json' };
  if (type !== undefined && mediaType !== type) throw new RequestError(415, `Send the body as ${type}`);
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
  add(/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i, parseJson);
  if (!app.hasContentTypeParser(FORM)) add(FORM, (body) => parseForm(decodeUtf8(body)));
}

/**
 * The fields of a form as texts, and as a list if a name is repeated.
 *
 * @throws RequestError 400 for an invalid percent-encoding
 */
export function parseForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  try {
    decodeURIComponent(text);
  } catch {
    throw bodyError('has an invalid percent-encoding');
  }
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = fields.get(name);
    // A copy of the list for each value would take seconds for a form of 64 KiB.
    if (Array.isArray(earlier)) earlier.push(value);
    else fields.set(name, earlier === undefined ? value : [earlier, value]);
  }
  // A field may be named `__proto__`.
  return Object.fromEntries(fields);
}
