import type { Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { DatabaseClock } from './database/clock.ts';
import { migrateUp } from './database/migrate.ts';
import { openCounters, openDatabase } from './database/open.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createLimiters } from './limits/limiter.ts';
import { Metrics, serveMetrics } from './ops/metrics.ts';
import { type Phase, runPhases, untilSignal } from './shutdown.ts';
import { UsageError } from './usage.ts';

/**
 * Migrates, then serves until SIGTERM or SIGINT.
 *
 * @param url - of the database
 * @throws UsageError when the address cannot be listened on
 */
export async function serve(config: Config, url: string): Promise<void> {
  const stopped = untilSignal();
  // The first process of a container is not ended by a signal that it does not handle. Nothing is accepted yet, and what has
  // not been migrated to its end is rolled back.
  if ((await Promise.race([migrateUp(url), stopped])) === undefined) process.exit();
  const db = openDatabase(url);
  const counters = openCounters(url);
  const stopHousekeeping = startHousekeeping(counters);
  const metrics = config.METRICS_PORT === undefined ? undefined : new Metrics({ requests: db, limits: counters });
  const clock = new DatabaseClock({
    onSkew: (ahead) =>
      app.log.warn({ ahead: Math.round(ahead) }, "this machine's clock is wrong: the database's counts"),
  });
  const limiters = createLimiters({
    db: counters,
    ban: { after: config.BAN_AFTER, duration: config.BAN_SECONDS * 1_000 },
    clock,
    onBan: (subject) => metrics?.banned(subject),
    onChange(away, reason) {
      if (away) app.log.error({ err: reason }, 'counting requests without the database');
      else app.log.info('counting requests in the database again');
    },
  });
  const app = await buildApp(config, { db, limiters, metrics });
  await clock.read(counters).catch(() => {});
  let metricsServer: Server | undefined;
  const close: Phase[] = [
    { name: 'answering what runs', limit: 15_000, run: () => app.exchanges.drain({ total: 10_000, quiet: 1_000 }) },
    { name: 'closing the server', limit: 5_000, run: () => app.close() },
    // Once it is closed, Node.js does not cut off slow clients any more.
    { name: 'cutting off what is left', limit: 1_000, run: async () => app.server.closeAllConnections() },
    {
      name: 'giving back what is reserved',
      limit: 5_000,
      run: () => Promise.all([limiters.keys.close(), limiters.addresses.close()]),
    },
    { name: 'closing the database', limit: 5_000, run: () => Promise.all([db.close(), counters.close()]) },
    // Last: until here it tells how the others go.
    { name: 'closing the metrics', limit: 1_000, run: async () => metricsServer?.close().closeAllConnections() },
  ];
  try {
    const { HOST, PORT, METRICS_HOST, METRICS_PORT } = config;
    if (metrics && METRICS_PORT !== undefined) {
      const address = { host: METRICS_HOST, port: METRICS_PORT };
      metricsServer = await listening('METRICS_PORT', address, () => serveMetrics(metrics, address));
      app.log.info(`Metrics at ${originOf(metricsServer)}/metrics`);
    }
    const address = { host: HOST, port: PORT };
    await listening('PORT', address, () => app.listen(address));
    await stopped;
  } finally {
    stopHousekeeping();
    await runPhases(close, (message) => app.log.warn(message));
  }
}

/** @throws UsageError when the address cannot be listened on */
async function listening<T>(variable: string, { host, port }: ListenOptions, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? `the port is in use; set ${variable} to another one` : message;
    throw new UsageError(`Cannot listen on ${host}:${port}: ${reason}`);
  }
}

/** Where a person reaches the server: a wildcard address is reached by localhost. */
function originOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const wildcard = address === '0.0.0.0' || address === '::';
  const host = wildcard ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
