import cors from '@fastify/cors';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from './config.ts';
import type { DatabaseHandle } from './database/open.ts';
import { document as contract } from './generated/document.ts';
import type { Handlers } from './generated/operations.ts';
import { registerBodyParser } from './http/body.ts';
import { registerDrain } from './http/drain.ts';
import { sendError } from './http/error-handler.ts';
import { registerLoadShedding } from './http/load-shedding.ts';
import { basePathOf, type ContractDocument, isBelow } from './http/operations.ts';
import { addressHeaders, addressOf, EXPOSED_HEADERS, registerRateLimit } from './http/rate-limit.ts';
import { type RequestContext, registerRoutes } from './http/routes.ts';
import { registerSerialization } from './http/serialization.ts';
import { checkTransport, interceptTransport, type OnRawAnswer, transportOptions } from './http/transport.ts';
import { trackUnanswered } from './http/unanswered.ts';
import { trackRoutes } from './http/unmatched.ts';
import { registerValidation } from './http/validation.ts';
import { ApiKeys } from './keys/keys.ts';
import type { Limiters } from './limits/limiter.ts';
import { registerHealth } from './ops/health.ts';
import { describeError, logOutput, logRequest, RequestLog } from './ops/log.ts';
import type { Metrics } from './ops/metrics.ts';
import { registerReference } from './ops/reference.ts';
import { createHandlers } from './pets/handlers.ts';

export interface Dependencies {
  db: DatabaseHandle;
  limiters: Limiters;
  /** Default: nothing is measured. */
  metrics?: Metrics | undefined;
  /** Default: the contract that this server was built from. */
  document?: ContractDocument;
  /** Default: those of the contract's operations. */
  handlers?: Handlers<RequestContext>;
}

/** The server, for production and tests. It reads in the order in which a request meets its parts. */
export async function buildApp(config: Config, dependencies: Dependencies): Promise<FastifyInstance> {
  const { db, limiters, metrics, document = contract } = dependencies;
  const { handlers = createHandlers(db) } = dependencies;
  const basePath = basePathOf(document);
  const headersOf = (address: string) => addressHeaders(limiters, address);
  const onEnd = (request: FastifyRequest, reply: FastifyReply, status?: number) => {
    logRequest(request, reply, { status });
    metrics?.record(request, reply, status);
  };
  const onRawAnswer: OnRawAnswer = (id, { status, code }, reply) => {
    if (reply) {
      reply.request.errorCode = code;
      return onEnd(reply.request, reply, status);
    }
    app.log.info({ reqId: id, status, code }, 'request');
    metrics?.recordUnparsable(status);
  };

  const app = fastify({
    logger: { level: config.logLevel, serializers: { err: describeError }, stream: logOutput },
    logController: new RequestLog(),
    ...transportOptions(config, headersOf, onRawAnswer),
  });
  interceptTransport(app.server, headersOf, onRawAnswer);
  app.setErrorHandler((error, request, reply) => {
    // That the rest of a body does not come is no fault, and nobody is there to be told.
    if (request.raw.errored === null || error !== request.raw.errored) sendError(error, request, reply);
  });
  app.decorateRequest('apiKey', null);
  app.decorateRequest('operationId', null);
  app.decorateRequest('counted', null);
  app.decorateRequest('errorCode', null);
  registerDrain(app);
  trackUnanswered(app, onEnd);
  metrics?.observe(app);
  const checkLoad = registerLoadShedding(app, config.load, (reason) => metrics?.shed(reason));

  const unmatched = trackRoutes(app);
  const rateLimit = await registerRateLimit(app, limiters);

  // Hooks with `done` cost no promise: these run for every request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
    done();
  });
  if (config.corsOrigins.length > 0) {
    // Its strict answer to an OPTIONS that is no preflight would be a 400 in plain text.
    const options = { strictPreflight: false, exposedHeaders: EXPOSED_HEADERS, maxAge: 600 };
    await app.register(cors, { origin: config.corsOrigins, ...options });
  }
  app.addHook('onRequest', (request, reply, done) => {
    const failure = checkTransport(request) ?? unmatched(request);
    if (!failure || !isBelow(basePath, request.url)) return done(failure);
    const overload = checkLoad();
    if (overload) return done(overload);
    rateLimit.countAddress(request, reply).then(() => done(failure), done);
  });
  registerBodyParser(app);
  registerValidation(app);
  registerSerialization(app);
  await registerRoutes(app, {
    document,
    handlers,
    apiKeys: new ApiKeys(db, limiters.clock.monotonic),
    rateLimit,
    checkLoad,
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    // What was answered before it was counted, as when the database is away.
    if (!reply.hasHeader('X-RateLimit-Limit') && isBelow(basePath, request.url)) {
      reply.headers(headersOf(addressOf(request)));
    }
    done();
  });

  registerHealth(app, db);
  registerReference(app, document, config.docs);
  return app;
}
