import { type IncomingMessage, maxHeaderSize } from 'node:http';
import type { FastifyHttpOptions, RawRequestDefaultExpression, RawServerDefault } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from './errors.ts';
import type { Exchanges } from './exchanges.ts';

/** Bytes of a body at most. The largest animal has 255 characters. */
const BODY_LIMIT = 64 * 1024;

/** The settings of HTTP, below the routes. */
export function serverOptions(config: Config, { clientError }: Exchanges) {
  return {
    trustProxy: config.TRUST_PROXY,
    genReqId: (request: RawRequestDefaultExpression) => request.exchange.id,
    bodyLimit: BODY_LIMIT,
    // Slow clients, in milliseconds: until the headers and the whole request are there, with nothing sent or read, and between
    // requests. The last is longer than the minute after which common proxies give up a connection, so that they are first.
    requestTimeout: 30_000,
    connectionTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // Of several `Host` or `Authorization` headers, Node.js would leave out all but the first.
    http: {
      joinDuplicateHeaders: true,
      requireHostHeader: false,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 1_000,
    },
    return503OnClosing: false,
    rewriteUrl,
    // No path value is too long for its route: Node.js has limited the whole request line.
    routerOptions: { maxParamLength: maxHeaderSize },
    clientErrorHandler: clientError,
  } satisfies FastifyHttpOptions<RawServerDefault>;
}

/** `GET http://host/v1/pets` is the absolute form of `/v1/pets` (RFC 9112 section 3.2.2). A path that cannot be decoded fails later. */
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
 * What Node.js would have checked: exactly one `Host` in HTTP/1.1 (RFC 9112 section 3.2), and no expectation but
 * `100-continue` (RFC 9110 section 10.1.1).
 */
export function transportFailure(request: IncomingMessage): ApiError | undefined {
  const headers = { Connection: 'close' };
  const { host, expect } = request.headers;
  if (host === undefined ? request.httpVersion === '1.1' : host.includes(', ')) {
    return new ApiError(400, 'The request needs exactly one Host header', { headers });
  }
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return new ApiError(417, 'Only Expect: 100-continue is understood', { headers });
}
