import { type Kysely, sql } from 'kysely';
import { type MigrationInfo, type MigrationResultSet, Migrator } from 'kysely/migration';
import { UsageError } from '../usage.ts';
import { migrations } from './migrations.ts';
import { openDatabase } from './open.ts';
import type { Database } from './schema.ts';

/**
 * Brings the schema up to this version. Servers that start at once wait for each other (Kysely's migration lock).
 *
 * @returns the names of the migrations that ran
 * @throws UsageError when the database is newer than this server or not in UTF8; otherwise the error of the migration that failed: what
 *   ran before it in the same call is rolled back with it
 */
export function migrateUp(url: string): Promise<string[]> {
  return withDatabase(url, async (kysely) => namesOf(await createMigrator(kysely).migrateToLatest()));
}

/**
 * Reverts the last migration.
 *
 * @param force - also when rows are lost
 * @returns its name; nothing when there is none
 * @throws UsageError when rows would be lost; otherwise like {@link migrateUp}
 */
export function migrateDown(url: string, force = false): Promise<string[]> {
  return withDatabase(url, (kysely) =>
    kysely.transaction().execute(async (transaction) => {
      const rows = new Map<string, number>();
      for (const table of await tableNames(transaction)) rows.set(table, await countRows(transaction, table));
      const names = namesOf(await createMigrator(transaction).migrateDown());
      for (const table of await tableNames(transaction)) rows.delete(table);
      const lost = [...rows.values()].reduce((sum, count) => sum + count, 0);
      if (lost > 0 && !force) throw new UsageError(`Reverting ${names} deletes ${lost} rows; to do it, add --force`);
      return names;
    }),
  );
}

/** Every migration of this version, and when it ran on this database. */
export function migrationStatus(url: string): Promise<readonly MigrationInfo[]> {
  return withDatabase(url, (kysely) => createMigrator(kysely).getMigrations());
}

async function withDatabase<T>(url: string, work: (kysely: Kysely<Database>) => Promise<T>): Promise<T> {
  // A connection of its own: a migration may take longer than a request.
  const db = openDatabase(url, { timeLimit: 0, size: 1 });
  try {
    await requireUtf8(db.kysely);
    return await work(db.kysely);
  } finally {
    await db.close();
  }
}

function createMigrator(db: Kysely<Database>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/** Any other encoding lacks characters that a name may have. */
async function requireUtf8(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(db);
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8') throw new UsageError(`The database has the encoding ${encoding}; it must be UTF8`);
}

async function tableNames(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() and tablename !~ '^kysely_'`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

async function countRows(db: Kysely<Database>, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0;
}

function namesOf({ error, results = [] }: MigrationResultSet): string[] {
  const [, newer] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (newer) throw new UsageError(`The database is newer than this server: it has had migration ${newer}`);
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}
