import { DatabaseClock, Limiter } from '@petstore-platform/quota';
import type { FastifyInstance } from 'fastify';
import { authenticator } from './api/authentication.ts';
import { guardsOf } from './api/guards.ts';
import { limitDocuments, limitHeaders, limitRequests, registerAddresses, unused } from './api/limits.ts';
import { type ApiOptions, api } from './api/plugin.ts';
import { ApiKeys } from './api-keys/keys.ts';
import { openTokens } from './api-keys/tokens.ts';
import type { Security } from './caller.ts';
import type { Config, TokenConfig } from './config.ts';
import { type Contract, type ContractTypes, credentialsOf } from './contract.ts';
import { SERVICE_TIME } from './database/clock.ts';
import { type DatabaseHandle, openDatabase } from './database/open.ts';
import { checkTenantIsolation } from './database/tenant-isolation.ts';
import { noteTiming } from './database/timing.ts';
import { createHandlers } from './handlers.ts';
import { writerOf } from './http/failure-body.ts';
import { createServer } from './http/server.ts';
import { routeText } from './http/templates.ts';
import { type Health, registerHealth } from './ops/health.ts';
import { createLog, logRequest } from './ops/log.ts';
import { Metrics } from './ops/metrics.ts';
import { registerReference } from './ops/reference.ts';
import { fullAddress } from './proxies.ts';
import type { Service, ServiceContext } from './service.ts';

export interface RunningService {
  app: FastifyInstance;
  db: DatabaseHandle;
  /** A second pool, for counting requests and for housekeeping. */
  counters: DatabaseHandle;
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
  const limits = { size: config.DATABASE_POOL, timeLimit: config.STATEMENT_TIMEOUT * 1_000 };
  const db = openDatabase(service, url, limits);
  // Counting requests has its own connections, and gives up sooner.
  const counters = openDatabase(service, url, { size: 2, timeLimit: 2_000 });
  const pools = { requests: db, limits: counters };
  const metrics = overrides.metrics ?? (config.METRICS_PORT === undefined ? undefined : new Metrics(pools));
  const onSkew = (ahead: number) =>
    log.warn({ ahead: Math.round(ahead) }, "this machine's clock differs from the database's, which is used");
  const clock = overrides.clock ?? new DatabaseClock({ onSkew });
  const limiter = new Limiter({
    pool: counters.pool,
    now: SERVICE_TIME,
    onStatement: (timing) => noteTiming({ kind: 'count', ...timing }),
    ban: { after: config.BAN_AFTER, duration: config.BAN_SECONDS * 1_000 },
    clock,
    onChange(away, reason) {
      if (away) log.error({ err: reason }, 'counting requests without the database');
      else log.info('counting requests in the database again');
    },
  });
  const apiKeys = new ApiKeys(service, db, clock.monotonic, (key) =>
    log.error(key, 'keys of this plan get 503, because this version does not know it'),
  );

  const app = await createServer(config, log, {
    maxRequests: config.MAX_REQUESTS || Number.POSITIVE_INFINITY,
    maxConnections: config.MAX_CONNECTIONS || Number.POSITIVE_INFINITY,
    isTrusted: config.TRUST_PROXY,
    clientHeader: service.clientHeader,
    exposedHeaders: [...contract.responseHeaders],
    hasCookies: credentialsOf(operations).some(({ in: place }) => place === 'cookie'),
    date: () => clock.date(),
    headers: () => limitHeaders(clock, unused(clock, perAddress)),
    write: writerOf(service, log),
    onEnd(state) {
      logRequest(log, state);
      metrics?.record(state);
    },
  });
  if (config.LOG_ADDRESS === 'on')
    app.addHook('onRequest', (request, _reply, done) => {
      request.raw.state.address = fullAddress(request);
      done();
    });
  const handlers = { ...createHandlers(service, db, log), ...overrides.handlers } as unknown as ApiOptions['handlers'];
  const issuer = openTokens(service, config as Partial<TokenConfig>, clock, log);
  const served = { basePath, operations, schemas, handlers, issue: issuer?.tokens.issue };
  const callers = { realm: service.name, apiKeys, tokens: issuer?.tokens, clock, origins: config.CORS_ORIGINS };
  const authenticate = (security: Security) => authenticator(security, callers);
  const countAddress = await registerAddresses(app, clock);
  const limit = limitRequests(app, limiter, perAddress);
  const { addressPlan } = service;
  const options: ApiOptions = { ...served, authenticator: authenticate, limit, limiter, addressPlan, perAddress };
  // The configuration has the values of the service's variables.
  const context = { config: config as ServiceContext['config'], db: db.kysely, log };
  const close = async () => {
    issuer?.keys.close();
    await limiter.close();
    await Promise.all([db.close(), counters.close()]);
  };
  // Its hooks also concern the operations, which have those of the instance at their registration.
  try {
    await checkTenantIsolation(db, service);
    await service.extend(app, { ...context, ...guardsOf(authenticate, limit, { addressPlan, clock }) });
  } catch (error) {
    await Promise.all([app.close(), close()]);
    throw error;
  }
  await app.register(api, { prefix: routeText(basePath), ...options });
  // Unknown paths outside the API fail here. The API counts and answers its own failures.
  app.addHook('onRequest', (request, _reply, done) => done(request.raw.state.failure));
  const health = registerHealth(app, db, service, { ready: () => service.ready(context), count: countAddress });
  metrics?.observe({ requests: app.requests, limiter, health });
  await app.register(async (documents) => {
    limitDocuments(documents, clock, countAddress);
    registerReference(documents, contract, config.PUBLIC_URL, config.DOCS === 'on' ? reference : undefined);
    if (service.tokens?.issue) documents.get('/.well-known/jwks.json', async () => issuer?.keys.published());
  });
  return { app, db, counters, clock, metrics, context, health, close };
}
