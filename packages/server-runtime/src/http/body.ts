import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, malformed } from '../errors.ts';

/** Only `application/json` is parsed; every other media type, and a body without one, is 415. */
export function registerBodyParser(app: FastifyInstance): void {
  app.addHook('preParsing', ({ headers, raw }, reply, _payload, done) => {
    app.exchanges.rest(raw.exchange);
    // The client waits for `100 Continue`, which HTTP/1.0 does not have.
    if (headers.expect !== undefined && raw.httpVersion !== '1.0') reply.raw.writeContinue();
    done();
  });
  app.addHook('preValidation', ({ raw }, _reply, done) => done(app.exchanges.work(raw.exchange)));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async ({ headers, routeOptions }: FastifyRequest, payload: IncomingMessage) => {
      const { 'content-encoding': coding = 'identity' } = headers;
      if (coding !== 'identity') throw new ApiError(415, 'Send the body without a Content-Encoding');
      if (OTHER_CHARSET.test(headers['content-type'] ?? '')) throw new ApiError(415, 'Send the body in UTF-8');
      const body = await readBody(payload, routeOptions.bodyLimit);
      return body.length > 0 ? parseJson(body) : undefined;
    },
  );
}

/** Matches a `charset` other than UTF-8. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*(?:utf-8|"utf-8")\s*(?:;|$))/i;

/**
 * Reads a body into one buffer. Fastify keeps its chunks, each of which takes hundreds of bytes of memory, even with a single
 * one in it.
 *
 * @throws ApiError 413 for more than `limit` bytes
 */
function readBody(payload: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let body = Buffer.allocUnsafe(1_024);
  let size = 0;
  payload.on('data', (chunk: Buffer) => {
    const needed = size + chunk.length;
    if (needed > limit) return reject(malformed('FST_ERR_CTP_BODY_TOO_LARGE'));
    if (needed > body.length) body = Buffer.concat([body], Math.min(2 * needed, limit));
    size += chunk.copy(body, size);
  });
  payload.on('end', () => resolve(body.subarray(0, size)));
  payload.on('error', reject);
  if (Number(payload.headers['content-length']) > limit) reject(malformed('FST_ERR_CTP_BODY_TOO_LARGE'));
  return promise;
}

/**
 * Parses JSON text in UTF-8 (RFC 8259) without loss.
 *
 * @throws ApiError 400 for invalid JSON, and for bytes that are not UTF-8
 */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new ApiError(400, 'body is not valid UTF-8');
  const text = body.toString();
  try {
    return JSON.parse(text, FRACTION_OR_EXPONENT.test(text) ? refuseRounding : undefined);
  } catch {
    throw new ApiError(400, 'body is not valid JSON');
  }
}

const FRACTION_OR_EXPONENT = /\d[.eE]/;

/**
 * `9007199254740991.4` and `1e-400` would silently become integers. They become NaN, which matches no schema. An integer out of
 * range fails its bounds.
 */
function refuseRounding(_key: string, value: unknown, context?: { source?: string }): unknown {
  return Number.isInteger(value) && isFraction(context?.source ?? '') ? Number.NaN : value;
}

/** Whether the source text of a JSON number lies between two integers. */
function isFraction(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.replace(/^-/, '').split(/e/i);
  const [integer = '', fraction = ''] = mantissa.split('.');
  const digits = integer + fraction;
  let significant = digits.length;
  while (digits[significant - 1] === '0') significant -= 1;
  return significant > 0 && significant > integer.length + Number(exponent);
}
