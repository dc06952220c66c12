import { createCitusDatabase, isCitus } from '@petstore-platform/testkit/citus';
import * as testkit from '@petstore-platform/testkit/database';
import { withClient } from '@petstore-platform/testkit/postgres';
import { service } from '@repo/bookstore/tenanted';
import { bind } from '@repo/bookstore/testing';
import { inject, onTestFinished } from 'vitest';
import type { DatabaseHandle } from './runtime.ts';
import type {} from './template.ts';

/** Creates a database, empty or migrated. The caller drops it. */
export function createDatabase({ migrated = true } = {}): Promise<{ url: string; drop(): Promise<void> }> {
  return testkit.createDatabase(inject('postgresUrl'), migrated ? inject('template') : undefined);
}

/** Creates a database of the bookstore with owners. The caller drops it. */
export async function createTenantedDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { migrateUp, withDatabase } = bind(service);
  const migrate = (url: string) => withDatabase(url, migrateUp);
  if (isCitus) return createCitusDatabase('bookstore', migrate);
  const created = await createDatabase();
  await migrate(created.url);
  return created;
}

/** Like {@link createDatabase}, dropped when the running test ends. */
export async function temporaryDatabase(options?: { migrated?: boolean }): Promise<string> {
  const { url, drop } = await createDatabase(options);
  onTestFinished(drop);
  return url;
}

/** The rows of a statement, on a connection of its own if the database is a URL. */
export async function rowsOf<Row extends object>(
  db: DatabaseHandle | string,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  if (typeof db === 'string') return withClient(db, async (client) => (await client.query<Row>(sql, values)).rows);
  return (await db.pool.query<Row>(sql, values)).rows;
}

/** Ends all other sessions of a database. */
export const endSessions = (url: string) =>
  rowsOf(
    url,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
