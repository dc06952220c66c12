/** `pnpm bench [part…] [--quick]`: side-by-side measurements. Prints ratios: absolute figures depend on the machine. */
import { parseArgs } from 'node:util';
import { sourceOf } from '@petstore-platform/testkit/evidence';
import { hasSystemPostgres } from '@petstore-platform/testkit/system-postgres';
import { benchApp } from './app.ts';
import { benchClients } from './clients.ts';
import { benchDialects } from './dialects.ts';
import { benchServers } from './servers.ts';

const parts: Record<string, { description: string; run(options: { quick: boolean }): Promise<string> }> = {
  servers: { description: 'the server beside three others on the same database', run: benchServers },
  clients: { description: 'bundle size and time per call of the SDK and four other clients', run: benchClients },
  dialects: { description: 'kysely-pipeline beside two other dialects of Kysely', run: benchDialects },
  app: { description: 'an app beside a plain server of Fastify and Kysely', run: benchApp },
};

const list = Object.entries(parts).map(([name, { description }]) => `  ${name.padEnd(13)}${description}`);
const USAGE = `Usage: pnpm bench [part…] [--quick] [--postgres system]

${list.join('\n')}

Default: servers and clients. --quick takes three minutes, with fewer peers and shorter rounds. It prints a report.
DATABASE_URL names the Postgres to use; by default, one from npm is started, with --postgres system the system's with its
defaults. A quick run of servers uses both, where the system has one. Requires wrk (Debian: apt-get install wrk).

Exit code 1: a measurement failed, for example because a request failed. 2: invalid arguments.`;

function parseCommand() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        postgres: { type: 'string', default: process.env.TEST_POSTGRES ?? '' },
        help: { type: 'boolean', default: false },
      },
    });
    if (!['', 'npm', 'system'].includes(values.postgres)) throw new Error('--postgres must be npm or system');
    for (const name of positionals) if (!Object.hasOwn(parts, name)) throw new Error(`There is no part ${name}`);
    return { ...values, names: positionals.length > 0 ? positionals : ['servers', 'clients'] };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

const { help, quick, postgres, names } = parseCommand();
if (help) console.log(USAGE);
else {
  for (const [name, { run }] of Object.entries(parts)) {
    if (!names.includes(name)) continue;
    const isOpen = quick && name === 'servers' && postgres === '' && !process.env.DATABASE_URL;
    const kinds = isOpen && hasSystemPostgres('servers on it') ? ['npm', 'system'] : [postgres];
    const source = sourceOf(`pnpm bench ${name}${quick ? ' --quick' : ''}`);
    const reports: string[] = [];
    for (const kind of kinds) {
      process.env.TEST_POSTGRES = kind;
      reports.push(await run({ quick }));
    }
    console.log(`# Bench: ${name}\n\n${source}.\n\n${reports.join('\n\n')}\n`);
  }
}
