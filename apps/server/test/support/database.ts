import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { migrateUp } from '../../src/database/migrate.ts';

/** Runs statements on one connection of its own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** How many wait for a table of this database. Unlike pg_stat_activity, it tells that anew within a transaction, too. */
export async function countWaiting(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(`
    select from pg_locks join pg_database on pg_database.oid = database where datname = current_database() and not granted`);
  return rowCount ?? 0;
}

/** The URL of a database of its own: empty, or at this version. The caller drops it. */
export async function createDatabase({ migrated = true } = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withClient(server, (client) => client.query(`create database ${name}`));
  const url = new URL(server);
  url.pathname = name;
  if (migrated) await migrateUp(url.href);
  const drop = async () => {
    await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
  };
  return { url: url.href, drop };
}

/** Like {@link createDatabase}, dropped when the running test ends. */
export async function temporaryDatabase(options?: { migrated?: boolean }): Promise<string> {
  const { url, drop } = await createDatabase(options);
  onTestFinished(drop);
  return url;
}
