import { createCitusDatabase, isCitus } from '@petstore-platform/testkit/citus';
import * as testkit from '@petstore-platform/testkit/database';
import { inject, onTestFinished } from 'vitest';
import { type DatabaseHandle, migrateUp, withDatabase } from './runtime.ts';
import type {} from './template.ts';

/** Creates a database, empty or migrated. The caller drops it. */
export function createDatabase({ migrated = true } = {}): Promise<{ url: string; drop(): Promise<void> }> {
  if (isCitus) return createCitusDatabase('petstore', (url) => withDatabase(url, migrateUp));
  return testkit.createDatabase(inject('postgresUrl'), migrated ? inject('template') : undefined);
}

/** Like {@link createDatabase}, migrated, and dropped when the running test ends. */
export async function temporaryDatabase(): Promise<string> {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  return url;
}

/** The rows of a statement. */
export async function rowsOf<Row extends object>(db: DatabaseHandle, sql: string, values?: unknown[]): Promise<Row[]> {
  return (await db.pool.query<Row>(sql, values)).rows;
}

/** Takes the lock of creations, until the commit. */
export const LOCK_OF_CREATIONS = `select pg_advisory_xact_lock('pets'::regclass::oid::integer, 0)`;
