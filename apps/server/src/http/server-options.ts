import { type IncomingMessage, maxHeaderSize } from 'node:http';
import type { FastifyHttpOptions, RawRequestDefaultExpression, RawServerDefault } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from './errors.ts';
import type { Exchanges } from './exchanges.ts';

/** Bytes of a body at most. The largest animal has 255 characters. */
const BODY_LIMIT = 64 * 1024;

/** HTTP settings of Fastify and Node.js. */
export function serverOptions(config: Config, { clientError }: Exchanges) {
  return {
    trustProxy: config.TRUST_PROXY,
    genReqId: (request: RawRequestDefaultExpression) => request.exchange.id,
    bodyLimit: BODY_LIMIT,
    // In milliseconds. `keepAliveTimeout` exceeds the idle timeout of common proxies, a minute: the proxy must close first.
    requestTimeout: 30_000,
    connectionTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // Otherwise Node.js drops all but the first of several `Host` or `Authorization` headers.
    http: {
      joinDuplicateHeaders: true,
      requireHostHeader: false,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 1_000,
    },
    return503OnClosing: false,
    rewriteUrl,
    // Node.js limits the request line already.
    routerOptions: { maxParamLength: maxHeaderSize },
    clientErrorHandler: clientError,
  } satisfies FastifyHttpOptions<RawServerDefault>;
}

/** Takes the absolute form, as in `GET http://host/v1/pets` (RFC 9112 section 3.2.2). An undecodable path fails later. */
function rewriteUrl(request: RawRequestDefaultExpression): string {
  const target = request.url ?? '/';
  const authority = /^https?:\/\/[^/?#]+/i.exec(target)?.[0] ?? '';
  const path = target.slice(authority.length);
  const url = path.startsWith('/') || authority === '' ? path : `/${path}`;
  if (!url.includes('%')) return url;
  try {
    decodeURI(url.split(/[?#]/, 1)[0] ?? '');
    return url;
  } catch {
    request.exchange.failure ??= new ApiError(400, 'The path has an invalid percent-encoding');
    return url.replaceAll('%', '%25');
  }
}

/**
 * Checks in place of Node.js: exactly one `Host` in HTTP/1.1 (RFC 9112 section 3.2), and no expectation but `100-continue`
 * (RFC 9110 section 10.1.1).
 */
export function transportFailure(request: IncomingMessage): ApiError | undefined {
  const headers = { Connection: 'close' };
  const { host, expect } = request.headers;
  if (host === undefined ? request.httpVersion === '1.1' : host.includes(', ')) {
    return new ApiError(400, 'The request must have exactly one Host header', { headers });
  }
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return new ApiError(417, 'Only Expect: 100-continue is supported', { headers });
}
