/** `pnpm proof`: fuzzes, abuses, breaks and loads the server, and reports failures and losses. */
import { parseArgs } from 'node:util';
import { endOnSignals } from './cleanup.ts';
import { proveContract } from './contract.ts';
import { proveFailover } from './failover.ts';
import { proveFaults } from './faults.ts';
import { provePressure } from './pressure.ts';
import { proveProtocol } from './protocol.ts';
import { type Part, problems, table, writeReport } from './report.ts';
import type { Run } from './service.ts';
import { proveSoak } from './soak.ts';

const USAGE = `Usage: pnpm proof [options]

  --only <part>    contract, protocol, pressure, faults, failover or soak; repeatable.
                   Default: all but the soak
  --soak           add the soak
  --cases <n>      requests by Schemathesis (default 200000)
  --resets <n>     connections reset at a random byte; scales the other protocol checks (default 10000)
  --faults <n>     injected faults (default 120)
  --failovers <n>  losses of the primary (default 8)
  --minutes <n>    duration of the soak (default 60)
  --seed <n>       seed of all random choices (default: a new one each time)
  --no-report      do not write REPORT.md and results/
  --help

Exit code 0: no failure and no loss. 1: a failure or loss. 2: invalid arguments, or a part could not run.
`;

/** In the order in which they run. */
const parts: Record<string, (run: Run, number: (name: Numeric) => number) => Promise<Part>> = {
  contract: (run, number) => proveContract({ ...run, cases: number('cases') }),
  protocol: (run, number) => proveProtocol({ ...run, resets: number('resets') }),
  pressure: (run) => provePressure(run),
  faults: (run, number) => proveFaults({ ...run, faults: number('faults') }),
  failover: (run, number) => proveFailover({ ...run, failovers: number('failovers') }),
  soak: (run, number) => proveSoak({ ...run, minutes: number('minutes') }),
};

type Numeric = 'cases' | 'resets' | 'faults' | 'failovers' | 'minutes' | 'seed';

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      only: { type: 'string', multiple: true },
      soak: { type: 'boolean', default: false },
      cases: { type: 'string', default: '200000' },
      resets: { type: 'string', default: '10000' },
      faults: { type: 'string', default: '120' },
      failovers: { type: 'string', default: '8' },
      minutes: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      report: { type: 'boolean', default: true },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const number = (name: Numeric) => {
    if (!/^\d+(\.\d+)?$/.test(values[name]) || Number(values[name]) === 0) throw new Error(`--${name} must be above 0`);
    return Number(values[name]);
  };
  const names = Object.keys(parts);
  const chosen = values.only ?? names.filter((name) => name !== 'soak');
  if (values.soak) chosen.push('soak');
  if (!chosen.every((name) => names.includes(name))) throw new Error(`--only must be one of ${names.join(', ')}`);

  const done: Part[] = [];
  for (const [name, prove] of Object.entries(parts)) {
    if (!chosen.includes(name)) continue;
    const onProgress = (message: string) =>
      console.error(`${new Date().toISOString().slice(11, 19)} ${name}: ${message}`);
    onProgress('starts');
    const part = await prove({ seed: number('seed'), onProgress }, number);
    done.push(part);
    if (values.report) writeReport(name, names, part, ['pnpm proof', ...args].join(' '));
  }
  console.log(table(done));
  const found = problems(done);
  for (const line of found.slice(0, 100)) console.log(line);
  return found.length === 0 ? 0 : 1;
}

endOnSignals();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`proof: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
