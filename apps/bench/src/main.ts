/** `pnpm bench <name>`: measurements side by side. They print ratios; absolute figures depend on the machine. */
import { benchClients } from './clients.ts';
import { benchLimits } from './limits.ts';

const benches: Record<string, { description: string; run(): Promise<void> }> = {
  clients: {
    description: 'size and cost per call of the SDK, bare fetch, openapi-fetch, ky and hey-api',
    run: benchClients,
  },
  limits: { description: 'counting requests in memory, in batches, and with one upsert per request', run: benchLimits },
};

const [name = ''] = process.argv.slice(2);
const bench = benches[name];
if (bench) {
  await bench.run();
} else {
  const list = Object.entries(benches).map(([key, { description }]) => `  ${key.padEnd(10)}${description}`);
  console.error(
    `Usage: pnpm bench <name>\n\n${list.join('\n')}\n\nDATABASE_URL names the Postgres to measure on; without it, one is started.`,
  );
  process.exitCode = 2;
}
