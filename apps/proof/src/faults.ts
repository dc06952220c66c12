import { startPostgres } from '@petstore/testkit/postgres';
import { cleanup } from './cleanup.ts';
import { type Fault, inflict, linkFaults, processFaults } from './faults/faults.ts';
import { type Fleet, startFleet } from './faults/fleet.ts';
import { underLoad } from './faults/load.ts';
import { controlPostgres } from './faults/postgres.ts';
import { createRandom } from './random.ts';
import type { Part } from './report.ts';
import type { With } from './service.ts';

/** Kills, freezes and disconnects two servers and their Postgres under load. */

const SERVERS = 2;

export async function proveFaults(options: With<'faults'>): Promise<Part> {
  await using run = cleanup();
  const cluster = run.adopt(await startPostgres(), ({ close }) => close());
  const postgres = controlPostgres(cluster);
  // A frozen Postgres cannot shut down.
  if (process.platform === 'linux') run.defer(() => postgres.signalAll('SIGCONT'));
  const fleet = await startFleet(run, SERVERS, cluster.url, options.environment);
  const faults = [processFaults(fleet, postgres), linkFaults(fleet)];
  return await breakUnderLoad('Faults', fleet, faults, postgres.ready, options);
}

/** Injects faults of all kinds at the same time, then waits until the database is ready. */
export async function breakUnderLoad(
  name: string,
  fleet: Fleet,
  kinds: Fault[][],
  ready: () => Promise<unknown>,
  { faults, seed, onProgress }: With<'faults'>,
): Promise<Part> {
  const tally = new Map<string, number>();
  let done = 0;
  const rows = await underLoad(fleet, seed, async (notes) => {
    const onFault = (name: string) => {
      tally.set(name, (tally.get(name) ?? 0) + 1);
      done += 1;
      const reads = notes.pages.length + notes.gets.length;
      onProgress(`${done} of ${faults}, ${name} (${notes.creates.length} creates, ${reads} reads)`);
    };
    const share = (index: number) => Math.floor((faults + index) / kinds.length);
    await Promise.all(
      kinds.map((kind, index) => inflict(kind, { count: share(index), random: createRandom(seed + index), onFault })),
    );
    await ready();
  });
  const note = `${tally.size} kinds, ${fleet.servers.length} servers; seed ${seed}`;
  const lines = [...tally].sort().map(([fault, number]) => `| ${fault} | ${number} |`);
  return {
    name,
    rows: [{ what: 'Faults', tried: done, failures: [], note }, ...rows],
    appendix: [`## ${name}\n`, '| Fault | Count |', '|---|--:|', ...lines].join('\n'),
  };
}
