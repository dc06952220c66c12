import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, malformed } from '../errors.ts';
import { requestId } from '../proxies.ts';
import { Connections, type ConnectionsOptions } from './connections.ts';
import type { WriteFailure } from './failure-body.ts';
import { ENDING, GONE, RequestState } from './request-state.ts';
import { hasBody, linger, MAX_HEADERS, responseText, transportFailure } from './transport.ts';
import { Unread } from './unread.ts';

declare module 'fastify' {
  interface FastifyInstance {
    requests: Requests;
  }
}

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

/** The most requests of a connection that may wait for an earlier one. Node.js hands over all that have arrived. */
const MAX_PIPELINED = 100;

/** The most bytes that such a request takes. */
const PIPELINED = 16 * 1024;

const PIPELINED_BODY = 'Send a request with a body after the response to the one before';

/** Shared by all requests, to avoid capturing a stack for each. */
export const OVERLOAD = new ApiError(503, 'The service is temporarily overloaded', { headers: { 'Retry-After': '1' } });

/** Milliseconds between two checks while draining. */
const INTERVAL = 20;

export interface RequestsOptions extends ConnectionsOptions {
  /** The most requests that the server works on at a time. */
  maxRequests: number;
  /** The header by which SDKs tell their version. */
  clientHeader: string;
  /** The `Date` of all responses (RFC 9110 section 6.6.1). */
  date(): string;
  /** Further headers of a response that the framework does not send. */
  headers(): Record<string, string>;
  /** Writes the body of a failure. */
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
  readonly connections: Connections;
  /** Requests without a complete response. */
  running = 0;
  /** The requests that the server works on. The others rest. */
  #working = 0;
  readonly unread = new Unread();
  readonly #ending = new AbortController();
  /** Whether the server shuts down. The last response of each connection then says `Connection: close`. */
  closing = false;
  #lastArrival = 0;

  /** @param handle - called for each request; those of a connection are handled one after the other */
  constructor(server: Server, handle: RequestListener, options: RequestsOptions) {
    this.#server = server;
    this.#handle = handle;
    this.#options = options;
    // A client that ends its side after the request gets its response. The type of the server lacks `httpAllowHalfOpen`.
    Object.assign(server, { httpAllowHalfOpen: true, maxHeadersCount: MAX_HEADERS });
    server.on('connection', (socket) => {
      socket.requests = [];
      // Called by Node.js after a response with `Connection: close`.
      const { destroySoon } = socket;
      socket.destroySoon = () => {
        if (socket.requests.every(({ request }) => request?.complete)) destroySoon.call(socket);
        else linger(socket.end());
      };
      // Node.js removes its own listener for CONNECT: a reset would end the process, and earlier requests would never end.
      socket.on('error', () => {});
      socket.on('end', () => abort(socket, GONE));
      socket.on('close', () => {
        for (const state of [...socket.requests]) this.#close(state, socket);
      });
    });
    this.connections = new Connections(server, options);
    // `transportFailure` refuses unknown expectations, and `100 Continue` follows authentication.
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.on(event, (request, response) => this.#arrive(request, response));
    server.on('connect', ({ socket }) => this.#fail(socket, new ApiError(400, 'CONNECT is not supported')));
  }

  #arrive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (!this.connections.admits(request, response)) return void socket.destroy();
    const isPipelined = socket.requests.length > 0;
    // A body is refused, because it would wait in memory.
    if (isPipelined && hasBody(request)) this.#fail(socket, new ApiError(400, PIPELINED_BODY));
    if (socket.failure || socket.writableEnded) return void request.resume();
    if (socket.requests.length > MAX_PIPELINED) return void socket.destroy();
    const { isTrusted, clientHeader } = this.#options;
    const state = new RequestState(requestId(request, isTrusted), clientHeader, request, response);
    state.fail(transportFailure(request));
    request.state = state;
    this.running += 1;
    this.#lastArrival = state.began;
    socket.requests.push(state);
    response.on('close', () => this.#close(state, socket));
    // Requests are handled one after the other. Otherwise, responses that a client does not read would fill the memory.
    if (isPipelined) this.unread.count(state, PIPELINED);
    else this.#handle(request, response);
  }

  /** Aborts when the server begins to drain, for responses without an end. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

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
   * Stops accepting connections, and waits for the last response of each open one. A kept-alive connection is served until a
   * response has said `Connection: close` (RFC 9112 section 9.6), so that no request on its way is lost.
   *
   * @param limits - in milliseconds: `total`, and `quiet`, the time without requests after which idle connections are closed
   */
  async drain({ total, quiet }: { total: number; quiet: number }): Promise<void> {
    this.closing = true;
    this.#ending.abort();
    this.#lastArrival = performance.now();
    const server = this.#server;
    // `close` of http would also cut off connections that are idle at this moment.
    NetServer.prototype.close.call(server);
    const deadline = performance.now() + total;
    const isQuiet = () => this.running === 0 && performance.now() - this.#lastArrival > quiet;
    const connections = () =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    while (performance.now() < deadline && !isQuiet() && (await connections()) > 0) await delay(INTERVAL);
    // The remaining connections have no request, or an incomplete one.
    if (this.running === 0) server.closeAllConnections();
    else for (const socket of this.connections.all) abort(socket, ENDING);
  }

  #close(state: RequestState, socket: Socket): void {
    const index = socket.requests.indexOf(state);
    const { request, response } = state;
    if (index < 0 || !response) return;
    socket.requests.splice(index, 1);
    this.running -= 1;
    this.unread.forget(state);
    if (request?.complete) socket.restedAt = performance.now();
    if (!response.writableFinished) state.abort(GONE);
    const isAnswered = response.writableFinished || (response.headersSent && isEndless(state));
    if (state.status === 0) this.#end(state, isAnswered ? response.statusCode : CLIENT_GONE);
    const [next] = socket.requests;
    if (next?.request && next.response && socket.writable && (!socket.failure || next.request.complete))
      this.#handle(next.request, next.response);
    else if (socket.failure) this.#fail(socket, socket.failure);
  }

  #end(state: RequestState, status: number): void {
    state.status = status;
    this.#options.onEnd(state);
  }

  /** Answers on the socket and ends it, after the responses to all complete requests: clients match them by order. */
  #fail(socket: Socket, failure: ApiError): void {
    socket.failure = failure;
    const pending = socket.requests;
    if (pending.some(({ request }) => request?.complete)) return;
    socket.failure = undefined;
    if (!socket.writable) return;
    const broken = pending.find(({ status }) => status === 0);
    // Its response has begun: no other can follow.
    if (broken?.response?.headersSent) return void socket.destroy();
    const state = broken ?? new RequestState(randomUUID(), this.#options.clientHeader);
    const { type, body, headers: own } = this.#options.write(failure, state);
    const headers = { Date: this.#options.date(), 'X-Request-Id': state.id, 'X-Content-Type-Options': 'nosniff' };
    const others = { Connection: 'close', ...failure.headers, ...own, ...this.#options.headers() };
    linger(socket.end(responseText(failure.status, type, { ...headers, ...others }, body)));
    state.answer(failure);
    this.#end(state, failure.status);
  }
}
