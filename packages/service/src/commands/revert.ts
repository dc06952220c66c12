import { type DatabaseHandle, type Migrated, migrationStatus } from '@petstore-platform/server-runtime/operate';
import { named, printWait, withLocks } from './migrations.ts';

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

async function revert({ migrations }: Migrated, db: DatabaseHandle['kysely'], name: string): Promise<void> {
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
  const unknown = reverted.find(({ known }) => !known);
  if (unknown) throw new Error(`Migration ${unknown.name} is of a newer version, which has to revert it`);
  const final = reverted.find(({ name }) => !service.migrations[name]?.down);
  if (final) throw new Error(`Migration ${final.name} cannot be reverted`);
  return reverted.map(({ name }) => name);
}
