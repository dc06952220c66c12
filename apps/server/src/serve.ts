import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { openCounters, openDatabase } from './database/database.ts';
import { migrateUp } from './database/migrate.ts';
import { document } from './generated/document.ts';
import { startHousekeeping } from './housekeeping.ts';
import { basePathOf } from './http/operations.ts';
import { quickstartKey, welcome } from './quickstart.ts';
import { createLimiters } from './rate-limit/limiter.ts';
import { type Phase, runPhases, untilSignal } from './shutdown.ts';
import { UsageError } from './usage.ts';

/**
 * Migrates, then serves until SIGTERM or SIGINT.
 *
 * @param url - of the database
 * @param quickstart - print a key and a first request, for a person who has just started it
 * @throws UsageError when the address cannot be listened on
 */
export async function serve(config: Config, url: string, quickstart: boolean): Promise<void> {
  await migrateUp(url);
  const db = openDatabase(url);
  const counters = openCounters(url);
  const stopHousekeeping = startHousekeeping(counters);
  const limiters = createLimiters({ db: counters, ban: config.ban, now: Date.now });
  const app = await buildApp(config, { db, limiters });
  const close: Phase[] = [
    { name: 'answering what runs', limit: 15_000, run: () => app.drain.run({ total: 10_000, quiet: 1_000 }) },
    { name: 'closing the server', limit: 5_000, run: () => app.close() },
    {
      name: 'storing the limits',
      limit: 5_000,
      run: () => Promise.all([limiters.keys.close(), limiters.addresses.close()]),
    },
    { name: 'closing the database', limit: 5_000, run: () => Promise.all([db.destroy(), counters.destroy()]) },
  ];
  try {
    const stopped = untilSignal();
    await listen(app, config);
    if (quickstart) console.log(welcome(originOf(app), basePathOf(document), await quickstartKey(db, config.dataDir)));
    await stopped;
  } finally {
    stopHousekeeping();
    await runPhases(close, (message) => app.log.warn(message));
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'the port is in use; set PORT to another one' : message;
    throw new UsageError(`Cannot listen on ${host}:${port}: ${reason}`);
  }
}

/** Where a person reaches the server: a wildcard address is reached by localhost. */
function originOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  const wildcard = address === '0.0.0.0' || address === '::';
  const host = wildcard ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
