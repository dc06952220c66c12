/** The command line of a service. */
import type { Service } from '@petstore-platform/server-runtime';

const ignore = () => {};

/** The version of `engines`: the first one with `--disable-sigusr1`, which the image and the unit pass. npm does not enforce it. */
const OLDEST_NODE = '22.14';

/** Runs the command in the arguments of the process. */
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
  const [name, ...options] = process.argv.slice(2);
  const isServing = name === 'serve';
  try {
    // A server loads no other command, and they do not load the server.
    if (isServing && options.every((option) => option === '--migrate')) await serve(service, options.length > 0);
    else await (await import('./program.ts')).runProgram(service, (migrate) => serve(service, migrate));
  } catch (error) {
    const { report } = await import('./report.ts');
    await report(service, error, isServing);
  }
}

async function serve(service: Service, migrate: boolean): Promise<never> {
  const { loadConfig, serve } = await import('@petstore-platform/server-runtime/serve');
  const migrating = migrate ? (await import('./migrations.ts')).migrating(service) : undefined;
  await serve(service, loadConfig(process.env, service.variables), migrating);
  // Otherwise, log lines that nobody reads would keep the process alive.
  process.exit();
}
