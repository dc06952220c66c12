/** `pnpm bench [part] [--quick]`: measurements side by side. They print ratios; absolute figures depend on the machine. */
import { parseArgs } from 'node:util';
import { benchBuild } from './build.ts';
import { benchClients } from './clients.ts';
import { benchLimits } from './limits.ts';
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
  limits: { description: 'counting requests in memory, in batches, and with one upsert per request', run: benchLimits },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const [name] = positionals;
const part = name === undefined ? undefined : parts[name];
if (values.help || (name !== undefined && !part)) {
  const list = Object.entries(parts).map(([key, { description }]) => `  ${key.padEnd(10)}${description}`);
  const log = values.help ? console.log : console.error;
  log(`Usage: pnpm bench [part] [--quick]

${list.join('\n')}

Without a part: servers, then clients. --quick takes two minutes, with fewer peers and shorter rounds.
DATABASE_URL names the Postgres to measure on; without it, one is started.`);
  process.exitCode = values.help ? 0 : 2;
} else if (part) {
  await part.run(values);
} else {
  await benchServers(values);
  await benchClients(values);
}
