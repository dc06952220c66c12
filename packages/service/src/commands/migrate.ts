import {
  type DatabaseHandle,
  integer,
  type Migrated,
  type MigrationState,
  migrationStatus,
} from '@petstore-platform/server-runtime/operate';
import type { Command } from 'commander';
import { countServerSessions, latestMigrations, migrateDown, migrateUp, type Target } from './migrations.ts';
import type { Run } from './output.ts';

export function addMigrateCommands(service: Migrated, migrate: Command, run: Run): void {
  migrate
    .command('up', { isDefault: true })
    .description('bring the database up to this version')
    .option('--into-existing', 'also into a schema that has tables of something else')
    .option('--despite-servers', 'also a migration after which the servers that are connected cannot serve')
    .action((options: { intoExisting?: true; despiteServers?: true }) =>
      run(async (db) => {
        const names = await migrateUp(service, db, options);
        return names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}`;
      }),
    );

  migrate
    .command('down')
    .description('revert the latest migrations')
    .option('--to <name>', 'revert all that ran after this one')
    .option('--steps <n>', 'revert this many', integer(1, 1_000))
    .option('--force', 'do it: without, print what it would revert')
    .action((options: Target & { force?: true }) => {
      if ((options.to === undefined) === (options.steps === undefined))
        throw new Error('migrate down requires either --to or --steps');
      return run(async (db) => down(service, db, options));
    });

  migrate
    .command('status')
    .description('list all migrations and when they ran')
    .action(() =>
      run(async ({ kysely }) => (await migrationStatus(service, kysely)).map((each) => `${describe(each)}\n`)),
    );
}

async function* down(
  service: Migrated,
  db: DatabaseHandle,
  { force, ...target }: Target & { force?: true },
): AsyncIterable<string> {
  const sessions = await countServerSessions(db.kysely);
  const names = await latestMigrations(service, db, target);
  if (names.length === 0) return yield 'There is nothing to revert.\n';
  yield `Reverts: ${names.join(', ')}\n`;
  if (sessions) yield `Connected: ${sessions} sessions of servers\n`;
  if (!force)
    throw new Error('Nothing is reverted: what these have added would be deleted. After a backup, add --force');
  await migrateDown(service, db, target);
  yield 'Reverted.\n';
}

function describe({ name, executedAt, included }: MigrationState): string {
  return `${name}  ${executedAt?.toISOString() ?? 'not yet'}${included ? '' : '  of a newer version'}`;
}
