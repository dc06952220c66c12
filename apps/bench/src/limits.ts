import { load } from './load.ts';
import { type Postgres, startScript, withPostgres } from './server-script.ts';
import { formatRatio, median } from './statistics.ts';

/** What the same load costs with each way to count its requests. */
const MODES = ['memory', 'batched', 'upsert'] as const;

const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 64;

/** Interleaved rounds over the three modes, with one key and with 64, and the ratios to counting in memory. */
export function benchLimits(): Promise<void> {
  return withPostgres(measure);
}

async function measure({ url }: Postgres): Promise<void> {
  for (const keyCount of [1, 64]) {
    const rates: Record<(typeof MODES)[number], number[]> = { memory: [], batched: [], upsert: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const mode of MODES) {
        const env = { ...process.env, DATABASE_URL: url };
        const server = await startScript<{ origin: string; keys: string[] }>('limits-server.ts', [mode], env);
        const { origin, keys: all } = server.ready;
        const keys = all.slice(0, keyCount);
        const rate = await load({
          url: `${origin}/v1/pets/0`,
          keys,
          connections: CONNECTIONS,
          seconds: SECONDS,
        });
        await server.stop();
        console.error(
          `${keyCount} keys, round ${round}: ${mode} ${Math.round(rate)} requests/s${round ? '' : ' (warm-up)'}`,
        );
        if (round > 0) rates[mode].push(rate);
      }
    }
    console.log(`\n${keyCount === 1 ? 'One key' : `${keyCount} keys`}, ${CONNECTIONS} connections, GET /v1/pets/0:\n`);
    console.log('| counting | requests/s (median) | of counting in memory |');
    console.log('|---|---|---|');
    for (const mode of MODES) {
      const ratios = rates[mode].map((rate, round) => rate / (rates.memory[round] as number));
      console.log(`| ${mode} | ${Math.round(median(rates[mode]))} | ${formatRatio(ratios)} |`);
    }
  }
}
