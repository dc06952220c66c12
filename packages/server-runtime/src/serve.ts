import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyBaseLogger, FastifyInstance, FastifyListenOptions } from 'fastify';
import { openService } from './app.ts';
import { type Config, shownConfig } from './config.ts';
import { causeOf } from './database/cause.ts';
import { nameOtherColumns } from './database/columns.ts';
import { requireMigrated, withDatabase } from './database/migrations.ts';
import { type DatabaseHandle, openDatabase } from './database/open.ts';
import { isDatabaseUnavailable } from './errors.ts';
import { jobsOf } from './housekeeping.ts';
import { startJobs } from './jobs.ts';
import { buildOf } from './ops/build.ts';
import { isServing } from './ops/health.ts';
import { createLog, logOutput, switchLevel } from './ops/log.ts';
import { metricsServer } from './ops/metrics.ts';
import type { Service } from './service.ts';
import { shutDown, untilSignal } from './shutdown.ts';

export { loadConfig } from './config.ts';

const V8_FLAGS = [
  // Under the first load, many requests survive a garbage collection, so V8 may conclude that some of their objects live long. It then
  // creates these in the old generation for good, where each keeps its request in memory until a full collection.
  '--no-allocation-site-pretenuring',
  // After seconds without load, V8 would give memory back and discard compiled code, and the next requests would wait for both.
  '--memory-reducer-gc-count=0',
];

/**
 * Connections that the kernel queues until they are accepted; it allows 4,096 by default. With the 511 of Node.js, a flood would also make
 * it drop connections of other clients, which try again only after a second.
 */
const BACKLOG = 4_096;

/** Open files that are not for clients: Postgres, listeners, logs. */
const OWN_FILES = 80;

/** The connections that the limit of open files allows. Beyond it, Node.js would drop any connection, also those to Postgres. */
function affordable(): number {
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const files = Number((report as { userLimits?: { open_files: { soft: unknown } } }).userLimits?.open_files.soft);
  return Number.isNaN(files) ? Number.POSITIVE_INFINITY : Math.max(1, files - OWN_FILES);
}

/**
 * Brings the database up to this version. Another attempt follows while the database does not answer.
 *
 * @param onWait - called with the sessions that it waits for
 * @returns the URL with which the database is served
 */
export type Migrate = (url: string, onWait: (message: string) => void) => Promise<string>;

/**
 * Serves until a signal ends it.
 *
 * @param migrate - called first. Default: the database is migrated
 * @throws Error when the database is not migrated, or the address cannot be listened on
 */
export async function serve(service: Service, config: Config, migrate?: Migrate): Promise<void> {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  const { DATABASE_URL: url, MAX_CONNECTIONS: wanted, LOG_LEVEL } = config;
  const stopped = untilSignal();
  const log = createLog(LOG_LEVEL);
  const waiting = { seconds: config.DATABASE_WAIT, log };
  let isListening = false;
  // As PID 1 of a container, the process has to handle its signals. Before it accepts anything, it ends at once, and an unfinished
  // migration is rolled back.
  void stopped.then(async (signal) => {
    if (isListening) return;
    log.info({ signal }, 'ended');
    await logOutput.flush();
    process.exit();
  });
  const served = migrate ? await untilReachable(waiting, () => migrate(url, (message) => log.warn(message))) : url;
  const isMigrated = () => withDatabase(service, url, (db) => requireMigrated(service, db), 5_000);
  const newer = await untilReachable(waiting, isMigrated);
  const most = Math.min(wanted || Number.POSITIVE_INFINITY, affordable());
  const limited = { ...config, DATABASE_URL: served, MAX_CONNECTIONS: most };
  const running = await untilReachable(waiting, () => openService(service, limited));
  const { app, db, clock, metrics, context } = running;
  process.on('SIGUSR2', () => switchLevel(app.log, LOG_LEVEL));
  // A promise that an operation forgets to await fails no request. By default, it would end the process, with the requests of all clients.
  process.on('unhandledRejection', (err) => app.log.error({ err }, 'unhandled rejection'));
  const database = await untilReachable(waiting, () => describeDatabase(db));
  app.log.info({ ...buildOf(), ...database, config: shownConfig(process.env, service.variables) }, 'starting');
  if (most < (wanted || Number.POSITIVE_INFINITY))
    app.log.warn(`the limit of open files allows for ${most} connections, not for MAX_CONNECTIONS`);
  if (newer.length > 0) app.log.warn({ newer }, 'the database has migrations of a newer version');
  const jobs = jobsOf(service);
  // Each job needs a connection for its lock and one for its work.
  const jobsDb = openDatabase(service, served, { size: 2 * Object.keys(jobs).length });
  let stopJobs = async () => {};
  const metricsApp = metrics && metricsServer(metrics, app.log);
  try {
    const { HOST, PORT, METRICS_HOST, METRICS_PORT } = config;
    if (metricsApp && METRICS_PORT !== undefined) {
      const listenTextResolver = (origin: string) => `Metrics at ${origin}/metrics`;
      await listen(metricsApp, 'METRICS_PORT', { host: METRICS_HOST, port: METRICS_PORT, listenTextResolver });
    }
    await untilReachable(waiting, () => clock.ask(db.pool, 'service_now()'));
    await untilReachable(waiting, () => nameOtherColumns(db, service.columns, app.log));
    isListening = true;
    await listen(app, 'PORT', { host: HOST, port: PORT, backlog: BACKLOG });
    const problem = await running.health.check();
    if (!isServing(problem)) app.log.warn(problem, 'not ready');
    stopJobs = startJobs(jobs, { db: jobsDb, context: { ...context, db: jobsDb.kysely }, log: app.log });
    const signal = await stopped;
    app.log.info({ signal }, 'draining');
  } finally {
    await shutDown({ ...running, drainSeconds: config.DRAIN_SECONDS, stopJobs: () => stopJobs(), jobsDb, metricsApp });
  }
}

/** Repeats an attempt while the database does not answer, for this many seconds. Logs each failure. */
async function untilReachable<Result>(
  { seconds, log }: { seconds: number; log: FastifyBaseLogger },
  attempt: () => Promise<Result>,
): Promise<Result> {
  const end = performance.now() + seconds * 1_000;
  for (let pause = 100; ; pause = Math.min(2 * pause, 1_000)) {
    try {
      return await attempt();
    } catch (err) {
      if (!isAway(err) || performance.now() > end) throw err;
      log.warn({ reason: (err as Error).message }, 'waiting for the database');
    }
    await delay(pause);
  }
}

/** Whether the database does not answer. A migration that its restart ended says so in its cause. */
const isAway = (error: unknown): boolean =>
  (isDatabaseUnavailable(error) && ['unreachable', 'too_many_connections'].includes(causeOf(error))) ||
  (error instanceof Error && error.cause !== undefined && isAway(error.cause));

/** Postgres' version, the role, and the number of migrations that ran. */
async function describeDatabase({ pool }: DatabaseHandle): Promise<object> {
  const { rows } = await pool.query(`select current_setting('server_version') as postgres, current_user as role,
    (select count(*)::integer from kysely_migration) as migrations`);
  return rows[0];
}

/** @throws Error when the address cannot be listened on */
async function listen(app: FastifyInstance, variable: string, address: FastifyListenOptions): Promise<void> {
  await app.listen(address).catch(({ code, message }: NodeJS.ErrnoException) => {
    const reason = code === 'EADDRINUSE' ? `the port is in use; set ${variable} to another one` : message;
    throw new Error(`Cannot listen on ${address.host}:${address.port}: ${reason}`);
  });
}
