#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { type Config, loadConfig } from './config.ts';
import { distribute } from './database/distribute.ts';
import { migrateDown, migrateUp, migrationStatus, requireMigrated } from './database/migrate.ts';
import { type DatabaseHandle, openDatabase } from './database/open.ts';
import { addKeysCommands, numeric, table } from './keys/commands.ts';
import { UsageError } from './usage.ts';

/** The command line. It is checked completely before an action opens anything. */
const program = new Command('petstore-server')
  .description('The Petstore API on Postgres.')
  .addHelpText('after', '\nConfiguration comes from the environment: .env.example lists it.')
  .exitOverride()
  // `explain` writes to stderr instead.
  .configureOutput({ writeErr() {} });

program
  .command('serve')
  .description('migrate the database and serve the API')
  .action(async () => {
    // Other commands do not load the server.
    const { serve } = await import('./serve.ts');
    await serve(configuration());
  });

const migrate = program.command('migrate').description('apply (up), list (status) or revert (down) migrations');
migrate
  .command('up', { isDefault: true })
  .description('bring the database up to this version')
  .action(async () => tell(await migrateUp(configuration().DATABASE_URL), 'Migrated', 'The database is up to date.'));
migrate
  .command('down')
  .description('revert the last migration')
  .option('--force', 'also when rows are lost')
  .action(async ({ force }) =>
    tell(await migrateDown(configuration().DATABASE_URL, force), 'Reverted', 'There is nothing to revert.'),
  );
migrate
  .command('status')
  .description('list all migrations and when they ran')
  .action(async () => {
    for (const { name, executedAt } of await migrationStatus(configuration().DATABASE_URL))
      console.log(`${name}  ${executedAt?.toISOString() ?? 'not yet'}`);
  });

program
  .command('distribute')
  .description('distribute the animals over the nodes of Citus')
  .option('--shards <n>', 'parts, each on one node', numeric(/^[1-9]\d{0,2}$/, 'a number from 1 to 999'), 8)
  .option('--check', 'distribute nothing: show how they are distributed')
  .action(({ shards, check }: { shards: number; check?: true }) =>
    onDatabase(async (db) => table(await distribute(db, shards, check)), 0),
  );

addKeysCommands(program.command('keys').description('create, list and revoke API keys'), onDatabase);

/** Prints the result. */
async function onDatabase(work: (db: DatabaseHandle) => Promise<string>, timeLimit?: number): Promise<void> {
  const db = openDatabase(configuration().DATABASE_URL, { size: 1, timeLimit });
  try {
    await requireMigrated(db);
    console.log(await work(db));
  } finally {
    await db.close();
  }
}

function tell(names: string[], done: string, nothing: string): void {
  console.log(names.length === 0 ? nothing : `${done}: ${names.join(', ')}`);
}

function configuration(): Config & { DATABASE_URL: string } {
  const config = loadConfig(process.env);
  const { DATABASE_URL } = config;
  if (DATABASE_URL === undefined)
    throw new UsageError('DATABASE_URL is not set; `npm start` starts a Postgres and sets it');
  return { ...config, DATABASE_URL };
}

/** The error as one line for stderr. */
function explain(error: unknown): string {
  if (error instanceof AggregateError) return explain(error.errors[0]);
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'commander.help') return 'expected a command; try --help';
  if (error instanceof CommanderError) return message.replace(/^error: /, '').replaceAll(/\s+/g, ' ');
  if (syscall === 'connect' || syscall === 'getaddrinfo' || /^[0-9A-Z]{5}$/.test(code ?? ''))
    return `Database: ${message}`;
  return message;
}

try {
  // npm does not enforce `engines`.
  if (process.versions.node.localeCompare('22.12', 'en', { numeric: true }) < 0)
    throw new UsageError(`Node.js 22.12 or later is required; this is ${process.version}`);
  const args = process.argv.slice(2);
  await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
} catch (error) {
  if (!(error instanceof CommanderError && error.exitCode === 0)) {
    console.error(`petstore-server: ${explain(error)}`);
    process.exitCode = 1;
  }
}
