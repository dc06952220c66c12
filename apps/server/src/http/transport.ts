import { randomUUID } from 'node:crypto';
import { type IncomingMessage, maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest, RawRequestDefaultExpression } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from './api-error.ts';
import { headerValues } from './header-values.ts';
import { requestIds } from './request-id.ts';
import { trustedBy } from './trust-proxy.ts';
import { takeUnanswered } from './unanswered.ts';

/** The largest body in bytes. The largest animal has 255 characters. */
const BODY_LIMIT = 64 * 1024;

/**
 * How long in milliseconds a connection stays after its last answer, for a client that is still sending to read it before a
 * reset takes it away (RFC 9112 section 9.6). No client can keep one open for longer.
 */
const LINGER = 1_000;

/** Rate-limit headers for a client address. */
type HeadersOf = (address: string) => Record<string, string>;

/** Told of an answer that was written to the socket: its id, and the request that it is for if it came to be one. */
export type OnRawAnswer = (id: string, failure: ApiError, reply: FastifyReply | undefined) => void;

/** Requests whose path no decoding understands. They take the way of an unknown path, and are told what is wrong with theirs. */
const undecodable = new WeakSet<IncomingMessage>();

/** The settings below the routes. What Node.js answers by itself gets the Error body and headers, too. */
export function transportOptions({ trustProxy }: Config, headersOf: HeadersOf, onRawAnswer: OnRawAnswer) {
  const isTrusted = trustedBy(trustProxy);
  return {
    trustProxy: isTrusted,
    genReqId: requestIds(isTrusted),
    bodyLimit: BODY_LIMIT,
    // Slow clients, in milliseconds: until the headers and the whole request are there, with nothing sent or read, and between
    // requests. The last is longer than the minute after which common proxies give up a connection, so that they are first.
    requestTimeout: 30_000,
    connectionTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: { requireHostHeader: false, headersTimeout: 15_000, connectionsCheckingInterval: 1_000 },
    return503OnClosing: false,
    rewriteUrl: (request: RawRequestDefaultExpression) => {
      const url = originForm(request.url);
      if (isDecodable(url)) return url;
      undecodable.add(request);
      return url.replaceAll('%', '%25');
    },
    // No path value is too long for its route: Node.js has limited the whole request line.
    routerOptions: { maxParamLength: maxHeaderSize },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      answerUnparsable(error, socket, headersOf(socket.remoteAddress ?? ''), onRawAnswer);
    },
  };
}

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURI(url.split(/[?#]/, 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** A request that could not even be parsed, or not to its end: the answer is written to the socket. */
export function answerUnparsable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  headers: Record<string, string>,
  onRawAnswer: OnRawAnswer,
): void {
  // It is answered already; what else arrives is dropped.
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy(error);
    return;
  }
  const waiting = [...(unanswered.get(socket) ?? [])];
  const answer = () => {
    const broken = waiting.find(({ req }) => !req.complete);
    if (socket.writable) writeRaw(socket, unparsable(error.code), headers, onRawAnswer, takeUnanswered(broken));
  };
  // The requests that arrived whole before it are answered first: an answer belongs to a request by its place only.
  const last = waiting.findLast(({ req }) => req.complete);
  if (last) last.once('close', answer);
  else answer();
}

/** The responses that a connection still has to give, in the order of its requests. */
const unanswered = new WeakMap<Duplex, Set<ServerResponse>>();

function trackUnanswered({ socket }: IncomingMessage, response: ServerResponse): void {
  const responses = unanswered.get(socket) ?? new Set();
  unanswered.set(socket, responses.add(response));
  response.once('close', () => responses.delete(response));
}

function unparsable(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError(408, 'The request took too long to arrive');
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError(431, 'The request headers are too large');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new ApiError(413, 'The body is larger than the service accepts');
  return new ApiError(400, 'The request is not valid HTTP');
}

function writeRaw(
  socket: Duplex,
  error: ApiError,
  headers: Record<string, string>,
  onRawAnswer: OnRawAnswer,
  reply?: FastifyReply,
): void {
  const id = reply?.request.id ?? randomUUID();
  const body = JSON.stringify(error.body());
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    `X-Request-Id: ${id}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    ...Object.entries({ ...error.headers, ...headers }).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER).unref();
  onRawAnswer(id, error, reply);
}

/**
 * Keeps account of what is unanswered, and leaves `Expect` and `CONNECT` to us: an expectation goes the request's usual way,
 * where `checkTransport` refuses an unknown one and the body parser asks for the body only after authentication.
 */
export function interceptTransport(server: Server, headersOf: HeadersOf, onRawAnswer: OnRawAnswer): void {
  const forward = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response);
  // Node.js takes its own listener away from a socket that it hands over, as for CONNECT: a reset would end the process.
  server.on('connection', (socket) => socket.on('error', () => {}));
  server.prependListener('request', trackUnanswered);
  server.on('checkContinue', forward);
  server.on('checkExpectation', forward);
  server.on('connect', ({ socket }) => {
    writeRaw(socket, new ApiError(400, 'This is not a proxy'), headersOf(socket.remoteAddress ?? ''), onRawAnswer);
  });
}

/**
 * What Node.js and the framework would have checked: exactly one `Host` in HTTP/1.1 (RFC 9112 section 3.2), no expectation but
 * `100-continue` (RFC 9110 section 10.1.1), and a path that can be decoded.
 *
 * @returns the failure: 400 or 417
 */
export function checkTransport({ raw }: FastifyRequest): ApiError | undefined {
  const hosts = headerValues(raw, 'host').length;
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) {
    return new ApiError(400, 'The request needs exactly one Host header', { headers: { Connection: 'close' } });
  }
  const { expect } = raw.headers;
  if (expect !== undefined && !isContinue(expect)) {
    return new ApiError(417, 'Only Expect: 100-continue is understood', { headers: { Connection: 'close' } });
  }
  return undecodable.has(raw) ? new ApiError(400, 'The path has an invalid percent-encoding') : undefined;
}

/** Whether a client sends its body only when it is asked to. One that speaks HTTP/1.0 does not understand the question. */
export function awaitsContinue({ headers: { expect }, httpVersion }: IncomingMessage): boolean {
  return expect !== undefined && httpVersion !== '1.0' && isContinue(expect);
}

function isContinue(expect: string): boolean {
  return expect.toLowerCase() === '100-continue';
}

/** `GET http://host/v1/pets` is the absolute form of `/v1/pets` (RFC 9112 section 3.2.2). */
function originForm(target = '/'): string {
  const authority = /^https?:\/\/[^/?#]+/i.exec(target)?.[0] ?? '';
  const path = target.slice(authority.length);
  return path.startsWith('/') || authority === '' ? path : `/${path}`;
}
