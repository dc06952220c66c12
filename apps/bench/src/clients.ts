import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Candidate, Create } from './clients/candidate.ts';
import { formatRatio, median } from './statistics.ts';

const here = import.meta.dirname;
const output = path.join(here, '../dist/clients');

const names = ['bare-fetch', 'openapi-fetch', 'ky', 'hey-api', 'petstore-client'] as const;
type Name = (typeof names)[number];

const ROUNDS = 15;
const CALLS = 2_000;

/** Compares clients that make the same three calls: bundle size, and time per call on a stubbed `fetch`. */
export async function benchClients(): Promise<string> {
  await generateHeyApi();
  const sizes = {} as Record<Name, number>;
  const clients = {} as Record<Name, Candidate>;
  for (const name of names) {
    const file = path.join(output, `${name}.mjs`);
    const source = name === 'hey-api' ? path.join(output, 'hey-api.ts') : path.join(here, `clients/${name}.ts`);
    await build({ entryPoints: [source], outfile: file, bundle: true, minify: true, format: 'esm', target: 'es2022' });
    sizes[name] = gzipSync(await readFile(file), { level: 9 }).length;
    const { create } = (await import(pathToFileURL(file).href)) as { create: Create };
    clients[name] = create('http://127.0.0.1:3000/v1', 'petstore_0123456789abcdef0123456789abcdef');
  }

  const times = await measure(clients);
  const rows = names.map((name) => {
    const bare = (round: number) => times['bare-fetch'][round] as number;
    const over = median(times[name].map((time, round) => time - bare(round)));
    const ratios = times[name].map((time, round) => time / bare(round));
    return `| ${name} | ${sizes[name]} | ${median(times[name]).toFixed(1)} | ${over.toFixed(1)} | ${formatRatio(ratios)} |`;
  });
  return `Three calls, minified and gzipped; listPets of 20 animals on a stubbed \`fetch\`, ${ROUNDS} rounds of ${CALLS} calls.

| client | bytes | µs of CPU per call (median) | over bare fetch | of bare fetch |
|---|---|---|---|---|
${rows.join('\n')}`;
}

/** Interleaves the clients, so that other load on the machine affects all of them. */
async function measure(clients: Record<Name, Candidate>): Promise<Record<Name, number[]>> {
  const body = JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id, name: 'Biscuit', categoryId: 7 })));
  const headers = {
    'Content-Type': 'application/json',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
    'X-RateLimit-Reset': '1795176060',
    'RateLimit-Policy': '"minute";q=60;w=60, "day";q=1000;w=86400',
    RateLimit: '"minute";r=59;t=30, "day";r=999;t=43200',
  };
  const real = globalThis.fetch;
  globalThis.fetch = async () => new Response(body, { headers });
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of names) {
        // CPU time is measured, because elapsed time includes other processes.
        const start = process.cpuUsage();
        for (let call = 0; call < CALLS; call++) {
          const pets = await clients[name].listPets(20);
          if ((pets as unknown[]).length !== 20) throw new Error(`${name} did not return the page`);
        }
        const { user, system } = process.cpuUsage(start);
        const time = (user + system) / CALLS;
        // Round 0 is a warm-up.
        if (round > 0) times[name].push(time);
      }
    }
  } finally {
    globalThis.fetch = real;
  }
  return times;
}

/** Generates hey-api's client of the contract, and the module that makes it a candidate. */
async function generateHeyApi(): Promise<void> {
  await mkdir(output, { recursive: true });
  const { document } = await import(path.join(here, '../../server/src/generated/document.ts'));
  const contract = path.join(output, 'openapi.json');
  await writeFile(contract, JSON.stringify(document));
  const cli = path.join(here, '../node_modules/@hey-api/openapi-ts/bin/run.js');
  const folder = path.join(output, 'hey-api');
  await promisify(execFile)(process.execPath, [cli, '--input', contract, '--output', folder, '--silent']);
  await writeFile(
    path.join(output, 'hey-api.ts'),
    `import { createWith } from ${JSON.stringify(path.join(here, 'clients/hey-api.ts'))};
import { createClient } from './hey-api/client';
import * as sdk from './hey-api/sdk.gen';
export const create = createWith(sdk, createClient);
`,
  );
}
