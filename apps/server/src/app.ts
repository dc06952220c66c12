import cors from '@fastify/cors';
import fastify, { type FastifyInstance } from 'fastify';
import { addressHeaders, EXPOSED_HEADERS } from './api/limits.ts';
import { api, type RequestContext } from './api/plugin.ts';
import type { Config } from './config.ts';
import type { DatabaseHandle } from './database/open.ts';
import { document as contract } from './generated/document.ts';
import type { Handlers } from './generated/operations.ts';
import { basePath, operations as table } from './generated/table.ts';
import { sendError } from './http/errors.ts';
import type { Operation } from './http/exchange.ts';
import { Exchanges } from './http/exchanges.ts';
import { Load } from './http/load.ts';
import { requestIds, serverOptions, transportFailure } from './http/server-options.ts';
import { trackRoutes } from './http/unmatched.ts';
import { ApiKeys } from './keys/keys.ts';
import type { Limiters } from './limits/limiter.ts';
import { registerHealth } from './ops/health.ts';
import { logExchange, logging } from './ops/log.ts';
import type { Metrics } from './ops/metrics.ts';
import { registerReference } from './ops/reference.ts';
import type { ContractDocument } from './ops/reference-document.ts';
import { createHandlers } from './pets/handlers.ts';

export interface Dependencies {
  db: DatabaseHandle;
  limiters: Limiters;
  /** Default: nothing is measured. */
  metrics?: Metrics | undefined;
  /** Default: the contract that this server was built from, and what was generated from it. */
  document?: ContractDocument;
  operations?: Record<string, Operation>;
  /** Default: those of the contract's operations. */
  handlers?: Handlers<RequestContext>;
}

/** The server, for production and tests. It reads in the order in which a request meets its parts. */
export async function buildApp(config: Config, dependencies: Dependencies): Promise<FastifyInstance> {
  const { db, limiters, metrics, document = contract, operations = table } = dependencies;
  const { handlers = createHandlers(db) } = dependencies;
  const exchanges = new Exchanges({
    idOf: requestIds(config),
    check: transportFailure,
    headersOf: (address) => addressHeaders(address, limiters),
    onEnd(exchange) {
      logExchange(app.log, exchange);
      metrics?.record(exchange);
    },
  });
  const app = fastify({ ...logging(config.logLevel), ...serverOptions(config, exchanges) });
  exchanges.observe(app.server);
  metrics?.observe(exchanges);
  app.decorate('exchanges', exchanges);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
    if (exchanges.closing) reply.header('Connection', 'close');
    done();
  });
  if (config.corsOrigins.length > 0) {
    // Its strict answer to an OPTIONS that is no preflight would be a 400 in plain text.
    const options = { strictPreflight: false, exposedHeaders: EXPOSED_HEADERS, maxAge: 600 };
    await app.register(cors, { origin: config.corsOrigins, ...options });
  }
  const unmatched = trackRoutes(app);

  const load = new Load(app, config.load, (reason) => metrics?.shed(reason));
  const apiKeys = new ApiKeys(db, limiters.clock.monotonic);
  const parts = { document, operations, handlers, apiKeys, limiters, load, unmatched };
  await app.register(api, { prefix: basePath, ...parts });

  // Beside the API, which these hooks do not reach: it is complete.
  app.addHook('onRequest', (request, _reply, done) => done(request.raw.exchange.failure ?? unmatched(request)));
  registerHealth(app, db);
  registerReference(app, document, config.docs);
  return app;
}
