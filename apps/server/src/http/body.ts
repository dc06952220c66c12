import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

/** Only `application/json` is parsed; every other media type, and a body without one, is 415. */
export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: { headers: Record<string, unknown> }, body: Buffer) => {
      const coding = request.headers['content-encoding'];
      if (coding !== undefined && coding !== 'identity')
        throw new ApiError(415, 'Send the body without a Content-Encoding');
      return parseJson(body);
    },
  );
}

/**
 * JSON text in UTF-8 (RFC 8259) as a value, without losing or inventing anything on the way.
 *
 * @throws ApiError 400 for text that is no JSON, no UTF-8, or that a JavaScript value cannot hold exactly
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new ApiError(400, 'body is required');
  if (!isUtf8(body)) throw new ApiError(400, 'body is not valid UTF-8');
  const text = body.toString();
  let value: unknown;
  try {
    value = JSON.parse(text, FRACTION_OR_EXPONENT.test(text) ? refuseRounding : undefined);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(400, 'body is not valid JSON');
  }
  return value;
}

const FRACTION_OR_EXPONENT = /\d[.eE]/;

/** Up to this many significant digits, different decimal numbers are different doubles (IEEE 754, DBL_DIG). */
const EXACT_DIGITS = 15;

/** `9007199254740991.4` would silently become an integer; an integer out of range stays one and fails its bounds. */
function refuseRounding(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value === 'number' && source !== undefined && FRACTION_OR_EXPONENT.test(source)) {
    const digits = source
      .replace(/[eE].*/, '')
      .replace(/\D/g, '')
      .replace(/^0+/, '');
    if (digits.length > EXACT_DIGITS)
      throw new ApiError(400, `body has a number with more than ${EXACT_DIGITS} digits`);
  }
  return value;
}
