/** `pnpm bench [part…] [--quick]`: measurements side by side. They print ratios; absolute figures depend on the machine. */
import { parseArgs } from 'node:util';
import { benchBuild } from './build.ts';
import { benchClients } from './clients.ts';
import { benchProfile } from './profile.ts';
import { benchScale } from './scale.ts';
import { benchServers } from './servers.ts';

const parts: Record<string, { description: string; run(options: { quick: boolean }): Promise<void> }> = {
  servers: { description: 'the server beside four others on the same database, and pgbench', run: benchServers },
  clients: {
    description: 'size and cost per call of the SDK, bare fetch, openapi-fetch, ky and hey-api',
    run: benchClients,
  },
  scale: { description: 'each operation with 10 thousand and 10 million animals, and its plans', run: benchScale },
  build: { description: 'turbo with nothing changed, and npm start in a fresh clone', run: benchBuild },
  profile: { description: 'where the time of a request goes, beside bare node:http', run: benchProfile },
};

const list = Object.entries(parts).map(([name, { description }]) => `  ${name.padEnd(10)}${description}`);
const USAGE = `Usage: pnpm bench [part…] [--quick]

${list.join('\n')}

Without a part: servers, then clients. --quick takes two minutes, with fewer peers and shorter rounds; what it finds goes to
results/quick, that of a full run to results.
DATABASE_URL names the Postgres to measure on; without it, one is started. The load comes from wrk, and what Postgres can do
from pgbench (Debian: apt-get install wrk postgresql-contrib).

Exit code 1: a measurement failed, as when a request was not answered with success. 2: the command is not understood.`;

function parseCommand(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  for (const name of positionals) if (!Object.hasOwn(parts, name)) throw new Error(`There is no part ${name}`);
  return { ...values, names: positionals.length > 0 ? positionals : ['servers', 'clients'] };
}

let command: ReturnType<typeof parseCommand> | undefined;
try {
  command = parseCommand(process.argv.slice(2));
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
}
if (command?.help) console.log(USAGE);
else for (const name of command?.names ?? []) await parts[name]?.run(command as { quick: boolean });
