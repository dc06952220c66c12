import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startLocalPostgres } from '@petstore/local-postgres';
import pg from 'pg';

/** The Postgres for the tests of one package: `TEST_DATABASE_URL`, or local binaries without fsync. */
export async function openTestPostgres(): Promise<{ url: string; close(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { url, close: async () => {} };
  return startPostgres({ fsync: 'off', full_page_writes: 'off', max_connections: '300' });
}

/** Starts local Postgres binaries on a temporary folder, which `close` deletes. Restarts them whenever they end. */
export async function startPostgres(
  settings: Record<string, string> = {},
): Promise<{ url: string; dataDir: string; close(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'petstore-test-'));
  let postgres = await startLocalPostgres(dataDir, settings);
  let closing = false;
  const supervise = async () => {
    for (;;) {
      await postgres.ended;
      if (closing) return;
      // A start fails when Postgres is killed during it.
      postgres = await startLocalPostgres(dataDir, settings).catch(() => delay(100, postgres));
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
  return { url: postgres.url, dataDir, close };
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

/** Counts lock waits in this database. Unlike pg_stat_activity, pg_locks is not cached within a transaction. */
export async function countWaiting(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(`
    select from pg_locks join pg_database on pg_database.oid = database where datname = current_database() and not granted`);
  return rowCount ?? 0;
}
