import { setTimeout as delay } from 'node:timers/promises';
import {
  type DatabaseHandle,
  isBreaking,
  type Migrated,
  migrationStatus,
  OF_COMMANDS,
  refuseIncompatible,
  type Service,
  withDatabase,
} from '@petstore-platform/server-runtime/operate';
import type { Migrate } from '@petstore-platform/server-runtime/serve';
import { sql } from 'kysely';
import pg from 'pg';
import { servedUrl } from './server-role.ts';

type Db = DatabaseHandle['kysely'];

/** The milliseconds for which a migration waits for a lock. The requests behind it wait as long. */
const LOCK_TIMEOUT = 500;

/** Longest pause between two attempts in milliseconds. */
const LONGEST_PAUSE = 5_000;

/** Milliseconds after which a migration that never gets its locks fails. */
const MIGRATION_TIMEOUT = 300_000;

/**
 * Brings the schema up to this version, each migration in a transaction of its own. One that does not get a lock within half a second
 * is rolled back and tried again.
 *
 * @param options.onWait - called with the sessions that it waits for. Default: prints them on stderr
 * @param options.despiteServers - also a migration that ends compatibility, while servers are connected
 * @param options.intoExisting - also into a schema that has other tables and no migration of this service
 * @param options.timeout - milliseconds until a migration without its locks fails. Default: five minutes
 * @returns the names of the migrations that ran
 * @throws Error when the schema belongs to something else, or to a version that is not compatible; otherwise the error of the migration
 *   that failed, with its name
 */
export async function migrateUp(
  service: Migrated,
  db: DatabaseHandle,
  { onWait = printWait(service), despiteServers = false, intoExisting = false, timeout = MIGRATION_TIMEOUT } = {},
): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const name = await withLocks(db, onWait, timeout, (transaction) =>
      runNext(service, transaction, { despiteServers, intoExisting }),
    );
    if (name === undefined) return names;
    names.push(name);
  }
}

/** For `serve --migrate`. */
export const migrating =
  (service: Service): Migrate =>
  async (url, onWait) => {
    await withDatabase(service, url, (db) => migrateUp(service, db, { onWait }));
    return servedUrl(service, url);
  };

/**
 * Runs the first migration that is missing. Kysely's own Migrator would wait for locks for an hour, with a lock of the session, which a
 * pooler may give to others; the table is the same.
 *
 * @returns its name; undefined if none is missing
 */
async function runNext(
  service: Migrated,
  db: Db,
  { despiteServers, intoExisting }: { despiteServers: boolean; intoExisting: boolean },
): Promise<string | undefined> {
  const all = await migrationStatus(service, db);
  refuseIncompatible(all);
  if (!intoExisting && !all.some(({ included, executedAt }) => included && executedAt)) await refuseOtherTables(db);
  const name = all.find(({ executedAt }) => !executedAt)?.name;
  if (name === undefined) return undefined;
  const sessions = isBreaking({ name }) && !despiteServers ? await countServerSessions(db) : 0;
  if (sessions > 0)
    throw new Error(
      `Servers are connected (${sessions} sessions), and none of an earlier version can serve after migration ${name}: stop them, or add --despite-servers`,
    );
  await db.schema
    .createTable('kysely_migration')
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute();
  await named(name, service.migrations[name]?.up(db));
  // Reverts go by these times, even where a clock was set back.
  const last = Math.max(...all.map(({ executedAt }) => Number(executedAt ?? 0)));
  const timestamp = new Date(Math.max(Date.now(), last + 1)).toISOString();
  await db.insertInto('kysely_migration').values({ name, timestamp }).execute();
  return name;
}

/** Milliseconds until a revert without its locks fails. */
const REVERT_TIMEOUT = 60_000;

/** `to`: all migrations that ran after this one; `steps`: this many. */
export interface Target {
  to?: string;
  steps?: number;
}

/**
 * Reverts migrations, the latest first, in one transaction.
 *
 * @returns their names
 * @throws Error for a migration that did not run, that is not of this version or cannot be reverted
 */
export async function migrateDown(service: Migrated, db: DatabaseHandle, target: Target): Promise<string[]> {
  const names = await latestMigrations(service, db, target);
  await withLocks(db, printWait(service), REVERT_TIMEOUT, async (transaction) => {
    for (const name of names) await revert(service, transaction, name);
  });
  return names;
}

async function revert({ migrations }: Migrated, db: Db, name: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('kysely_migration').where('name', '=', name).executeTakeFirst();
  if (numDeletedRows !== 1n) throw new Error(`Migration ${name} has just been reverted by another command`);
  await named(name, migrations[name]?.down?.(db));
}

/** The migrations to revert, in the order of their reverts. */
export async function latestMigrations(service: Migrated, db: DatabaseHandle, { to, steps = 0 }: Target) {
  const executed = (await migrationStatus(service, db.kysely)).filter(({ executedAt }) => executedAt);
  const order = executed.toSorted((one, other) => Number(one.executedAt) - Number(other.executedAt)).reverse();
  const position = to === undefined ? steps : order.findIndex(({ name }) => name === to);
  if (position < 0) throw new Error(`Migration ${to} did not run on this database`);
  const reverted = order.slice(0, position);
  const unknown = reverted.find(({ included }) => !included);
  if (unknown) throw new Error(`Migration ${unknown.name} is of a newer version, which has to revert it`);
  const final = reverted.find(({ name }) => !service.migrations[name]?.down);
  if (final) throw new Error(`Migration ${final.name} cannot be reverted`);
  return reverted.map(({ name }) => name);
}

/** Refuses a schema with tables of another application. It is SQL, as the builder has no `::regnamespace`. */
async function refuseOtherTables(db: Db): Promise<void> {
  const { rows } = await sql<{ schema: string; tables: string[] }>`
    select current_schema() as schema, array_agg(relname::text order by relname) as tables
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and relname !~ '^kysely_migration'
      -- Tables of extensions do not count.
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    having count(*) > 0`.execute(db);
  const [found] = rows;
  if (!found) return;
  const { schema, tables } = found;
  const some = tables.slice(0, 5).join(', ') + (tables.length > 5 ? ', …' : '');
  throw new Error(
    `The schema ${schema} has tables of something else (${some}); check DATABASE_URL, or add --into-existing to migrate into it`,
  );
}

/**
 * Changes the schema in a transaction that gives up waiting for a lock before requests notice, again and again with growing pauses. Its
 * settings and its lock end with it, so that none stays in a session that a pooler shares. They are SQL, as they call Postgres' own
 * functions.
 *
 * @param onWait - called with the sessions that it waits for
 * @throws Error with these sessions after `timeout` milliseconds
 */
async function withLocks<Result>(
  { kysely }: DatabaseHandle,
  onWait: (message: string) => void,
  timeout: number,
  change: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  let holders = '';
  const look = async (pid: number | undefined) => {
    const found = await sql<{ holder: string }>`
      select concat_ws(' ', 'session', pid, usename, application_name, state) as holder
      from pg_stat_activity where pid = any(pg_blocking_pids(${pid})) order by pid`.execute(kysely);
    const names = found.rows.map(({ holder }) => holder).join(', ');
    if (!names || names === holders) return;
    holders = names;
    onWait(`waiting for a lock of ${holders}`);
  };
  const attempt = async (transaction: Db) => {
    const { rows } = await sql<{ pid: number }>`
      select pg_backend_pid() as pid, set_config('lock_timeout', ${`${LOCK_TIMEOUT}`}, true)`.execute(transaction);
    const timer = setInterval(() => look(rows[0]?.pid).catch(() => {}), LOCK_TIMEOUT / 5);
    try {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
      return await change(transaction);
    } finally {
      clearInterval(timer);
    }
  };
  const start = performance.now();
  for (let pause = 100; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return await kysely.transaction().execute(attempt);
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (performance.now() - start > timeout)
        throw new Error(`${(error as Error).message}: it waited too long for a lock of ${holders}`, { cause: error });
    }
    await delay(pause);
  }
}

const printWait =
  ({ command }: Migrated) =>
  (message: string) =>
    console.error(`${command}: ${message}`);

/** The lock of Kysely's Migrator. */
const MIGRATION_LOCK = 3853314791062309107n;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

function isLocked(error: unknown): boolean {
  const { cause } = error as Error;
  const code = (cause instanceof pg.DatabaseError ? cause : (error as pg.DatabaseError)).code;
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED;
}

/** Adds the name of a migration to its error. */
async function named(name: string, migration: Promise<void> | undefined): Promise<void> {
  try {
    await migration;
  } catch (cause) {
    throw new Error(`Migration ${name}: ${(cause as Error).message}`, { cause });
  }
}

/** Counts the sessions of servers. It is SQL, because the builder has no types for the catalog. */
export async function countServerSessions(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where application_name = replace(current_setting('application_name'), ${OF_COMMANDS}, '')
      and datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  return rows[0]?.count ?? 0;
}
