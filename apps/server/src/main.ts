#!/usr/bin/env node
import { pipeline } from 'node:stream/promises';
import { Command, CommanderError } from 'commander';
import { distribute } from './citus/distribute.ts';
import { integer, loadConfig } from './config.ts';
import { migrateDown, migrateUp, migrationStatus, requireMigrated, withDatabase } from './database/migrate.ts';
import type { DatabaseHandle } from './database/open.ts';
import { addKeysCommands, type Output, table } from './keys/commands.ts';

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
    await serve(loadConfig(process.env));
    // Otherwise, log lines that nobody reads would keep the process alive.
    process.exit();
  });

const migrate = program.command('migrate').description('apply (up), list (status) or revert (down) migrations');
migrate
  .command('up', { isDefault: true })
  .description('bring the database up to this version')
  .action(() => onDatabase(async (db) => summary(await migrateUp(db), 'Migrated', 'The database is up to date.')));
migrate
  .command('down')
  .description('revert the last migration')
  .option('--force', 'also when rows are lost')
  .action(({ force }) =>
    onDatabase(async (db) => summary(await migrateDown(db, force), 'Reverted', 'There is nothing to revert.')),
  );
migrate
  .command('status')
  .description('list all migrations and when they ran')
  .action(() =>
    onDatabase(async (db) => {
      const all = await migrationStatus(db);
      return all.map(({ name, executedAt }) => `${name}  ${executedAt?.toISOString() ?? 'not yet'}`).join('\n');
    }),
  );

program
  .command('distribute')
  .description('distribute the animals over the nodes of Citus')
  .option('--shards <n>', 'parts, each on one node', integer(1, 999), 8)
  .option('--check', 'distribute nothing: show how they are distributed')
  .action(({ shards, check }: { shards: number; check?: true }) =>
    onDatabase(async (db) => table(await distribute(await requireMigrated(db), shards, check))),
  );

addKeysCommands(program.command('keys').description('create, list and revoke API keys'), (work) =>
  onDatabase(async (db) => work(await requireMigrated(db)), 5_000),
);

/** Runs a command on the database, and prints its output as fast as it is read. */
function onDatabase(work: (db: DatabaseHandle) => Promise<Output>, timeLimit?: number): Promise<void> {
  const { DATABASE_URL } = loadConfig(process.env);
  let isUnread = false;
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    isUnread = code === 'EPIPE';
  });
  const print = (output: Output) =>
    pipeline(typeof output === 'string' ? [`${output}\n`] : output, process.stdout, { end: false }).catch((error) => {
      // The reader has ended, as `head` does.
      if (!isUnread) throw error;
    });
  return withDatabase(DATABASE_URL, async (db) => print(await work(db)), timeLimit);
}

function summary(names: string[], done: string, nothing: string): string {
  return names.length === 0 ? nothing : `${done}: ${names.join(', ')}`;
}

/** The error as one line for stderr. */
function explain(error: unknown): string {
  if (error instanceof AggregateError) return explain(error.errors[0]);
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'commander.help') return 'expected a command; try --help';
  if (error instanceof CommanderError)
    return message
      .replace(/^error: /, '')
      .replace('. must be', ': it must be')
      .replaceAll(/\s+/g, ' ');
  if (syscall === 'connect' || syscall === 'getaddrinfo' || /^[0-9A-Z]{5}$/.test(code ?? ''))
    return `Database: ${message}`;
  return message;
}

try {
  // npm does not enforce `engines`.
  if (process.versions.node.localeCompare('22.12', 'en', { numeric: true }) < 0)
    throw new Error(`Node.js 22.12 or later is required; this is ${process.version}`);
  const args = process.argv.slice(2);
  await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
} catch (error) {
  if (!(error instanceof CommanderError && error.exitCode === 0)) {
    console.error(`petstore-server: ${explain(error)}`);
    process.exitCode = 1;
  }
}
