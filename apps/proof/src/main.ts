/** `pnpm proof`: fuzzes, abuses, breaks and loads the server, and reports failures and losses. */
import { sourceOf } from '@petstore-platform/testkit/evidence';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { proveContract } from './contract.ts';
import { proveFailover } from './failover.ts';
import { proveFaults } from './faults.ts';
import { provePressure } from './pressure.ts';
import { proveProtocol } from './protocol.ts';
import { markdown, type Part, problems } from './report.ts';
import type { With } from './service.ts';
import { proveSoak } from './soak.ts';

interface Options extends With<'cases' | 'resets' | 'faults' | 'failovers' | 'minutes'> {
  only?: string[];
  soak?: true;
}

/** In the order in which they run. */
const parts: Record<string, (options: Options) => Promise<Part | undefined>> = {
  contract: proveContract,
  protocol: proveProtocol,
  pressure: provePressure,
  faults: proveFaults,
  failover: proveFailover,
  soak: proveSoak,
};
const names = Object.keys(parts);

const command = new Command('pnpm proof')
  .description('Fuzzes, abuses, breaks and loads the server, and reports failures and losses.')
  .addOption(new Option('--only <part...>', 'run these parts; default: all but the soak').choices(names))
  .option('--soak', 'add the soak')
  .option('--cases <n>', 'requests by Schemathesis', positive, 200_000)
  .option('--resets <n>', 'connections reset at a random byte; scales the other protocol checks', positive, 10_000)
  .option('--faults <n>', 'injected faults', positive, 120)
  .option('--failovers <n>', 'losses of the primary', positive, 8)
  .option('--minutes <n>', 'duration of the soak', positive, 60)
  .option('--seed <n>', 'seed of all random choices', positive, Date.now() % 1_000_000)
  .addHelpText(
    'after',
    '\nExit code 0: no failure and no loss. 1: a failure or loss. 2: invalid arguments, or a part could not run.',
  )
  .exitOverride();

function positive(value: string): number {
  if (/^\d+(\.\d+)?$/.test(value) && Number(value) > 0) return Number(value);
  throw new InvalidArgumentError('It must be above 0.');
}

/** Ends all that the running part has started; a signal does so, too. */
let current = new AsyncDisposableStack();

async function main(args: string[]): Promise<number> {
  const options = command.parse(args, { from: 'user' }).opts<Options>();
  const { soak, only = names.filter((name) => name !== 'soak') } = options;
  const source = sourceOf(['pnpm proof', ...args].join(' '));
  const done: Part[] = [];
  for (const [name, prove] of Object.entries(parts)) {
    if (!only.includes(name) && !(soak && name === 'soak')) continue;
    const onProgress = (message: string) =>
      console.error(`${new Date().toISOString().slice(11, 19)} ${name}: ${message}`);
    onProgress('starts');
    await using run = new AsyncDisposableStack();
    current = run;
    const part = await prove({ ...options, run, onProgress });
    // The part was skipped, and has printed the reason.
    if (!part) continue;
    done.push(part);
  }
  console.log(markdown(done, source));
  return problems(done).length === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void current.disposeAsync().finally(() => process.exit(130)));
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CommanderError)) console.error(`proof: ${error instanceof Error ? error.message : error}`);
  process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;
}
