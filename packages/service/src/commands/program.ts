import { pipeline } from 'node:stream/promises';
import {
  buildOf,
  createLog,
  type DatabaseHandle,
  jobsOf,
  loadConfig,
  requireMigrated,
  type Service,
  type ServiceContext,
  type Variables,
  variables,
  withDatabase,
} from '@petstore-platform/server-runtime/operate';
import { Command } from 'commander';
import { runJob } from './jobs.ts';
import { addKeysCommands } from './keys.ts';
import { addMigrateCommands } from './migrate.ts';
import { type Output, table, write } from './output.ts';

/** Runs any command. It is checked completely before an action opens anything. */
export async function runProgram(service: Service, serve: (migrate: boolean) => Promise<void>): Promise<void> {
  const { version, commit, node } = buildOf();
  const build = `${service.command} ${version}${commit && ` (${commit})`}, Node.js ${node}`;
  const program = new Command(service.command)
    .description(`The ${service.contract.document.info.title} API on Postgres.`)
    .addHelpText('after', `\nConfiguration comes from the environment:\n${table(variablesOf(service))}`)
    .version(build, undefined, 'print the version')
    .exitOverride()
    // `report` writes to stderr instead.
    .configureOutput({ writeErr() {} });

  program
    .command('serve')
    .description('serve the API from a migrated database')
    .option('--migrate', 'bring the database up to this version first')
    .action(({ migrate = false }: { migrate?: boolean }) => serve(migrate));

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

  const args = process.argv.slice(2);
  await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
}

function variablesOf({ variables: added }: Service) {
  const all = Object.entries<Variables[string]>({ ...variables, ...added });
  return all.map(([variable, { default: fallback, description }]) => ({ variable, default: fallback, description }));
}
