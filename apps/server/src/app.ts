import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { ApiKeys } from './api-keys/api-keys.ts';
import type { Config } from './config.ts';
import type { Database } from './database/schema.ts';
import { document as contract } from './generated/document.ts';
import type { Handlers } from './generated/operations.ts';
import { registerBodyParser } from './http/body.ts';
import { sendError } from './http/error-handler.ts';
import { registerHealth } from './http/health.ts';
import { basePathOf, type ContractDocument } from './http/operations.ts';
import { EXPOSED_HEADERS, registerRateLimit } from './http/rate-limit.ts';
import { registerReference } from './http/reference.ts';
import { RequestLog } from './http/request-log.ts';
import { type RequestContext, registerRoutes } from './http/routes.ts';
import { answerUnparsable, checkTransport, interceptTransport, originForm } from './http/transport.ts';
import { trackRoutes } from './http/unmatched.ts';
import { registerValidation } from './http/validation.ts';
import { createHandlers } from './pets/handlers.ts';
import { Limiter } from './rate-limit/limiter.ts';

/** The largest body in bytes. The largest animal has 255 characters. */
const BODY_LIMIT = 64 * 1024;

/** Keys, and addresses, that the limiter remembers at most. */
const LIMITER_CAPACITY = 50_000;

export interface Dependencies {
  db: Kysely<Database>;
  /** Connections for counting requests; `openCounters`. */
  counters: Kysely<Database>;
  /** Unix time in milliseconds. Default: the system's clock. */
  now?: () => number;
  /** Default: the contract that this server was built from. */
  document?: ContractDocument;
  /** Default: those of the three operations. */
  handlers?: Handlers<RequestContext>;
}

/** The server, for production and tests. It reads in the order in which a request meets its parts. */
export async function buildApp(config: Config, dependencies: Dependencies): Promise<FastifyInstance> {
  const { db, counters, now = Date.now, document = contract, handlers = createHandlers(db) } = dependencies;
  const apiKeys = new ApiKeys(db, now);
  const basePath = basePathOf(document);
  const isApi = ({ url }: FastifyRequest) => url.startsWith(basePath) && /^([/?]|$)/.test(url.slice(basePath.length));

  const app = fastify({
    logger: { level: config.logLevel },
    logController: new RequestLog(),
    genReqId: () => randomUUID(),
    trustProxy: trustedHops(config.trustProxy),
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    http: { requireHostHeader: false, headersTimeout: 15_000, connectionsCheckingInterval: 1_000 },
    return503OnClosing: false,
    rewriteUrl: ({ url }) => originForm(url),
    routerOptions: { maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ 'X-Request-Id': request.id, ...rateLimit.headersOf(request.ip) });
      sendError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      answerUnparsable(error, socket, rateLimit.headersOf((socket as Socket).remoteAddress ?? ''));
    },
  });
  interceptTransport(app.server);
  app.setErrorHandler(sendError);
  app.decorateRequest('apiKey', null);
  app.decorateRequest('operationId', null);

  const limiter = () =>
    new Limiter({
      db: counters,
      ban: config.ban,
      now,
      capacity: LIMITER_CAPACITY,
      onError: (error) => app.log.error({ err: error }, 'counting without the database'),
    });
  const limiters = { keys: limiter(), addresses: limiter() };
  const rateLimit = await registerRateLimit(app, limiters, now);
  app.addHook('onClose', async () => {
    await Promise.all([limiters.keys.close(), limiters.addresses.close()]);
  });

  const unmatched = trackRoutes(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    checkTransport(request);
  });
  if (config.corsOrigins.length > 0) {
    await app.register(cors, { origin: config.corsOrigins, exposedHeaders: EXPOSED_HEADERS, maxAge: 600 });
  }
  app.addHook('onRequest', async (request, reply) => {
    const failure = unmatched(request);
    if (!failure) return;
    if (isApi(request)) await rateLimit.countAddress(request, reply);
    throw failure;
  });
  app.addHook('onSend', async (request, reply) => {
    // What was answered before it was counted, as when the database is away.
    if (isApi(request) && !reply.hasHeader('X-RateLimit-Limit')) reply.headers(rateLimit.headersOf(request.ip));
  });

  registerBodyParser(app);
  registerValidation(app);
  await registerRoutes(app, { document, handlers, apiKeys, rateLimit });

  registerHealth(app, async () => {
    await db.selectFrom('api_keys').select('id').limit(1).execute();
  });
  await registerReference(app, document);
  return app;
}

/** A number of hops as the function that Fastify takes: the nearest proxy is hop 0. */
function trustedHops(trustProxy: Config['trustProxy']) {
  return typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy;
}
