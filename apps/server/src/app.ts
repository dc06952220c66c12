import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import fastify, { type FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { ApiKeys } from './api-keys/api-keys.ts';
import type { Config } from './config.ts';
import type { Database } from './database/schema.ts';
import { document as contract } from './generated/document.ts';
import type { Handlers } from './generated/operations.ts';
import { registerBodyParser } from './http/body.ts';
import { sendError } from './http/error-handler.ts';
import { registerHealth } from './http/health.ts';
import type { ContractDocument } from './http/operations.ts';
import { registerReference } from './http/reference.ts';
import { RequestLog } from './http/request-log.ts';
import { type RequestContext, registerRoutes } from './http/routes.ts';
import { answerUnparsable, checkTransport, interceptTransport, originForm } from './http/transport.ts';
import { trackRoutes } from './http/unmatched.ts';
import { registerValidation } from './http/validation.ts';
import { createHandlers } from './pets/handlers.ts';

/** The largest body in bytes. The largest animal has 255 characters. */
const BODY_LIMIT = 64 * 1024;

export interface Dependencies {
  db: Kysely<Database>;
  /** Unix time in milliseconds. Default: the system's clock. */
  now?: () => number;
  /** Default: the contract that this server was built from. */
  document?: ContractDocument;
  /** Default: those of the three operations. */
  handlers?: Handlers<RequestContext>;
}

/** The server, for production and tests. It reads in the order in which a request meets its parts. */
export async function buildApp(config: Config, dependencies: Dependencies): Promise<FastifyInstance> {
  const { db, now = Date.now, document = contract, handlers = createHandlers(db) } = dependencies;
  const apiKeys = new ApiKeys(db, now);

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
      reply.header('X-Request-Id', request.id);
      sendError(error, request, reply);
    },
    clientErrorHandler: answerUnparsable,
  });
  interceptTransport(app.server);
  app.setErrorHandler(sendError);
  app.decorateRequest('apiKey', null);
  app.decorateRequest('operationId', null);

  const checkRoute = trackRoutes(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    checkTransport(request);
  });
  if (config.corsOrigins.length > 0) await app.register(cors, { origin: config.corsOrigins });
  app.addHook('onRequest', async (request) => checkRoute(request));

  registerBodyParser(app);
  registerValidation(app);
  await registerRoutes(app, { document, handlers, apiKeys });

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
