#!/usr/bin/env node
import { loadConfig } from './config.ts';
import { migrateDown, migrateUp, migrationStatus } from './database/migrate.ts';
import { openDatabase } from './database/open.ts';
import { requireMigrated } from './database/readiness.ts';
/** The command line: `serve`, `migrate`, `keys`. */
import { parseKeysCommand } from './keys/commands.ts';
import { UsageError } from './usage.ts';

const USAGE = `Usage: petstore-server <command>

  serve                     migrate the database and serve the API
  migrate [up|status]       bring the database up to this version, or show which migrations it has had
  migrate down [--force]    revert the last migration; with --force, also when rows are lost
  keys create --name <text> --plan <free|pro|business|enterprise> [--per-minute <n> --per-day <n>] [--json]
                            issue an API key; enterprise requires both numbers
  keys list [--json]        show all keys
  keys revoke <id>          refuse a key from now on

Configuration comes from the environment: .env.example lists it.
\`npm start\` brings a Postgres; otherwise DATABASE_URL has to name one.
`;

type Work = (url: string) => Promise<void>;

/** Reads the whole command line first, so that a mistake is told before anything is started. */
function parseCommand([command, ...args]: string[], config: ReturnType<typeof loadConfig>): Work {
  switch (command) {
    case 'serve': {
      if (args.length > 0) throw new UsageError(`serve: unknown argument ${args[0]}`);
      return async (url) => {
        // The other commands do not wait for the whole server to load.
        const { serve } = await import('./serve.ts');
        await serve(config, url);
      };
    }
    case 'migrate':
      return parseMigrateCommand(args);
    case 'keys': {
      const run = parseKeysCommand(args);
      return async (url) => {
        const db = openDatabase(url, { size: 1 });
        try {
          await requireMigrated(db);
          console.log(await run(db));
        } finally {
          await db.close();
        }
      };
    }
    default:
      throw new UsageError(`Unknown command ${command ?? ''}; try petstore-server --help`);
  }
}

function parseMigrateCommand([direction = 'up', ...rest]: string[]): Work {
  const force = direction === 'down' && rest[0] === '--force';
  if (rest.length > (force ? 1 : 0)) throw new UsageError(`migrate: unknown argument ${rest[force ? 1 : 0]}`);
  switch (direction) {
    case 'up':
      return async (url) => {
        const ran = await migrateUp(url);
        console.log(ran.length === 0 ? 'The database is up to date.' : `Migrated: ${ran.join(', ')}`);
      };
    case 'down':
      return async (url) => {
        const ran = await migrateDown(url, force);
        console.log(ran.length === 0 ? 'There is nothing to revert.' : `Reverted: ${ran.join(', ')}`);
      };
    case 'status':
      return async (url) => {
        for (const { name, executedAt } of await migrationStatus(url)) {
          console.log(`${name}  ${executedAt?.toISOString() ?? 'not yet'}`);
        }
      };
    default:
      throw new UsageError('migrate: expected up, down or status');
  }
}

async function main(args: string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    console.log(USAGE);
    return;
  }
  const config = loadConfig(process.env);
  const work = parseCommand(args, config);
  if (config.DATABASE_URL === undefined)
    throw new UsageError('DATABASE_URL is not set; `npm start` brings a Postgres and sets it');
  await work(config.DATABASE_URL);
}

/** One line for people; what is a fault of ours keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof AggregateError) return explain(error.errors[0]);
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'connect' || syscall === 'getaddrinfo' || /^[0-9A-Z]{5}$/.test(code ?? ''))
    return `Database: ${message}`;
  return message;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`petstore-server: ${explain(error)}`);
  process.exitCode = 1;
}
