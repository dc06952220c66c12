import { type Kysely, sql } from 'kysely';
import { type MigrationInfo, type MigrationResultSet, Migrator } from 'kysely/migration';
import { migrations } from './migrations.ts';
import { type Database, type DatabaseHandle, openDatabase } from './open.ts';

/**
 * Brings the schema up to this version. Servers that start at the same time wait for each other (Kysely's migration lock).
 *
 * @returns the names of the migrations that ran
 * @throws Error when the database is newer than this server; otherwise the error of the migration that failed, which rolls back
 *   all migrations of the call
 */
export async function migrateUp({ kysely }: DatabaseHandle): Promise<string[]> {
  return namesOf(await createMigrator(kysely).migrateToLatest());
}

/**
 * Reverts the last migration.
 *
 * @param force - also when rows are lost
 * @returns its name; nothing when there is none
 * @throws Error when rows would be lost; otherwise like {@link migrateUp}
 */
export function migrateDown({ kysely }: DatabaseHandle, force = false): Promise<string[]> {
  return kysely.transaction().execute(async (transaction) => {
    const before = await countRows(transaction);
    const names = namesOf(await createMigrator(transaction).migrateDown());
    const lost = before - (await countRows(transaction));
    if (lost > 0 && !force) throw new Error(`Reverting ${names} deletes ${lost} rows; to do it, add --force`);
    return names;
  });
}

/** Every migration of this version, and when it ran on this database. */
export function migrationStatus({ kysely }: DatabaseHandle): Promise<readonly MigrationInfo[]> {
  return createMigrator(kysely).getMigrations();
}

/** @throws Error when the database lacks a migration of this version */
export async function requireMigrated(db: DatabaseHandle): Promise<DatabaseHandle> {
  const missing = (await migrationStatus(db)).find(({ executedAt }) => !executedAt);
  if (missing) throw new Error(`The database lacks migration ${missing.name}: run petstore-server migrate first`);
  return db;
}

/**
 * Opens a database for a command; by default without a time limit, as a migration may take longer than a request.
 *
 * @throws Error when the database is not in UTF8
 */
export async function withDatabase<T>(url: string, work: (db: DatabaseHandle) => Promise<T>, timeLimit = 0) {
  const db = openDatabase(url, { size: 1, timeLimit });
  try {
    await requireUtf8(db.kysely);
    return await work(db);
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
  if (encoding !== 'UTF8') throw new Error(`The database has the encoding ${encoding}; it must be UTF8`);
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
  if (newer) throw new Error(`The database is newer than this server: it has migration ${newer}`);
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}
