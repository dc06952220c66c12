import { Migrator } from 'kysely/migration';
import { openDatabase } from './database.ts';
import { migrations } from './migrations/index.ts';

/**
 * Brings the schema up to this version. Servers that start at once wait for each other (Kysely's migration lock).
 *
 * @returns the names of the migrations that ran
 * @throws the error of the migration that failed; what ran before it in the same call is rolled back with it
 */
export async function migrateUp(url: string): Promise<string[]> {
  // A connection of its own: a migration may take longer than a request.
  const db = openDatabase(url, { timeLimit: 0, size: 1 });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error) throw error;
    return results.map(({ migrationName }) => migrationName);
  } finally {
    await db.destroy();
  }
}
