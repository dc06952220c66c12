import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, malformed } from './errors.ts';
import { Exchange } from './exchange.ts';
import { type IsTrusted, requestId } from './proxies.ts';
import { transportFailure } from './server-options.ts';

declare module 'fastify' {
  interface FastifyInstance {
    exchanges: Exchanges;
  }
}

declare module 'node:net' {
  interface Socket {
    connection: Connection;
  }
}

/** The exchanges of a connection that are not over, in the order of their requests, and a failure to be answered after them. */
interface Connection {
  exchanges: Map<Exchange, ServerResponse>;
  failure?: ApiError;
}

/** In the log and the metrics, for a request whose client has gone before its answer: nobody is sent it. */
const CLIENT_GONE = 499;

/**
 * Milliseconds that a connection stays after its last answer, for a client that is still sending to read it before a reset takes
 * it away (RFC 9112 section 9.6). No client can keep one open for longer.
 */
const LINGER = 1_000;

/** Milliseconds between two looks whether all is answered. */
const INTERVAL = 20;

export interface ExchangesOptions {
  isTrusted: IsTrusted | false;
  /** Headers of an answer that the framework does not send. */
  headersOf(address: string): Record<string, string>;
  /** Called once for each exchange, when it is over. */
  onEnd(exchange: Exchange): void;
}

/** The one account of all exchanges of a server, for its log, its metrics, its shutdown, and for what is no HTTP. */
export class Exchanges {
  readonly #options: ExchangesOptions;
  #server!: Server;
  /** Requests that are not answered yet. */
  running = 0;
  /** Whether the server is on its way out: every answer says `Connection: close`. */
  closing = false;
  #lastArrival = 0;

  constructor(options: ExchangesOptions) {
    this.#options = options;
  }

  observe(server: Server): void {
    this.#server = server;
    server.on('connection', (socket) => {
      socket.connection = { exchanges: new Map() };
      // Node.js takes its own listener away from a socket that it hands over, as for CONNECT: a reset would end the process.
      socket.on('error', () => {});
    });
    server.prependListener('request', (request, response) => {
      const exchange = new Exchange(requestId(request, this.#options.isTrusted), request);
      exchange.failure = transportFailure(request);
      request.exchange = exchange;
      this.running += 1;
      this.#lastArrival = exchange.began;
      request.socket.connection.exchanges.set(exchange, response);
      response.on('close', () => this.#close(exchange, request.socket, response));
    });
    // Requests as any other: `transportFailure` refuses an unknown expectation, and a body is asked for after authentication.
    const forward = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response);
    server.on('checkContinue', forward);
    server.on('checkExpectation', forward);
    server.on('connect', ({ socket }) => this.#fail(socket, new ApiError(400, 'This is not a proxy')));
  }

  /** For bytes that are no request, and a request that does not come to its end as HTTP. */
  readonly clientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
    // It is answered already; what else arrives is dropped.
    if (socket.writableEnded) return;
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy(error);
    else this.#fail(socket, malformed(error.code));
  };

  /**
   * Stops accepting connections, and waits until those that are there have got their last answer. A connection that is kept
   * alive is answered until an answer has said `Connection: close` (RFC 9112 section 9.6): a request that is on its way
   * meanwhile is not lost.
   *
   * @param limits - in milliseconds: `total`, and `quiet` without any request, after which idle connections are given up
   */
  async drain({ total, quiet }: { total: number; quiet: number }): Promise<void> {
    this.closing = true;
    this.#lastArrival = performance.now();
    const server = this.#server;
    // That of net: http's own would also cut off connections that are idle at this moment.
    NetServer.prototype.close.call(server);
    const deadline = performance.now() + total;
    const isQuiet = () => this.running === 0 && performance.now() - this.#lastArrival > quiet;
    const connections = () =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    while (performance.now() < deadline && !isQuiet() && (await connections()) > 0) await delay(INTERVAL);
    // What is left has no request; half of one, at most.
    if (this.running === 0) server.closeAllConnections();
  }

  #close(exchange: Exchange, socket: Socket, response: ServerResponse): void {
    this.running -= 1;
    const { connection } = socket;
    connection.exchanges.delete(exchange);
    if (exchange.status === 0) {
      this.#end(exchange, response.writableFinished || response.headersSent ? response.statusCode : CLIENT_GONE);
    }
    if (connection.failure) this.#fail(socket, connection.failure);
  }

  #end(exchange: Exchange, status: number): void {
    exchange.status = status;
    this.#options.onEnd(exchange);
  }

  /** Answers on the socket and ends it, once all requests that arrived whole are answered: an answer belongs to a request by its place only. */
  #fail(socket: Socket, failure: ApiError): void {
    const { connection } = socket;
    connection.failure = failure;
    const pending = [...connection.exchanges];
    if (pending.some(([{ request }]) => request?.complete)) return;
    delete connection.failure;
    if (!socket.writable) return;
    const [broken, response] = pending.find(([{ status }]) => status === 0) ?? [];
    // Half of its answer is sent: nothing can be said any more.
    if (response?.headersSent) return void socket.destroy();
    const exchange = broken ?? new Exchange(randomUUID());
    const body = JSON.stringify(failure.body());
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': exchange.id,
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
      ...failure.headers,
      ...this.#options.headersOf(socket.remoteAddress ?? ''),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('')}\r\n${body}`);
    setTimeout(() => socket.destroy(), LINGER).unref();
    exchange.code = failure.code;
    this.#end(exchange, failure.status);
  }
}
