import { createCitusDatabase } from '@petstore-platform/testkit/citus';
import * as testkit from '@petstore-platform/testkit/database';
import { inject, onTestFinished } from 'vitest';
import type { DatabaseHandle } from './runtime.ts';
import type {} from './template.ts';

/** Creates a database, empty or migrated; a migrated one on Citus in a run on Citus. The caller drops it. */
export function createDatabase({ migrated = true } = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const citusUrl = inject('citusUrl');
  if (citusUrl && migrated) return createCitusDatabase(citusUrl, inject('program'));
  return testkit.createDatabase(inject('postgresUrl'), migrated ? inject('template') : undefined);
}

/** Like {@link createDatabase}, dropped when the running test ends. */
export async function temporaryDatabase(options?: { migrated?: boolean }): Promise<string> {
  const { url, drop } = await createDatabase(options);
  onTestFinished(drop);
  return url;
}

/** The rows of a statement. */
export async function rowsOf<Row extends object>(db: DatabaseHandle, sql: string, values?: unknown[]): Promise<Row[]> {
  return (await db.pool.query<Row>(sql, values)).rows;
}

/** The event of a trigger that runs in the middle of each creation. Citus has no triggers on distributed tables. */
export function creationEvent(): string {
  return inject('citusUrl') ? 'update on pets_visible' : 'insert on pets';
}

/** Takes the lock of creations, until the commit. */
export function lockOfCreations(): string {
  return inject('citusUrl')
    ? 'select from pets_visible for update'
    : `select pg_advisory_xact_lock('pets'::regclass::oid::integer, 0)`;
}
