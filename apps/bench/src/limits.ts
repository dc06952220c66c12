import { formatRatio, median } from '@petstore/testkit/statistics';
import { type Postgres, withPostgres } from './database.ts';
import { load } from './load.ts';
import { describeMachine, keep, today } from './report.ts';
import { startScript } from './server-script.ts';

/** What the same load costs with each way to count its requests. */
const MODES = ['memory', 'batched', 'upsert'] as const;

const CONNECTIONS = 64;

/** Interleaved rounds over the three modes, with one key and with 64, and the ratios to counting in memory. */
export function benchLimits({ quick = false } = {}): Promise<void> {
  return withPostgres((postgres) => measure(postgres, quick));
}

async function measure({ url }: Postgres, quick: boolean): Promise<void> {
  const [rounds, seconds] = quick ? [2, 2] : [5, 4];
  const lines = [
    `\`pnpm bench limits${quick ? ' --quick' : ''}\`, ${today()}, ${describeMachine()}: ${CONNECTIONS} connections, GET /v1/pets/0.`,
  ];
  for (const keyCount of [1, 64]) {
    const rates: Record<(typeof MODES)[number], number[]> = { memory: [], batched: [], upsert: [] };
    for (let round = 0; round <= rounds; round++) {
      for (const mode of MODES) {
        const env = { ...process.env, DATABASE_URL: url };
        const server = await startScript<{ origin: string; keys: string[] }>('limits-server.ts', [mode], env);
        const { origin, keys: all } = server.ready;
        const keys = all.slice(0, keyCount);
        const rate = await load({
          url: `${origin}/v1/pets/0`,
          keys,
          connections: CONNECTIONS,
          seconds,
        });
        await server.stop();
        console.error(
          `${keyCount} keys, round ${round}: ${mode} ${Math.round(rate)} requests/s${round ? '' : ' (warm-up)'}`,
        );
        if (round > 0) rates[mode].push(rate);
      }
    }
    lines.push('', keyCount === 1 ? 'One key:' : `${keyCount} keys:`, '');
    lines.push('| counting | requests/s (median) | of counting in memory |', '|---|---|---|');
    for (const mode of MODES) {
      const ratios = rates[mode].map((rate, round) => rate / (rates.memory[round] as number));
      lines.push(`| ${mode} | ${Math.round(median(rates[mode]))} | ${formatRatio(ratios)} |`);
    }
  }
  const text = `${lines.join('\n')}\n`;
  console.log(text);
  await keep('limits.md', text, { quick });
}
