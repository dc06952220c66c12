import type { FastifyInstance } from 'fastify';
import { createHandlers } from './api/handlers.ts';
import { limitHeaders } from './api/limits.ts';
import { api, type RequestContext } from './api/plugin.ts';
import type { Config } from './config.ts';
import type { DatabaseHandle } from './database/open.ts';
import { document as contract, reference as page } from './generated/document.ts';
import type { Handlers } from './generated/operations.ts';
import { basePath, operations as table } from './generated/table.ts';
import type { Operation } from './http/exchange.ts';
import { createServer } from './http/server.ts';
import { ApiKeys } from './keys/keys.ts';
import type { Limiter } from './limits/limiter.ts';
import { registerHealth } from './ops/health.ts';
import { logExchange } from './ops/log.ts';
import type { Metrics } from './ops/metrics.ts';
import { registerReference } from './ops/reference.ts';

export interface Dependencies {
  db: DatabaseHandle;
  limiter: Limiter;
  /** Default: none. */
  metrics?: Metrics | undefined;
  /** Default: the contract that this server was built from, its page, and its operations. */
  document?: typeof contract;
  reference?: string;
  operations?: Record<string, Operation>;
  /** Replaces handlers, in tests. */
  handlers?: Partial<Handlers<RequestContext>>;
}

/** The server, for production and tests. The plugins stand in the order in which a request meets them. */
export async function buildApp(config: Config, dependencies: Dependencies): Promise<FastifyInstance> {
  const { db, limiter, metrics, document = contract, reference = page, operations = table } = dependencies;
  const handlers = { ...createHandlers(db), ...dependencies.handlers };
  const app = await createServer(config, {
    maxRequests: config.MAX_REQUESTS || Number.POSITIVE_INFINITY,
    isTrusted: config.TRUST_PROXY,
    date: () => new Date(limiter.clock.now()).toUTCString(),
    headers: () => limitHeaders(limiter.clock),
    onEnd(exchange) {
      logExchange(app.log, exchange);
      metrics?.record(exchange);
    },
  });
  metrics?.observe(app.server, app.exchanges);

  const apiKeys = new ApiKeys(db, limiter.clock.monotonic, (key) =>
    app.log.error(key, 'keys of this plan get 503, because this version does not know it'),
  );
  await app.register(api, { prefix: basePath, document, operations, handlers, apiKeys, limiter });

  // For unknown paths outside the API, which counts and answers its own failures.
  app.addHook('onRequest', (request, _reply, done) => done(request.raw.exchange.failure));
  registerHealth(app, db);
  registerReference(app, document, config.DOCS === 'on' ? reference : undefined);
  return app;
}
