import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LocalPostgres, startLocalPostgres } from '@petstore-platform/local-postgres';
import pg from 'pg';
import { freePort } from './server.ts';
import { createSystemPostgres } from './system-postgres.ts';

/** Opens the Postgres for tests: that of `TEST_DATABASE_URL`, the one that packages share, or one by {@link startPostgres} without fsync. */
export async function openTestPostgres(): Promise<{ url: string; close(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL || process.env.SHARED_POSTGRES;
  if (url) return { url, close: async () => {} };
  return startPostgres({ fsync: 'off', full_page_writes: 'off', max_connections: '500', max_wal_size: '256MB' });
}

/**
 * Starts npm's Postgres in a temporary folder, which `close` deletes, and restarts it whenever it ends. With `TEST_POSTGRES=system`,
 * it is the system's Postgres.
 */
export async function startPostgres(settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'test-'));
  const system = process.env.TEST_POSTGRES === 'system' ? await createSystemPostgres(dataDir) : undefined;
  const port = system && (await freePort());
  const start = () => system?.start('data', port, settings) ?? startLocalPostgres(dataDir, settings);
  let postgres: LocalPostgres = await start();
  let closing = false;
  const supervise = async () => {
    for (;;) {
      await postgres.ended;
      if (closing) return;
      // The start is retried, because it fails if Postgres is killed during it.
      postgres = await start().catch(() => delay(100, postgres));
      if (closing) await postgres.stop();
    }
  };
  const supervised = supervise();
  const close = async () => {
    closing = true;
    await postgres.stop();
    await supervised;
    await rm(dataDir, { recursive: true });
  };
  return { url: postgres.url, close };
}

/** The name of a Postgres in a report, such as `Postgres 15.14 (Debian 15.14-0+deb12u1), JIT on`. */
export async function describePostgres(url: string): Promise<string> {
  const { rows } = await withClient(url, (client) =>
    client.query(`
      select concat('Postgres ', current_setting('server_version'), ', JIT ',
        case when pg_jit_available() then 'on' else 'off' end) as description`),
  );
  return rows[0].description;
}

/** Calls `work` with a new connection, closed afterwards. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Calls `work` while tables are locked, unless it commits. */
export function whileLocked<T>(url: string, tables: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient(url, async (client) => {
    await client.query(`begin; lock table ${tables}`);
    return await work(client);
  });
}

/**
 * Counts lock waits in this database. Unlike pg_stat_activity, pg_locks is not cached within a transaction.
 *
 * @param least - the milliseconds for which they last at least. Default: 0
 */
export async function countWaiting(client: pg.Client, least = 0): Promise<number> {
  const { rowCount } = await client.query(
    `select distinct pid from pg_locks where not granted
      and coalesce(waitstart, clock_timestamp()) <= clock_timestamp() - make_interval(secs => $1) and pid in (
        select pid from pg_locks join pg_database on pg_database.oid = database where datname = current_database())`,
    [least / 1_000],
  );
  return rowCount ?? 0;
}
