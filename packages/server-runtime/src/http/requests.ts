import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseClock } from '@petstore-platform/quota';
import { ApiError, malformed, unavailable } from '../errors.ts';
import type { IsTrusted } from '../proxies.ts';
import type { WriteFailure } from './failures.ts';
import { ENDING, GONE, RequestState, SLOW } from './request-state.ts';

declare module 'node:net' {
  interface Socket {
    /** The unfinished requests of the connection, in their order. */
    requests: RequestState[];
    /** The failure to answer after them. */
    failure: ApiError | undefined;
  }
}

/** Status in log and metrics if the client closed the connection before the end of the response. Never sent. */
const CLIENT_GONE = 499;

/** Shared by all requests, to avoid capturing a stack for each. */
export const OVERLOAD = unavailable('The service is temporarily overloaded');

/** Milliseconds between two checks while draining. */
const DRAIN_CHECK_INTERVAL = 20;

/** The most header fields of a request, as in other servers. Each takes a hundred bytes of memory until the response is read. */
const MAX_HEADERS = 100;

/** The most bytes that are read, and dropped, of a body after its response. */
const MAX_DROPPED_BYTES = 2 ** 20;

/** Whether a client may send more of its body than is read, so that its response ends the connection. */
export const hasRest = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && ('transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > MAX_DROPPED_BYTES);

/**
 * Checks in place of Node.js: not too many headers, exactly one `Host` in HTTP/1.1 (RFC 9112 section 3.2), no chunks in
 * HTTP/1.0 (section 6.1), and no expectation but `100-continue` (RFC 9110 section 10.1.1).
 */
function transportFailure(request: IncomingMessage): ApiError | undefined {
  const headers = { Connection: 'close' };
  // Node.js leaves out the headers beyond this number.
  if (request.rawHeaders.length >= 2 * MAX_HEADERS) {
    return new ApiError(431, `The request must have fewer than ${MAX_HEADERS} headers`, { headers });
  }
  const { host, expect } = request.headers;
  if (host === undefined ? request.httpVersion === '1.1' : host.includes(', ')) {
    return new ApiError(400, 'The request must have exactly one Host header', { headers });
  }
  if (request.httpVersion === '1.0' && 'transfer-encoding' in request.headers) {
    return new ApiError(400, 'A request of HTTP/1.0 has no Transfer-Encoding', { headers });
  }
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return new ApiError(417, 'Only Expect: 100-continue is supported', { headers });
}

/** Milliseconds for which a connection is read after its last response. */
const LINGER_TIME = 1_000;

export interface RequestsOptions {
  /** The most open connections. Further ones are closed at once. */
  maxConnections: number;
  isTrusted: IsTrusted | false;
  /** The most requests that the server works on at a time. */
  maxRequests: number;
  /** The header by which SDKs tell their version. */
  clientHeader: string;
  /** Of the `Date` of all responses (RFC 9110 section 6.6.1). */
  clock: DatabaseClock;
  /** Further headers of a response that the framework does not send. */
  headers(): Record<string, string>;
  write: WriteFailure;
  /** Called once at the end of each request. */
  onEnd(state: RequestState): void;
}

/** Whether the response only ends when the client leaves, or the server. */
export const isEndless = ({ operation }: RequestState): boolean =>
  operation?.response.media?.[operation.response.status]?.[0]?.kind === 'events';

/** Tells the handlers of a connection that they need not go on. */
function abort({ requests }: Socket, reason: ApiError): void {
  for (const state of requests) state.abort(reason);
}

/** Tracks all requests of a server for load, log, metrics and shutdown, and answers invalid HTTP. */
export class Requests {
  readonly #server: Server;
  readonly #options: RequestsOptions;
  readonly #handle: RequestListener;
  readonly writeFailure: WriteFailure;
  readonly #sockets = new Set<Socket>();
  /** Connections closed so far because there were too many. */
  dropped = 0;
  /** Requests without a complete response. */
  running = 0;
  /** The requests that the server works on. The others rest. */
  #working = 0;
  readonly #ending = new AbortController();
  /** Aborts when the server begins to drain. Responses without an end then end, and each connection with its last response. */
  readonly ending: AbortSignal = this.#ending.signal;
  #lastArrival = 0;

  constructor(server: Server, handle: RequestListener, options: RequestsOptions) {
    this.#server = server;
    this.#handle = handle;
    this.#options = options;
    this.writeFailure = options.write;
    // A client that ends its side after the request gets its response. The type of the server lacks `httpAllowHalfOpen`.
    Object.assign(server, { httpAllowHalfOpen: true, maxHeadersCount: MAX_HEADERS });
    server.maxConnections = options.maxConnections;
    server.on('drop', () => {
      this.dropped += 1;
    });
    server.on('connection', (socket) => {
      socket.requests = [];
      this.#sockets.add(socket);
      // Node.js removes its own listener for CONNECT: a reset would end the process, and earlier requests would never end.
      socket.on('error', () => {});
      socket.on('end', () => abort(socket, GONE));
      socket.on('close', () => {
        this.#sockets.delete(socket);
        for (const state of [...socket.requests]) this.#close(state, socket);
      });
    });
    // `transportFailure` refuses unknown expectations, and `100 Continue` follows authentication.
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, this.#arrive);
    // Without this, Node.js would close a connection without a response also if a handler takes too long.
    server.on('timeout', (socket) => {
      if (!socket.requests[0]?.request?.complete) return void socket.destroy();
      abort(socket, SLOW);
      this.#answer(socket, SLOW);
    });
    server.on('connect', ({ socket }) => this.#fail(socket, new ApiError(400, 'CONNECT is not supported')));
  }

  readonly #arrive: RequestListener = (request, response) => {
    const { socket } = request;
    // The last answer is sent.
    if (!socket.writable) return void request.resume();
    const { isTrusted, clientHeader } = this.#options;
    const state = new RequestState(requestId(request, isTrusted), clientHeader, request, response);
    state.failure = transportFailure(request);
    request.state = state;
    this.running += 1;
    this.#lastArrival = state.began;
    socket.requests.push(state);
    response.on('close', () => this.#close(state, socket));
    this.#handle(request, response);
  };

  /** Whether the server works on more than half of the requests that it accepts. */
  get isBusy(): boolean {
    return this.#working > this.#options.maxRequests / 2;
  }

  /**
   * Begins to work on a request. Refuses requests while there are too many, because a growing queue would make all of them late.
   *
   * @returns 503 for a request over the limit
   */
  work(state: RequestState): ApiError | undefined {
    this.rest(state);
    if (this.#working >= this.#options.maxRequests) return OVERLOAD;
    state.isWorking = true;
    this.#working += 1;
    return undefined;
  }

  /** Stops working on a request, which waits for the client to send or to read. */
  rest(state: RequestState): void {
    if (state.isWorking) this.#working -= 1;
    state.isWorking = false;
  }

  /** Handles invalid and incomplete requests. */
  readonly clientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
    // The last answer is sent. Further bytes are dropped.
    if (socket.writableEnded) return;
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy(error);
    else this.#fail(socket, malformed(error.code));
  };

  /**
   * Ends each connection with a response that says `Connection: close` (RFC 9112 section 9.6), then stops accepting connections, and
   * waits for the last requests. Connections that are used meanwhile lose no request.
   *
   * @param limits - in milliseconds: `total`, and `quiet`, the time without requests after which idle connections are closed
   */
  async drain({ total, quiet }: { total: number; quiet: number }): Promise<void> {
    this.#ending.abort();
    const server = this.#server;
    const begin = performance.now();
    const until = async (isDone: () => boolean) => {
      while (performance.now() < begin + total && this.#sockets.size > 0 && !isDone())
        await delay(DRAIN_CHECK_INTERVAL);
    };
    await until(() => performance.now() > begin + quiet);
    // This also cuts off idle connections.
    server.close();
    await until(() => this.running === 0 && performance.now() > this.#lastArrival + quiet);
    // The remaining connections have no request, or an incomplete one.
    if (this.running === 0) server.closeAllConnections();
    else for (const socket of this.#sockets) abort(socket, ENDING);
  }

  #close(state: RequestState, socket: Socket): void {
    const index = socket.requests.indexOf(state);
    const { response } = state;
    if (index < 0 || !response) return;
    socket.requests.splice(index, 1);
    this.running -= 1;
    if (!response.writableFinished) state.abort(GONE);
    const isAnswered = response.writableFinished || (response.headersSent && isEndless(state));
    if (state.status === 0) this.#end(state, isAnswered ? response.statusCode : CLIENT_GONE);
    if (socket.failure) this.#fail(socket, socket.failure);
  }

  #end(state: RequestState, status: number): void {
    state.status = status;
    this.#options.onEnd(state);
  }

  /** Answers on the socket and ends it, after the responses to all complete requests: clients match them by order. */
  #fail(socket: Socket, failure: ApiError): void {
    socket.failure = failure;
    if (!socket.requests.some(({ request }) => request?.complete)) this.#answer(socket, failure);
  }

  #answer(socket: Socket, failure: ApiError): void {
    socket.failure = undefined;
    if (!socket.writable) return;
    const broken = socket.requests.find(({ status }) => status === 0);
    // Its response has begun: no other can follow.
    if (broken?.response?.headersSent) return void socket.destroy();
    const state = broken ?? new RequestState(randomUUID(), this.#options.clientHeader);
    const { type, body, headers: bodyHeaders } = this.writeFailure(failure, state);
    const headers = { Date: this.#options.clock.date(), 'X-Request-Id': state.id, 'X-Content-Type-Options': 'nosniff' };
    const others = { Connection: 'close', ...failure.headers, ...bodyHeaders, ...this.#options.headers() };
    // The rest of the request is dropped for a while: the reset of a closed connection could discard the response (RFC 9112 section 9.6).
    socket.end(responseText(failure.status, type, { ...headers, ...others }, body)).resume();
    setTimeout(() => socket.destroy(), LINGER_TIME).unref();
    state.failure = failure;
    this.#end(state, failure.status);
  }
}

/** Ids as proxies and tracing systems write them, safe in a header, a log and a search for it. */
const REQUEST_ID = /^[\w.:+/=@-]{1,128}$/;

/** The id of a request: the `X-Request-Id` of a trusted proxy, otherwise a new one. */
function requestId({ headers, socket }: IncomingMessage, isTrusted: IsTrusted | false): string {
  const forwarded = headers['x-request-id'];
  const believed = typeof forwarded === 'string' && isTrusted && isTrusted(socket.remoteAddress ?? '', 0);
  return believed && REQUEST_ID.test(forwarded) ? forwarded : randomUUID();
}

/** A whole response, for a socket without a request that Node.js could answer. */
function responseText(status: number, type: string, headers: Record<string, string>, body: string): string {
  const all = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
