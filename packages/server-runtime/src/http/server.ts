import { createServer as createHttpServer, type ServerOptions as HttpOptions, type IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { HTTPMethod } from 'find-my-way';
import type { Config } from '../config.ts';
import { ApiError, answerTo, malformed, NOT_FOUND, readable } from '../errors.ts';
import { logFailure } from '../failure-log.ts';
import type { WriteFailure } from './failure-body.ts';
import { refusedValue } from './refused.ts';
import { Requests, type RequestsOptions } from './requests.ts';
import { createRouter, isComplete, routerOptions } from './templates.ts';
import { hasRest } from './transport.ts';

declare module 'fastify' {
  interface FastifyInstance {
    writeFailure: WriteFailure;
  }
}

/** Methods of all operations. By default, scripts of other origins may not send the last three. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

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
  const hasOrigins = config.CORS_ORIGINS.length > 0;
  // If it were an option, Fastify would listen for the end of each response, only to log it.
  app.log = log;
  app.decorate('requests', requests);
  app.decorate('writeFailure', options.write);
  app.setErrorHandler((error, request, reply) => sendError(withStatus(error, request), request, reply));
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers({ Date: options.date(), 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
    // Whatever sets it before replaces what others have set.
    const vary = [reply.getHeader('Vary'), hasOrigins && 'Origin', hasChoice(request) && 'Accept'].filter(Boolean);
    if (vary.length > 0) reply.header('Vary', [...new Set(vary.join(', ').split(', '))].join(', '));
    // On an earlier response, the header would close the connection before the responses to pipelined requests.
    const isLast = () => request.socket.requests.at(-1) === request.raw.state;
    if ((requests.closing && isLast()) || hasRest(request.raw)) reply.header('Connection', 'close');
    done();
  });
  if (hasOrigins) {
    // A strict preflight check would answer any other OPTIONS with a 400 in plain text.
    const exposedHeaders = ['X-Request-Id', ...options.exposedHeaders];
    const { hasCookies: credentials } = options;
    const permissions = { strictPreflight: false, methods: METHODS, exposedHeaders, maxAge: 600, credentials };
    const all = { origin: config.CORS_ORIGINS, ...permissions };
    // An operation of the contract may have this method.
    await app.register(
      cors,
      () => (request: FastifyRequest, callback: (error: null, options: object) => void) =>
        callback(null, { ...all, preflight: isPreflight(request) || !request.routeOptions.config.operation }),
    );
  }
  trackRoutes(app);
  return app;
}

/** Whether clients choose the media type of the response by `Accept` (RFC 9110, section 12.5.1). */
const hasChoice = ({ routeOptions: { config } }: FastifyRequest) =>
  Object.values(config.operation?.response.media ?? {}).some(({ length }) => length > 1);

/** The headers of a CORS preflight (Fetch, section 3.3.6). */
const isPreflight = ({ headers }: FastifyRequest) =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/**
 * An error of a plugin on a route beside the contract, with its own status. Its message is sent if it says so, as those of http-errors do.
 * Such an error of an operation is a bug.
 */
function withStatus(error: unknown, { raw, server }: FastifyRequest): unknown {
  if (raw.state.operation || !(error instanceof Error) || error instanceof ApiError) return error;
  const kept = readable(() => {
    const { statusCode: status = 500, code = '', message, expose } = error as FastifyError & { expose?: unknown };
    if (/^FST_/.test(code) || !Number.isInteger(status) || status < 400 || status > 599 || status === 500)
      return undefined;
    return expose === true ? new ApiError(status, message) : malformed('', status);
  }, undefined);
  if (kept && kept.status >= 500) logFailure(server.log, raw.state, error);
  return kept ?? error;
}

/** Answers a request with its failure. Invalid HTTP has no request to answer, so `Requests` writes to its socket. */
export function sendError(given: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  const error = readable(() => reasonOf(given), undefined) ?? given;
  const { counting } = raw.state;
  if (counting) {
    raw.state.counting = undefined;
    // A refusal (429) goes before any other failure.
    return void counting
      .catch((failure: unknown) => failure)
      .then((refusal) => sendError(refusal ?? error, request, reply));
  }
  // The client aborted its upload, so there is nothing to log or answer.
  if (raw.errored !== null && error === raw.errored) return;
  // A body that nobody reads would wait in memory until the client has read the response.
  raw.resume();
  // Fastify closes after a body that it refuses, and the reset could discard the response (RFC 9112 section 9.6).
  reply.removeHeader('Connection');
  const refused = readable(() => refusedValue(error, request), undefined);
  const { failure, written } = answerTo(
    refused?.failure ?? error,
    (one) => request.server.writeFailure(one, raw.state),
    raw.state.operation?.invalid,
  );
  raw.state.answer(failure);
  // ApiErrors are deliberate; only unexpected failures are logged.
  const isExpected = refused ? refused.isSent : failure === error || failure.status < 500;
  if (!isExpected) logFailure(request.server.log, raw.state, error);
  const { type, body, headers } = written;
  reply
    .code(failure.status)
    .headers({ ...failure.headers, ...headers })
    .type(type)
    .send(body);
}

/** The reason of a signal of ours in the error of a function that was aborted by it. */
const reasonOf = (error: unknown) =>
  error instanceof Error && error.name === 'AbortError' && error.cause instanceof ApiError ? error.cause : undefined;

/**
 * Reads a target in absolute form (RFC 9112 section 3.2.2). Other forms become unknown paths, because the router's own response has no
 * Error body.
 */
function rewriteUrl(request: IncomingMessage): string {
  const url = (request.url ?? '').replace(/^(https?:\/\/[^/?#]+)?\/?/i, '/');
  if (!url.includes('%')) return url;
  try {
    decodeURI(url.split(/[?#]/, 1)[0] ?? '');
    return url;
  } catch {
    request.state.fail(new ApiError(400, 'The path has an invalid percent-encoding'));
    return url.replaceAll('%', '%25');
  }
}

/**
 * Tells an unknown path (404) from an unsupported method (405 with `Allow`, RFC 9110 section 15.5.6) before authentication and before the
 * body. It has a router of its own, as Fastify's does not list the methods of a path.
 */
function trackRoutes(app: FastifyInstance): void {
  const router = createRouter();
  app.addHook('onRoute', ({ url, method, constraints = {} }) => {
    if (!url.includes('*')) router.on(method as HTTPMethod | HTTPMethod[], url, { constraints }, () => {});
  });
  const unmatched = ({ is404, params, url }: FastifyRequest) => {
    if (!is404 && isComplete(params)) return undefined;
    const allow = app.supportedMethods.filter((method) => router.find(method, url));
    if (allow.length === 0) return new ApiError(404, NOT_FOUND);
    const list = allow.sort().join(', ');
    return new ApiError(405, `This path supports ${list}`, { headers: { Allow: list } });
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const { state } = request.raw;
    state.fail(unmatched(request));
    if (!state.failure) state.operation = request.routeOptions.config.operation;
    done();
  });
}
