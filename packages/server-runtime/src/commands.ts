import { pipeline } from 'node:stream/promises';
import { Command, CommanderError } from 'commander';
import pg from 'pg';
import { addKeysCommands } from './api-keys/commands.ts';
import { type Output, table, write } from './api-keys/output.ts';
import { loadConfig, type Variables, variables } from './config.ts';
import { requireMigrated, withDatabase } from './database/migrate.ts';
import type { DatabaseHandle } from './database/open.ts';
import { isDatabaseUnavailable } from './errors.ts';
import { jobsOf } from './housekeeping.ts';
import { runJob } from './jobs.ts';
import { addMigrateCommands } from './migrate-commands.ts';
import { buildOf } from './ops/build.ts';
import type { Service, ServiceContext } from './service.ts';

const ignore = () => {};

/** The version of `engines`: the first one with `--disable-sigusr1`, which the image and the unit pass. npm does not enforce it. */
const OLDEST_NODE = '22.14';

/** Runs the command line of a service. It is checked completely before an action opens anything. */
export async function runCommandLine(service: Service): Promise<void> {
  if (process.versions.node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0) {
    console.error(`${service.command}: Node.js ${OLDEST_NODE} or later is required; this is ${process.version}`);
    process.exitCode = 1;
    return;
  }
  // By default, the first signal opens a debugger for all users of the machine, and the second one ends the process.
  for (const signal of ['SIGUSR1', 'SIGUSR2']) process.on(signal, () => {});
  // The reader of an output may end before it, as `head` does.
  for (const stream of [process.stdout, process.stderr]) stream.off('error', ignore).on('error', ignore);
  const program = new Command(service.command)
    .description(`The ${service.contract.document.info.title} API on Postgres.`)
    .addHelpText('after', `\nConfiguration comes from the environment:\n${table(variablesOf(service))}`)
    .version(describeBuild(service.command), undefined, 'print the version')
    .exitOverride()
    // `explain` writes to stderr instead.
    .configureOutput({ writeErr() {} });

  program
    .command('serve')
    .description('serve the API from a migrated database')
    .option('--migrate', 'bring the database up to this version first')
    .action(async (options: { migrate?: true }) => {
      // Other commands do not load the server.
      const { serve } = await import('./serve.ts');
      await serve(service, loadConfig(process.env, service.variables), options);
      // Otherwise, log lines that nobody reads would keep the process alive.
      process.exit();
    });

  const migrate = program.command('migrate').description('apply (up), list (status) or revert (down) migrations');
  addMigrateCommands(service, migrate, onDatabase);

  addKeysCommands(service, program.command('keys').description('issue and change API keys'), (work) =>
    onMigrated(work, 5_000),
  );

  const jobs = program.command('jobs').description('the periodic work of the servers');
  jobs
    .command('list')
    .description('list the jobs, and the seconds from one start to the next')
    .action(() => {
      const rows = Object.entries(jobsOf(service)).map(([name, { every }]) => ({ name, seconds: every / 1_000 }));
      return write(table(rows), 'The list cannot be written');
    });
  jobs
    .command('run')
    .description('run a job now, unless a server runs it')
    .argument('<name>', 'of the job, as in the list')
    .action((name: string) =>
      onMigrated(async (db) => {
        const { createLog } = await import('./ops/log.ts');
        const config = loadConfig(process.env, service.variables) as ServiceContext['config'];
        const context = { config, db: db.kysely, log: createLog(config.LOG_LEVEL) };
        return (await runJob(jobsOf(service), name, { db, context }))
          ? `${name} has run.`
          : `A server runs ${name} now.`;
      }),
    );

  function onMigrated(work: (db: DatabaseHandle) => Promise<Output>, timeLimit?: number): Promise<void> {
    return onDatabase(async (db) => {
      await requireMigrated(service, db);
      return work(db);
    }, timeLimit);
  }

  /** Runs a command on the database, and prints its output as fast as it is read. */
  function onDatabase(work: (db: DatabaseHandle) => Promise<Output>, timeLimit?: number): Promise<void> {
    const { DATABASE_URL } = loadConfig(process.env);
    const ignoreUnread = (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    };
    const print = (output: Output) =>
      typeof output === 'string'
        ? write(output, 'It is done, but its output cannot be written')
        : pipeline(output, process.stdout, { end: false }).catch(ignoreUnread);
    return withDatabase(service, DATABASE_URL, async (db) => print(await work(db)), timeLimit);
  }

  try {
    const args = process.argv.slice(2);
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0)) {
      if (process.argv[2] === 'serve' && !process.stdout.isTTY) {
        const { createLog, logOutput } = await import('./ops/log.ts');
        createLog('fatal').fatal(explain(error));
        await logOutput.flush();
      } else console.error(`${service.command}: ${explain(error)}`);
      process.exitCode = 1;
    }
  }
}

function describeBuild(command: string): string {
  const { version, commit, node } = buildOf();
  return `${command} ${version}${commit && ` (${commit})`}, Node.js ${node}`;
}

function variablesOf({ variables: own }: Service): Record<'variable' | 'default' | 'description', string>[] {
  return Object.entries<Variables[string]>({ ...variables, ...own }).map(
    ([variable, { default: fallback, description }]) => ({
      variable,
      default: fallback,
      description,
    }),
  );
}

/** The error as one line for stderr. */
function explain(error: unknown): string {
  if (error instanceof AggregateError) return explain(error.errors[0]);
  const { message, code } = error as NodeJS.ErrnoException;
  if (code === 'commander.help') return 'expected a command; try --help';
  if (error instanceof CommanderError)
    return message
      .replace(/^error: /, '')
      .replace('. must be', ': it must be')
      .replaceAll(/\s+/g, ' ');
  return isDatabaseUnavailable(error) || error instanceof pg.DatabaseError ? `Database: ${message}` : message;
}
