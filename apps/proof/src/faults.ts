import { startPostgres } from '@petstore/testkit/postgres';
import { cleanup } from './cleanup.ts';
import { inflict, linkFaults, processFaults } from './faults/faults.ts';
import { startFleet } from './faults/fleet.ts';
import { underLoad } from './faults/load.ts';
import { controlPostgres } from './faults/postgres.ts';
import { createRandom } from './random.ts';
import type { Part } from './report.ts';
import type { With } from './service.ts';

/** Kills, freezes and disconnects two servers and their Postgres under load. */

const SERVERS = 2;

export async function proveFaults({ faults, seed, environment, onProgress }: With<'faults'>): Promise<Part> {
  await using run = cleanup();
  const cluster = run.adopt(await startPostgres(), ({ close }) => close());
  const postgres = controlPostgres(cluster);
  // A frozen Postgres cannot shut down.
  if (process.platform === 'linux') run.defer(() => postgres.signalAll('SIGCONT'));
  const fleet = await startFleet(run, SERVERS, cluster.url, environment);

  const tally = new Map<string, number>();
  let done = 0;
  const rows = await underLoad(fleet, seed, async (notes) => {
    const onFault = (name: string) => {
      tally.set(name, (tally.get(name) ?? 0) + 1);
      done += 1;
      const reads = notes.pages.length + notes.gets.length;
      onProgress(`${done} of ${faults}, ${name} (${notes.creates.length} creates, ${reads} reads)`);
    };
    const half = Math.floor(faults / 2);
    // In parallel, so that processes and connections fail at the same time.
    await Promise.all([
      inflict(processFaults(fleet, postgres), { count: faults - half, random: createRandom(seed), onFault }),
      inflict(linkFaults(fleet), { count: half, random: createRandom(seed + 1), onFault }),
    ]);
    await postgres.ready();
  });
  const note = `${tally.size} kinds, ${SERVERS} servers; seed ${seed}`;
  const lines = [...tally].sort().map(([name, number]) => `| ${name} | ${number} |`);
  return {
    name: 'Faults',
    rows: [{ what: 'Faults', tried: done, failures: [], note }, ...rows],
    appendix: ['## Faults\n', '| Fault | Count |', '|---|--:|', ...lines].join('\n'),
  };
}
