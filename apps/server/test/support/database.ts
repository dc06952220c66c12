import * as testkit from '@petstore/testkit/database';
import { onTestFinished } from 'vitest';
import { migrateUp } from '../../src/database/migrate.ts';

/** Creates a database: empty, or at this version. The caller drops it. */
export async function createDatabase({ migrated = true } = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const database = await testkit.createDatabase();
  if (migrated) await migrateUp(database.url);
  return database;
}

/** Like {@link createDatabase}, dropped when the running test ends. */
export async function temporaryDatabase(options?: { migrated?: boolean }): Promise<string> {
  const { url, drop } = await createDatabase(options);
  onTestFinished(drop);
  return url;
}
