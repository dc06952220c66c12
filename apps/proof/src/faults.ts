import { citusUrl, createCitusDatabase } from '@petstore/testkit/citus';
import { openLink } from '@petstore/testkit/link';
import { startPostgres } from '@petstore/testkit/postgres';
import { cleanup } from './cleanup.ts';
import { type Fault, faultsOf, inflict, linkFaults, nodeFaults, processFaults } from './faults/faults.ts';
import { type Fleet, startFleet } from './faults/fleet.ts';
import { underLoad } from './faults/load.ts';
import { controlPostgres, type Postgres } from './faults/postgres.ts';
import { createRandom } from './random.ts';
import type { Part } from './report.ts';
import type { With } from './service.ts';

/** Kills, freezes and disconnects two servers and their Postgres under load. */

const SERVERS = 2;

export async function proveFaults(options: With<'faults'>): Promise<Part> {
  await using run = cleanup();
  const cluster = run.adopt(await startPostgres(), ({ close }) => close());
  const postgres = await control(run, cluster.url);
  const fleet = await startFleet(run, SERVERS, cluster.url, options.environment);
  return await breakUnderLoad(
    'Faults',
    fleet,
    [postgres],
    [processFaults(fleet, postgres), linkFaults(fleet)],
    options,
  );
}

/** The same for the nodes of Citus, which run on this machine, and the connections between them. */
export async function proveCitus(options: With<'faults'>): Promise<Part | undefined> {
  const coordinator = citusUrl('the faults');
  if (!coordinator) return undefined;
  await using run = cleanup();
  const links: Fault[] = [];
  const route = async ({ host, port }: { host: string; port: number }) => {
    const link = await openLink(port, host);
    run.defer(link.cut);
    links.push(...faultsOf('coordinator to worker', link));
    return { host: '127.0.0.1', port: link.port };
  };
  const database = run.adopt(await createCitusDatabase(coordinator, { route }), ({ drop }) => drop());
  const nodes = await Promise.all([database.url, ...database.workers].map((url) => control(run, url)));
  const ofNodes = nodes.flatMap((node, index) => nodeFaults(index === 0 ? 'coordinator' : 'worker', node));
  const fleet = await startFleet(run, SERVERS, database.url, options.environment);
  return await breakUnderLoad('Citus', fleet, nodes, [ofNodes, [...links, ...linkFaults(fleet)]], options);
}

async function control(run: AsyncDisposableStack, url: string): Promise<Postgres> {
  const postgres = await controlPostgres(url);
  // A frozen Postgres cannot shut down.
  if (process.platform === 'linux') run.defer(() => postgres.signalAll('SIGCONT'));
  return postgres;
}

/** Injects faults of all kinds at the same time. */
async function breakUnderLoad(
  name: string,
  fleet: Fleet,
  nodes: Postgres[],
  kinds: Fault[][],
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
    for (const node of nodes) await node.ready();
  });
  const note = `${tally.size} kinds, ${fleet.servers.length} servers; seed ${seed}`;
  const lines = [...tally].sort().map(([fault, number]) => `| ${fault} | ${number} |`);
  return {
    name,
    rows: [{ what: 'Faults', tried: done, failures: [], note }, ...rows],
    appendix: [`## ${name}\n`, '| Fault | Count |', '|---|--:|', ...lines].join('\n'),
  };
}
