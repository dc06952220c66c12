import { sql } from 'kysely';
import { type MigrationInfo, type MigrationResultSet, Migrator } from 'kysely/migration';
import { UsageError } from '../usage.ts';
import { migrations } from './migrations/index.ts';
import { type DatabaseHandle, openDatabase } from './open.ts';

const UNDEFINED_TABLE = '42P01';

/**
 * Brings the schema up to this version. Servers that start at once wait for each other (Kysely's migration lock).
 *
 * @returns the names of the migrations that ran
 * @throws UsageError when the database is newer than this server; otherwise the error of the migration that failed: what
 *   ran before it in the same call is rolled back with it
 */
export function migrateUp(url: string): Promise<string[]> {
  return withMigrator(url, async (migrator) => namesOf(await migrator.migrateToLatest()));
}

/**
 * Takes the last migration back, with the data that it made room for.
 *
 * @returns its name; nothing when there is none
 * @throws like {@link migrateUp}
 */
export function migrateDown(url: string): Promise<string[]> {
  return withMigrator(url, async (migrator) => namesOf(await migrator.migrateDown()));
}

/** Every migration of this version, and when it ran on this database. */
export function migrationStatus(url: string): Promise<readonly MigrationInfo[]> {
  return withMigrator(url, (migrator) => migrator.getMigrations());
}

/** The first migration of this version that a database has not had. One that is newer has had them all. */
export async function missingMigration(db: DatabaseHandle): Promise<string | undefined> {
  const executed = await sql<{ name: string }>`select name from kysely_migration`.execute(db.kysely).then(
    ({ rows }) => new Set(rows.map(({ name }) => name)),
    (error) => {
      if (error.code === UNDEFINED_TABLE) return new Set();
      throw error;
    },
  );
  return Object.keys(migrations).find((name) => !executed.has(name));
}

async function withMigrator<T>(url: string, work: (migrator: Migrator) => Promise<T>): Promise<T> {
  // A connection of its own: a migration may take longer than a request.
  const db = openDatabase(url, { timeLimit: 0, size: 1 });
  try {
    return await work(new Migrator({ db: db.kysely, provider: { getMigrations: async () => migrations } }));
  } finally {
    await db.close();
  }
}

function namesOf({ error, results = [] }: MigrationResultSet): string[] {
  const [, newer] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (newer) throw new UsageError(`The database is newer than this server: it has had migration ${newer}`);
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}
