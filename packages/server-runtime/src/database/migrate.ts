import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationInfo, type MigrationResultSet, Migrator } from 'kysely/migration';
import { type Database, type DatabaseHandle, openDatabase, type Session } from './open.ts';

/** The part of a service that its migrations need. */
export interface Migrated {
  /** Of the command line. */
  command: string;
  migrations: Record<string, Migration>;
}

/** Looks, one each second, at a lock of another session, before a migration gives up. */
const LOOKS = 300;

/**
 * Brings the schema up to this version. Servers that start at the same time wait for each other (Kysely's migration lock). Prints
 * which sessions a migration waits for.
 *
 * @param every - milliseconds between two looks
 * @returns the names of the migrations that ran
 * @throws Error when the database is newer than this server, or a lock was not free for five minutes; otherwise the error of the
 *   migration that failed, which rolls back all migrations of the call
 */
export function migrateUp(service: Migrated, { kysely }: DatabaseHandle, every = 1_000): Promise<string[]> {
  return kysely.connection().execute(async (connection) => {
    const backend = connection.selectNoFrom(({ fn }) => fn<number>('pg_backend_pid').as('pid'));
    const { pid } = await backend.executeTakeFirstOrThrow();
    let [holders, count, reason] = ['', 0, ''];
    const look = async () => {
      const found = await sql<{ holder: string }>`
        select concat_ws(' ', 'session', pid, usename, application_name, state) as holder
        from pg_stat_activity where pid = any(pg_blocking_pids(${pid})) order by pid`.execute(kysely);
      const before = holders;
      holders = found.rows.map(({ holder }) => holder).join(', ');
      if (holders && holders !== before) console.error(`${service.command}: waiting for a lock of ${holders}`);
      count = holders ? count + 1 : 0;
      if (count < LOOKS) return;
      // Kysely would wait for an hour.
      reason = `The migration waited too long for a lock of ${holders}`;
      await kysely.selectNoFrom(({ fn, val }) => fn('pg_cancel_backend', [val(pid)]).as('canceled')).execute();
    };
    const timer = setInterval(() => look().catch(() => {}), every);
    try {
      return namesOf(await createMigrator(service, connection).migrateToLatest());
    } catch (error) {
      throw reason ? new Error(reason) : error;
    } finally {
      clearInterval(timer);
    }
  });
}

/**
 * Reverts the last migration.
 *
 * @param force - also when rows are lost
 * @returns its name; nothing when there is none
 * @throws Error when rows would be lost; otherwise like {@link migrateUp}
 */
export function migrateDown(service: Migrated, { kysely }: DatabaseHandle, force = false): Promise<string[]> {
  return kysely.transaction().execute(async (transaction) => {
    const before = await countRows(transaction);
    const names = namesOf(await createMigrator(service, transaction).migrateDown());
    const lost = before - (await countRows(transaction));
    if (lost > 0 && !force) throw new Error(`Reverting ${names} deletes ${lost} rows; to do it, add --force`);
    return names;
  });
}

/** Every migration of this version, and when it ran on this database. */
export function migrationStatus(service: Migrated, { kysely }: DatabaseHandle): Promise<readonly MigrationInfo[]> {
  return createMigrator(service, kysely).getMigrations();
}

/** @throws Error when the database lacks a migration of this version */
export async function requireMigrated(service: Migrated, db: DatabaseHandle): Promise<DatabaseHandle> {
  const missing = (await migrationStatus(service, db)).find(({ executedAt }) => !executedAt);
  if (missing) throw new Error(`The database lacks migration ${missing.name}: run ${service.command} migrate first`);
  return db;
}

/**
 * Opens a database for a command; by default without a time limit, as a migration may take longer than a request.
 *
 * @throws Error when the database is not in UTF8
 */
export async function withDatabase<T>(
  session: Session,
  url: string,
  work: (db: DatabaseHandle) => Promise<T>,
  timeLimit = 0,
) {
  const db = openDatabase(session, url, { size: 2, timeLimit });
  try {
    const { rows } = await db.pool.query<{ server_encoding: string }>('show server_encoding');
    const encoding = rows[0]?.server_encoding;
    // Other encodings lack characters that a name may have.
    if (encoding !== 'UTF8') throw new Error(`The database has the encoding ${encoding}; it must be UTF8`);
    return await work(db);
  } finally {
    await db.close();
  }
}

function createMigrator({ migrations }: Migrated, db: Kysely<Database>): Migrator {
  // The runtime and the application add steps independently of each other.
  return new Migrator({ db, provider: { getMigrations: async () => migrations }, allowUnorderedMigrations: true });
}

/** Of all tables but Kysely's own. */
async function countRows(db: Kysely<Database>): Promise<number> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() and tablename !~ '^kysely_'`.execute(
    db,
  );
  let count = 0;
  for (const { name } of tables.rows) {
    const all = db.withTables<Record<string, object>>().selectFrom(name);
    count += (await all.select(({ fn }) => fn.countAll<number>().as('rows')).executeTakeFirstOrThrow()).rows;
  }
  return count;
}

function namesOf({ error, results = [] }: MigrationResultSet): string[] {
  const [, newer] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (newer) throw new Error(`The database is newer than this server: it has migration ${newer}`);
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}
