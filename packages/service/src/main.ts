#!/usr/bin/env node
/** The commands of a service's repository. npm runs them in its root. */
import { type ServiceFolder, serviceIn } from './service-folder.ts';

const USAGE = `Usage: service <command>

  start             start Postgres and the server, and print its URLs and a key. --debug opens the inspector
  dev               the same, and restart after each change of a source or of the contract
  tables [--check]  write the types of the tables that migrations.ts makes, and print the policies that tables with owners lack;
                    --check fails if types are stale or policies missing
  keys …            issue and revoke API keys of the running service: service keys --help
`;

const [name = '', ...args] = process.argv.slice(2);

const starting = (isWatching: boolean) => async (service: ServiceFolder) => {
  const { refuseMixed } = await import('@petstore-platform/contract/versions');
  refuseMixed(service.root);
  const { start } = await import('./start.ts');
  return start(service, { isWatching, isDebugging: args.includes('--debug') });
};

const commands: Record<string, (service: ServiceFolder) => Promise<number>> = {
  start: starting(false),
  dev: starting(true),
  keys: async (service) => (await import('./keys.ts')).keys(service, args),
};

try {
  // It runs the sources of a service without a build.
  if (!process.features.typescript)
    throw new Error(`This is Node.js ${process.versions.node}: 22.18 or later is needed.`);
  if (name === 'tables')
    process.exit(await (await import('./tables.ts')).tables(process.cwd(), args.includes('--check')));
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) process.exit(await command(serviceIn(process.cwd())));
  console.error(USAGE);
  process.exitCode = 2;
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
