import { type Kysely, sql } from 'kysely';
import { type MigrationInfo, type MigrationResultSet, Migrator } from 'kysely/migration';
import { UsageError } from '../usage.ts';
import { migrations } from './migrations.ts';
import { type Database, type DatabaseHandle, openDatabase } from './open.ts';

/**
 * Brings the schema up to this version. Servers that start at the same time wait for each other (Kysely's migration lock).
 *
 * @returns the names of the migrations that ran
 * @throws UsageError when the database is newer than this server or not in UTF8; otherwise the error of the migration that
 *   failed, which rolls back all migrations of the call
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
      const before = await countRows(transaction);
      const names = namesOf(await createMigrator(transaction).migrateDown());
      const lost = before - (await countRows(transaction));
      if (lost > 0 && !force) throw new UsageError(`Reverting ${names} deletes ${lost} rows; to do it, add --force`);
      return names;
    }),
  );
}

/** Every migration of this version, and when it ran on this database. */
export function migrationStatus(url: string): Promise<readonly MigrationInfo[]> {
  return withDatabase(url, (kysely) => createMigrator(kysely).getMigrations());
}

/** @throws UsageError when the database lacks a migration of this version */
export async function requireMigrated({ kysely }: DatabaseHandle): Promise<void> {
  const missing = (await createMigrator(kysely).getMigrations()).find(({ executedAt }) => !executedAt);
  if (missing) throw new UsageError(`The database lacks migration ${missing.name}: run petstore-server migrate first`);
}

async function withDatabase<T>(url: string, work: (kysely: Kysely<Database>) => Promise<T>): Promise<T> {
  // Not limited in time: a migration may take longer than a request.
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

/** Other encodings lack characters that a name may have. */
async function requireUtf8(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(db);
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8') throw new UsageError(`The database has the encoding ${encoding}; it must be UTF8`);
}

/** Of all tables but Kysely's own. */
async function countRows(db: Kysely<Database>): Promise<number> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() and tablename !~ '^kysely_'`.execute(
    db,
  );
  let count = 0;
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(name)}`.execute(db);
    count += rows[0]?.count ?? 0;
  }
  return count;
}

function namesOf({ error, results = [] }: MigrationResultSet): string[] {
  const [, newer] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (newer) throw new UsageError(`The database is newer than this server: it has migration ${newer}`);
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}
