import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DatabaseHandle } from '../database/open.ts';
import type { Overload } from '../http/load-shedding.ts';

/** Bounds of the duration histogram in seconds: from a read that was cached to one that waited for the database in vain. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** For requests that are no operation: an unknown path must not make a label of its own. */
const NO_OPERATION = 'other';

/** For what was no HTTP, or no whole request. */
const NO_METHOD = '-';

/** The 429s by their `code`. */
const REFUSALS: Record<string, string> = { rate_limit_exceeded: 'limited', api_key_banned: 'banned' };

/** What is counted of an operation without looking up labels for each request. */
interface Series {
  observe(seconds: number): void;
  /** By method and status, as in `GET 200`. */
  requests: Map<string, number>;
}

/** What an operator watches, for Prometheus: requests, refusals, the database's connections and the process. */
export class Metrics {
  readonly registry = new Registry();
  readonly #series = new Map<string, Series>();
  readonly #durations: Histogram<'operation'>;
  readonly #refusals: Counter<'subject' | 'reason'>;
  readonly #bans: Counter<'subject'>;
  readonly #shed: Counter<'reason'>;

  /** @param databases - by the name of their pool */
  constructor(databases: Record<string, DatabaseHandle>) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'From the arrival of the headers to the end of the answer, by operation.',
      labelNames: ['operation'],
      buckets: BUCKETS,
      registers,
    });
    const series = this.#series;
    new Counter({
      name: 'http_requests_total',
      help: 'Requests by operation, method and status; 499: the client had gone before its answer.',
      labelNames: ['operation', 'method', 'status'],
      registers,
      collect() {
        this.reset();
        for (const [operation, { requests }] of series) {
          for (const [key, count] of requests) {
            const [method = '', status = ''] = key.split(' ');
            this.inc({ operation, method, status }, count);
          }
        }
      },
    });
    this.#refusals = new Counter({
      name: 'petstore_rate_limit_refusals_total',
      help: 'Requests answered 429, by what was counted (key or address) and why (limited or banned).',
      labelNames: ['subject', 'reason'],
      registers,
    });
    this.#bans = new Counter({
      name: 'petstore_rate_limit_bans_total',
      help: 'Bans that this server has set, by what was counted (key or address).',
      labelNames: ['subject'],
      registers,
    });
    this.#shed = new Counter({
      name: 'petstore_requests_shed_total',
      help: 'Requests answered 503 because of overload, by the limit that was passed.',
      labelNames: ['reason'],
      registers,
    });
    // From the start, so that a first one is seen as a rise.
    for (const subject of ['key', 'address']) {
      this.#bans.inc({ subject }, 0);
      for (const reason of Object.values(REFUSALS)) this.#refusals.inc({ subject, reason }, 0);
    }
    for (const reason of ['requests', 'event_loop_delay'] satisfies Overload[]) this.#shed.inc({ reason }, 0);
    new Gauge({
      name: 'petstore_database_connections',
      help: 'Connections to Postgres by pool and state (used or idle), and the queries that wait for one (waiting).',
      labelNames: ['pool', 'state'],
      registers,
      collect() {
        for (const [name, { pool }] of Object.entries(databases)) {
          this.set({ pool: name, state: 'used' }, pool.totalCount - pool.idleCount);
          this.set({ pool: name, state: 'idle' }, pool.idleCount);
          this.set({ pool: name, state: 'waiting' }, pool.waitingCount);
        }
      },
    });
  }

  /** Measures the requests of a server. */
  observe(app: FastifyInstance): void {
    new Gauge({
      name: 'http_requests_in_progress',
      help: 'Requests that are not answered yet.',
      registers: [this.registry],
      collect() {
        this.set(app.drain.running);
      },
    });
    app.addHook('onResponse', (request, reply, done) => {
      this.record(request, reply);
      done();
    });
  }

  /** Counts a ban; `subject` as in the limiter: `key:12`, `address:192.0.2.1`. */
  banned(subject: string): void {
    this.#bans.inc({ subject: subject.startsWith('key:') ? 'key' : 'address' });
  }

  /** Counts a request that was refused because of overload. */
  shed(reason: Overload): void {
    this.#shed.inc({ reason });
  }

  /** Counts a request that has ended, with the status of its reply or another one. */
  record(request: FastifyRequest, reply: FastifyReply, status = reply.statusCode): void {
    const { operationId, method, apiKey, errorCode } = request;
    const series = this.#seriesOf(operationId ?? NO_OPERATION);
    series.observe(reply.elapsedTime / 1_000);
    increment(series, method, status);
    const refusal = errorCode && REFUSALS[errorCode];
    if (refusal) this.#refusals.inc({ subject: apiKey ? 'key' : 'address', reason: refusal });
  }

  /** Counts what was answered without having become a request. */
  recordUnparsable(status: number): void {
    increment(this.#seriesOf(NO_OPERATION), NO_METHOD, status);
  }

  #seriesOf(operation: string): Series {
    const known = this.#series.get(operation);
    if (known) return known;
    const { observe } = this.#durations.labels(operation);
    const series = { observe, requests: new Map() };
    this.#series.set(operation, series);
    return series;
  }
}

function increment({ requests }: Series, method: string, status: number): void {
  const key = `${method} ${status}`;
  requests.set(key, (requests.get(key) ?? 0) + 1);
}

/** Serves `/metrics`, and nothing else, on a listener of its own: what is for the operator is not on the API's port. */
export async function serveMetrics({ registry }: Metrics, address: { host: string; port: number }): Promise<Server> {
  const server = createServer(({ url = '', method = '' }, response) => {
    const path = url.split('?', 1)[0];
    if (path !== '/metrics' || !['GET', 'HEAD'].includes(method)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', registry.contentType);
    registry.metrics().then(
      (text) => response.end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(address);
  await once(server, 'listening');
  return server;
}
