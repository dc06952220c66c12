import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, type DatabaseHandle, openDatabase, type Session } from './open.ts';

export interface Migrated {
  command: string;
  migrations: Record<string, Migration>;
}

/** A migration, of this version or of the database. */
export interface MigrationState {
  name: string;
  /** Undefined before it runs. */
  executedAt: Date | undefined;
  /** Whether it is part of this version. */
  included: boolean;
}

/** After a migration of this name, earlier versions cannot serve. */
export const ENDS_COMPATIBILITY = '-breaking';

export const isBreaking = ({ name }: { name: string }) => name.endsWith(ENDS_COMPATIBILITY);

/** All migrations of this version, and those of newer ones that the database has, in the order of their names. */
export async function migrationStatus({ migrations }: Migrated, db: Kysely<Database>): Promise<MigrationState[]> {
  const executed = await executedMigrations(db);
  return [...new Set([...Object.keys(migrations), ...executed.keys()])].sort().map((name) => ({
    name,
    executedAt: executed.get(name),
    included: Object.hasOwn(migrations, name),
  }));
}

/**
 * @returns the names of newer migrations, beside which this version serves
 * @throws Error when the database lacks a migration of this version, or has one that ends its compatibility
 */
export async function requireMigrated(service: Migrated, { kysely }: DatabaseHandle): Promise<string[]> {
  const all = await migrationStatus(service, kysely);
  const missing = all.find(({ executedAt }) => !executedAt);
  if (missing) throw new Error(`The database lacks migration ${missing.name}: run ${service.command} migrate`);
  refuseIncompatible(all);
  return all.filter(({ included }) => !included).map(({ name }) => name);
}

export function refuseIncompatible(all: MigrationState[]): void {
  const newer = all.find((each) => !each.included && isBreaking(each));
  if (newer)
    throw new Error(`The database is newer than this version, which cannot serve after migration ${newer.name}`);
}

/** When each migration of the connection's schema ran; empty before the first. */
async function executedMigrations(db: Kysely<Database>): Promise<Map<string, Date>> {
  const table = sql<{ found: boolean }>`
    select to_regclass(quote_ident(current_schema()) || '.kysely_migration') is not null as found`;
  if (!(await table.execute(db)).rows[0]?.found) return new Map();
  const rows = await db.selectFrom('kysely_migration').select(['name', 'timestamp']).execute();
  return new Map(rows.map(({ name, timestamp }) => [name, new Date(timestamp)]));
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
  const db = openDatabase({ ...session, command: `${session.command}${OF_COMMANDS}` }, url, { size: 2, timeLimit });
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

/** Ends the `application_name` of commands, by which they are no servers. */
export const OF_COMMANDS = ' command';
