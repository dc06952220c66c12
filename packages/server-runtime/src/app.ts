import { DatabaseClock, headersOf, Limiter } from '@petstore-platform/quota';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Handler } from './api/handler.ts';
import { routesOf } from './api/routing.ts';
import { apiKeysOf } from './api-keys/keys.ts';
import { openTokens } from './api-keys/tokens.ts';
import type { Security } from './caller.ts';
import type { Config, TokenConfig } from './config.ts';
import { type Contract, type ContractTypes, credentialsOf } from './contract.ts';
import { type DatabaseHandle, openDatabase } from './database/open.ts';
import { noteTiming, RequestDb } from './database/statement.ts';
import { checkTenantIsolation } from './database/tenant-check.ts';
import { writerOf } from './http/failures.ts';
import { routeText } from './http/templates.ts';
import { type Health, registerHealth } from './ops/health.ts';
import { createLog, requestLog } from './ops/log.ts';
import { Metrics } from './ops/metrics.ts';
import { registerReference } from './ops/reference.ts';
import type { Service, ServiceContext } from './service.ts';
import { createServer } from './steps/1-arrival.ts';
import { path, refuseUnmatched } from './steps/2-path.ts';
import { load } from './steps/3-load.ts';
import { authentication, authenticator } from './steps/4-authentication.ts';
import { fullWindow, limitRequests, limits } from './steps/5-limits.ts';
import { body } from './steps/6-body.ts';
import { validation } from './steps/7-validation.ts';
import { handler } from './steps/8-handler.ts';
import { response } from './steps/9-response.ts';
import { guardsOf } from './steps/guards.ts';

export interface RunningService {
  app: FastifyInstance;
  db: DatabaseHandle;
  clock: DatabaseClock;
  /** Undefined without `METRICS_PORT`. */
  metrics: Metrics | undefined;
  context: ServiceContext;
  health: Health;
  /** Returns reservations, then closes the databases. The app is closed before. */
  close(): Promise<void>;
}

/** The parts of a service that tests replace. */
export interface Overrides<Types extends ContractTypes = ContractTypes> {
  clock?: DatabaseClock;
  metrics?: Metrics;
  /** Default: those of the contract that this server was built from. */
  reference?: string;
  operations?: Contract['operations'];
  schemas?: Contract['schemas'];
  handlers?: Partial<Types['handlers']>;
}

/** Opens the service, for production and tests. It registers the plugins in the order in which a request meets them. */
export async function openService<Types extends ContractTypes>(
  service: Service<Types>,
  config: Config,
  overrides: Overrides<Types> = {},
): Promise<RunningService> {
  const { DATABASE_URL: url } = config;
  const { contract, perAddress } = service;
  const { basePath } = contract;
  const { reference = contract.reference, operations = contract.operations, schemas = contract.schemas } = overrides;
  const log = createLog(config.LOG_LEVEL);
  const pool = { size: config.DATABASE_POOL, timeLimit: config.STATEMENT_TIMEOUT * 1_000 };
  const db = openDatabase(service, url, pool);
  // Counting requests has its own connections, and gives up sooner.
  const counters = openDatabase(service, url, { size: 2, timeLimit: 2_000 });
  const pools = { requests: db, limits: counters };
  const metrics = overrides.metrics ?? (config.METRICS_PORT === undefined ? undefined : new Metrics(pools));
  const onSkew = (ahead: number) =>
    log.warn({ ahead: Math.round(ahead) }, "this machine's clock differs from the database's, which is used");
  const clock = overrides.clock ?? new DatabaseClock({ onSkew });
  const limiter = new Limiter({
    pool: counters.pool,
    now: 'service_now()',
    onStatement: (timing) => noteTiming({ kind: 'count', ...timing }),
    ban: { after: config.BAN_AFTER, duration: config.BAN_SECONDS * 1_000 },
    clock,
    onChange(away, reason) {
      if (away) log.error({ err: reason }, 'counting requests without the database');
      else log.info('counting requests in the database again');
    },
  });
  const apiKeys = apiKeysOf(service, db, clock.monotonic, (key) =>
    log.error(key, 'keys of this plan get 503, because this version does not know it'),
  );

  const app = await createServer(config, log, {
    maxRequests: config.MAX_REQUESTS || Number.POSITIVE_INFINITY,
    maxConnections: config.MAX_CONNECTIONS || Number.POSITIVE_INFINITY,
    isTrusted: config.TRUST_PROXY,
    clientHeader: service.clientHeader,
    exposedHeaders: [...contract.responseHeaders],
    hasCookies: [
      ...credentialsOf(operations),
      ...Object.values(operations).flatMap(({ parameters }) => parameters),
    ].some(({ in: place }) => place === 'cookie'),
    clock,
    headers: () => headersOf(fullWindow(clock, perAddress), clock.now()),
    write: writerOf(service, log),
    onEnd: requestLog(log, metrics),
  });
  await app.register(path, { basePath });
  const handlers = { ...createHandlers(service, db, log), ...overrides.handlers } as unknown as Record<string, Handler>;
  const { addressPlan, tokens } = service;
  const issuer = tokens && openTokens({ ...service, tokens }, config as Partial<TokenConfig>, clock, log);
  const callerOptions = { realm: service.name, apiKeys, tokens: issuer?.tokens, clock, origins: config.CORS_ORIGINS };
  const authenticate = (security: Security) => authenticator(security, callerOptions);
  const limit = await limitRequests(app, limiter, perAddress);
  // The configuration has the values of the service's variables.
  const context = { config: config as ServiceContext['config'], db: db.kysely, log };
  const close = async () => {
    issuer?.keys.close();
    await limiter.close();
    await Promise.all([db.close(), counters.close()]);
  };
  // `extend` runs before the operations are registered, because a route gets only the hooks added before it.
  try {
    await checkTenantIsolation(db, service);
    await service.extend(app, { ...context, ...guardsOf(authenticate, limit, { addressPlan, clock }) });
  } catch (error) {
    await Promise.all([app.close(), close()]);
    throw error;
  }
  const routes = routesOf({ basePath, operations });
  await app.register(
    async function api(app) {
      // This handler is never called, as step 5 ends the request. It only makes unknown paths take these steps.
      app.setNotFoundHandler(() => {});
      await app.register(load);
      await app.register(authentication, { operations, authenticator: authenticate });
      await app.register(limits, { limit, limiter, perAddress });
      await app.register(body, { operations, handlers });
      await app.register(validation, { schemas, templates: routes.templates });
      await app.register(handler, { ...routes, operations, handlers, issue: issuer?.tokens.issue, addressPlan });
      await app.register(response, { operations });
    },
    { prefix: routeText(basePath) },
  );
  // Added last, so that only routes outside the API get it.
  app.addHook('onRequest', refuseUnmatched);
  const health = registerHealth(app, db, service, () => service.ready(context));
  metrics?.observe({ requests: app.requests, limiter, health });
  registerReference(app, contract, config.PUBLIC_URL, config.DOCS === 'on' ? reference : undefined);
  if (service.tokens?.issue) app.get('/.well-known/jwks.json', async () => issuer?.keys.published());
  return { app, db, clock, metrics, context, health, close };
}

export function createHandlers<Types extends ContractTypes>(
  { handlers, name }: Service<Types>,
  db: DatabaseHandle,
  log?: FastifyBaseLogger,
): Types['handlers'] {
  const requestDb = new RequestDb(db, { log, service: name });
  return Object.fromEntries(
    Object.entries(handlers).map(([id, create]): [string, Handler] => [id, create(requestDb)]),
  ) as unknown as Types['handlers'];
}
