import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startLocalPostgres } from '@petstore/local-postgres';
import pg from 'pg';

/** The Postgres for the tests of one package: that of `TEST_DATABASE_URL`, or real binaries that do not wait for the disk. */
export async function openTestPostgres(): Promise<{ url: string; close(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { url, close: async () => {} };
  return startPostgres({ fsync: 'off', full_page_writes: 'off', max_connections: '300' });
}

/** Starts real binaries on an empty folder, which `close` deletes. They are started again when they end, as by a supervisor. */
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
      // It may be killed while it starts.
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

/** Runs statements on one connection of its own. */
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

/** Counts who waits for a table of this database. Unlike pg_stat_activity, it counts anew within a transaction, too. */
export async function countWaiting(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(`
    select from pg_locks join pg_database on pg_database.oid = database where datname = current_database() and not granted`);
  return rowCount ?? 0;
}
