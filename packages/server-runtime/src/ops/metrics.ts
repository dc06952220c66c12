import type { Limiter } from '@petstore-platform/quota';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DatabaseHandle } from '../database/open.ts';
import { onTiming } from '../database/statement.ts';
import type { RequestState } from '../http/request-state.ts';
import { isEndless, OVERLOAD, type Requests } from '../http/requests.ts';
import { buildOf } from './build.ts';
import type { Health } from './health.ts';
import { logOutput } from './log.ts';

/** Bounds of histograms in seconds: from a fast read to a time-out of the database, which is reported after 5 to 5.5. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 5.5, 10];

/** The most SDK versions with a label of their own: in all, and of those that one key was the first to send. */
const CLIENTS = 40;
const CLIENTS_OF_KEY = 4;

type Values = [labels: Record<string, string>, value: number][];

/** The labels of the metrics that are read at each scrape. */
const LABELS = ['version', 'commit', 'node', 'db_client_connection_pool_name', 'db_client_connection_state', 'reason'];

interface Observed {
  requests: Requests;
  limiter: Limiter;
  health: Health;
}

/**
 * Prometheus metrics of requests, refusals, database connections and the process. Their names follow OpenTelemetry's semantic
 * conventions where there is one, so that one dashboard serves every service: Prometheus' `job` tells which.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #registers = [this.registry];
  readonly #durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the arrival of the headers to the end of the response (event streams: 0); status 499: the client left before it.',
    labelNames: ['operation', 'http_route', 'http_request_method', 'http_response_status_code', 'client', 'plan'],
    buckets: BUCKETS,
    registers: this.#registers,
  });
  /** SDK versions with a label, each with the id of the key that was the first to send it. */
  readonly #clients = new Map<string, string>();
  readonly #refusals = new Counter({
    name: 'service_rate_limit_refusals_total',
    help: 'Requests answered 429, by what was counted (key, token or address) and why (limited or, a key, banned).',
    labelNames: ['subject', 'reason'],
    registers: this.#registers,
  });
  readonly #shed = new Counter({
    name: 'service_requests_shed_total',
    help: 'Requests answered 503 because of overload.',
    registers: this.#registers,
  });

  readonly #databaseTime = new Histogram({
    name: 'db_client_operation_duration_seconds',
    help: 'Time of statements, which may serve many requests, by kind: read, change, count (requests of keys) or key.',
    labelNames: ['db_operation_name'],
    buckets: BUCKETS,
    registers: this.#registers,
  });
  readonly #waits = new Histogram({
    name: 'service_database_wait_seconds',
    help: 'Time that the first request of a statement waited for its turn or for a connection, by kind of statement.',
    labelNames: ['db_operation_name'],
    buckets: BUCKETS,
    registers: this.#registers,
  });

  /** @param databases - by pool name */
  constructor(databases: Record<string, DatabaseHandle>) {
    collectDefaultMetrics({ register: this.registry });
    onTiming(({ kind: db_operation_name, waited, took }) => {
      if (waited !== undefined) this.#waits.observe({ db_operation_name }, waited / 1_000);
      if (took !== undefined) this.#databaseTime.observe({ db_operation_name }, took / 1_000);
    });
    this.#read(Gauge, 'service_build_info', '1, with the version and commit of the service and of Node.js.', () => [
      [{ ...buildOf() }, 1],
    ]);
    // The counters start at 0, so that the first event shows as an increase.
    for (const reason of ['limited', 'banned']) this.#refusals.inc({ subject: 'key', reason }, 0);
    this.#refusals.inc({ subject: 'address', reason: 'limited' }, 0);
    const dropped = 'Log lines dropped because standard output did not take them.';
    this.#read(Counter, 'service_log_lines_dropped_total', dropped, () => [[{}, logOutput.dropped]]);
    const pools = Object.entries(databases).map(([name, { pool }]) => ({
      labels: { db_client_connection_pool_name: name },
      pool,
    }));
    const states = 'Connections to Postgres by pool and state (used or idle).';
    this.#read(Gauge, 'db_client_connection_count', states, () =>
      pools.flatMap(({ labels, pool: { totalCount, idleCount } }) => [
        [{ ...labels, db_client_connection_state: 'used' }, totalCount - idleCount],
        [{ ...labels, db_client_connection_state: 'idle' }, idleCount],
      ]),
    );
    const pending = 'Queries that wait for a connection, by pool.';
    this.#read(Gauge, 'db_client_connection_pending_requests', pending, () =>
      pools.map(({ labels, pool }) => [labels, pool.waitingCount]),
    );
  }

  observe({ requests, limiter, health }: Observed): void {
    const ready = '1 while /readyz responds 200 within a second, otherwise 0.';
    this.#read(Gauge, 'service_ready', ready, async () => [[{}, Number(await health.isReady())]]);
    const standby = '1 while changes wait for a synchronous standby that does not confirm them, otherwise 0.';
    this.#read(Gauge, 'service_standby_missing', standby, () => [[{}, Number(health.waitsForStandby())]]);
    const degraded = '1 while keys are counted without the database, otherwise 0.';
    this.#read(Gauge, 'service_degraded', degraded, () => [[{}, Number(limiter.isAlone)]]);
    const active = 'Requests that are not answered yet.';
    this.#read(Gauge, 'http_server_active_requests', active, () => [[{}, requests.running]]);
    const bans = 'Bans of keys that this server has issued.';
    this.#read(Counter, 'service_bans_total', bans, () => [[{}, limiter.bans]]);
    const dropped = 'Connections closed at once, beyond the maximum.';
    this.#read(Counter, 'service_connections_refused_total', dropped, () => [[{}, requests.dropped]]);
  }

  /** Adds a metric that is read at each scrape. */
  #read(Kind: typeof Gauge | typeof Counter, name: string, help: string, read: () => Values | Promise<Values>): void {
    new Kind({
      name,
      help,
      registers: this.#registers,
      labelNames: LABELS,
      async collect() {
        const values = await read();
        this.reset();
        for (const [labels, value] of values) this.inc(labels, value);
      },
    });
  }

  record(state: RequestState): void {
    const { operation, request, identity, decision, status, failure, milliseconds } = state;
    const labels = {
      // Unknown paths must not create labels.
      operation: operation?.id ?? 'other',
      http_route: operation?.path ?? '',
      // Malformed and incomplete requests have no method.
      http_request_method: request?.method ?? '_OTHER',
      http_response_status_code: status,
      client: this.#client(state),
      plan: identity?.caller.plan ?? '',
    };
    // The time of a stream of events says nothing about the service.
    this.#durations.observe(labels, isEndless(state) && status < 400 ? 0 : milliseconds / 1_000);
    if (failure === OVERLOAD) this.#shed.inc();
    const reason = decision?.outcome ?? 'admitted';
    if (reason !== 'admitted') this.#refusals.inc({ subject: identity?.caller.kind ?? 'address', reason });
  }

  #client({ client = 'none', operation, identity }: RequestState): string {
    if (client === 'none' || (operation && this.#clients.has(client))) return client;
    const ofKey = [...this.#clients.values()].filter((id) => id === identity?.caller.id);
    if (!identity || client === 'other' || this.#clients.size === CLIENTS || ofKey.length === CLIENTS_OF_KEY)
      return 'other';
    this.#clients.set(client, identity.caller.id);
    return client;
  }
}

/** A server for `/metrics` alone: metrics are not served on the API's port. */
export function metricsServer({ registry }: Metrics, log: FastifyBaseLogger): FastifyInstance {
  const logController = new LogController({ disableRequestLogging: true });
  const app = fastify({ loggerInstance: log, logController, forceCloseConnections: true });
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  return app;
}
