/** `pnpm proof`: fuzzes, abuses, breaks and loads the server, and writes down what was lost. */
import { parseArgs } from 'node:util';
import { endOnSignals } from './cleanup.ts';
import { missingPython, proveConformance } from './conformance.ts';
import { proveFaults } from './faults.ts';
import { proveProtocol } from './protocol.ts';
import { isClean, type Part, table } from './report.ts';
import { PLOT_FILE, writeReport } from './results.ts';
import { proveSoak } from './soak.ts';

const USAGE = `Usage: pnpm proof [options]

  --only <part>    contract, protocol, faults or soak; may be given more than once. Default: the first three
  --soak           the soak, too
  --cases <n>      requests by Schemathesis (default 200000)
  --faults <n>     faults while clients create and read (default 120)
  --minutes <n>    length of the soak (default 60)
  --seed <n>       of everything that is chosen at random (default: another one each time)
  --no-report      leave REPORT.md and results/ as they are
  --help

Exit code 0: nothing failed and nothing was lost. 1: something. 2: it could not be run.
`;

interface Settings {
  cases: number;
  faults: number;
  minutes: number;
  seed: number;
}

const onProgress = (message: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${message}`);

/** In the order in which they run. */
const parts: Record<string, (settings: Settings) => Promise<Part>> = {
  contract: async ({ cases, seed }) => {
    const missing = await missingPython();
    if (missing) throw new Error(missing);
    return proveConformance({ cases, seed, onProgress });
  },
  protocol: ({ seed }) => proveProtocol({ rounds: 20, mutations: 20_000, seed, onProgress }),
  faults: ({ faults, seed }) => proveFaults({ faults, seed, onProgress }),
  soak: ({ minutes, seed }) => proveSoak({ minutes, seed, plotFile: PLOT_FILE, onProgress }),
};

function parseCommand(args: string[]) {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      only: { type: 'string', multiple: true },
      soak: { type: 'boolean', default: false },
      cases: { type: 'string', default: '200000' },
      faults: { type: 'string', default: '120' },
      minutes: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      report: { type: 'boolean', default: true },
      help: { type: 'boolean', default: false },
    },
  });
  const number = (name: 'cases' | 'faults' | 'minutes' | 'seed') => {
    const value = Number(values[name]);
    if (!/^\d+(\.\d+)?$/.test(values[name]) || !(value > 0)) throw new Error(`--${name} must be a number above 0`);
    return value;
  };
  const chosen = values.only ?? ['contract', 'protocol', 'faults'];
  if (values.soak) chosen.push('soak');
  for (const name of chosen) {
    if (!Object.hasOwn(parts, name)) throw new Error(`--only must be one of ${Object.keys(parts).join(', ')}`);
  }
  const settings = {
    cases: number('cases'),
    faults: number('faults'),
    minutes: number('minutes'),
    seed: number('seed'),
  };
  return { ...values, names: Object.keys(parts).filter((name) => chosen.includes(name)), settings };
}

async function main(args: string[]): Promise<number> {
  const { help, names, report, settings } = parseCommand(args);
  if (help) {
    console.log(USAGE);
    return 0;
  }
  const done: Part[] = [];
  for (const name of names) {
    const part = await (parts[name] as (typeof parts)[string])(settings);
    done.push(part);
    if (report) writeReport(name, part, ['pnpm proof', ...args].join(' '));
  }
  console.log(table(done));
  for (const { rows } of done) {
    for (const { what, failures, losses = [] } of rows) {
      for (const line of [...losses, ...failures].slice(0, 50)) console.log(`${what}: ${line}`);
    }
  }
  return isClean(done) ? 0 : 1;
}

endOnSignals();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`proof: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
