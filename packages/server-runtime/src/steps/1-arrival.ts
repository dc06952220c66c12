import { createServer as createHttpServer, type ServerOptions as HttpOptions, type IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import { isDecodable } from '@petstore-platform/openapi-validation';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import plugin from 'fastify-plugin';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import { sendError } from '../http/failures.ts';
import { hasRest, Requests, type RequestsOptions } from '../http/requests.ts';
import { routerOptions } from '../http/templates.ts';
import { fullAddress } from '../proxies.ts';

declare module 'fastify' {
  interface FastifyInstance {
    requests: Requests;
  }
}

/** Methods that scripts of other origins may send. By default, they may not send the last three. */
const CORS_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/**
 * The options of HTTP, with times in milliseconds. `keepAliveTimeout` exceeds the idle timeout of common proxies, a minute: the proxy
 * must close first.
 */
const HTTP: HttpOptions = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1_000,
  // Without this, Node.js drops all but the first of several `Host` or `Authorization` headers.
  joinDuplicateHeaders: true,
  requireHostHeader: false,
};

export interface ServerOptions extends RequestsOptions {
  /** Response headers that scripts of other origins may read, as well as the id. */
  exposedHeaders: string[];
  /** Whether pages of the origins that may call send cookies. */
  hasCookies: boolean;
}

/** Milliseconds within which a body arrives that is read in a stream: a second for each 16 KiB of the most that it may have. */
export const timeOf = (bytes: number) => Number(HTTP.requestTimeout) + (bytes / 2 ** 14) * 1_000;

/** A server without routes: every request has its state, every response its id, every failure the Error body. */
export async function createServer(config: Config, log: FastifyBaseLogger, options: ServerOptions) {
  let requests!: Requests;
  const app = fastify({
    // Each request has a log line of its own.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => log,
    serverFactory(handle) {
      const server = createHttpServer(HTTP).setTimeout(30_000);
      requests = new Requests(server, handle, options);
      return server;
    },
    trustProxy: config.TRUST_PROXY,
    genReqId: (request: IncomingMessage) => request.state.id,
    // A body holds one resource.
    bodyLimit: 64 * 1024,
    return503OnClosing: false,
    rewriteUrl,
    routerOptions: routerOptions(),
    clientErrorHandler: (error, socket) => requests.clientError(error, socket),
  });
  // If it were an option, Fastify would listen for the end of each response, only to log it.
  app.log = log;
  await app.register(arrival, { ...options, requests, config });
  return app;
}

/** 1. `Requests` has made the state of the request, or refused its HTTP (400, 417, 431). */
const arrival = plugin(
  async (app: FastifyInstance, options: ServerOptions & { requests: Requests; config: Config }) => {
    const { requests, clock, exposedHeaders, hasCookies } = options;
    const { CORS_ORIGINS: origins, LOG_ADDRESS } = options.config;
    app.decorate('requests', requests);
    app.setErrorHandler(sendError);
    app.addHook('onSend', (request, reply, _payload, done) => {
      const { hasChoice } = request.routeOptions.config;
      reply.headers({ Date: clock.date(), 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
      // Whatever sets it before replaces what others have set.
      const vary = [reply.getHeader('Vary'), origins.length > 0 && 'Origin', hasChoice && 'Accept'];
      const names = vary.filter(Boolean).join(', ');
      if (names !== '') reply.header('Vary', [...new Set(names.split(', '))].join(', '));
      // On an earlier response, the header would close the connection before the responses to pipelined requests.
      const isLast = () => request.socket.requests.at(-1) === request.raw.state;
      if ((requests.ending.aborted && isLast()) || hasRest(request.raw)) reply.header('Connection', 'close');
      done();
    });
    if (LOG_ADDRESS === 'on')
      app.addHook('onRequest', (request, _reply, done) => {
        request.raw.state.address = fullAddress(request);
        done();
      });
    if (origins.length === 0) return;
    const permissions = {
      origin: origins,
      // A strict preflight check would answer any other OPTIONS with a 400 in plain text.
      strictPreflight: false,
      methods: CORS_METHODS,
      exposedHeaders: ['X-Request-Id', ...exposedHeaders],
      maxAge: 600,
      credentials: hasCookies,
    };
    // An operation of the contract may have this method.
    await app.register(
      cors,
      () => (request: FastifyRequest, callback: (error: null, options: object) => void) =>
        callback(null, { ...permissions, preflight: isPreflight(request) || !request.routeOptions.config.operation }),
    );
  },
  { name: 'arrival' },
);

/** The headers of a CORS preflight (Fetch, section 3.3.6). */
const isPreflight = ({ headers }: FastifyRequest) =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/**
 * Reads a target in absolute form (RFC 9112 section 3.2.2). Other forms become unknown paths, because the router's own response has no
 * Error body.
 */
function rewriteUrl(request: IncomingMessage): string {
  const url = (request.url ?? '').replace(/^(https?:\/\/[^/?#]+)?\/?/i, '/');
  if (isDecodable(url.split(/[?#]/, 1)[0] ?? '')) return url;
  request.state.failure ??= new ApiError(400, 'The path has an invalid percent-encoding');
  return url.replaceAll('%', '%25');
}
