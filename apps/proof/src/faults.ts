import { citusUrl, createCitusDatabase } from '@petstore/testkit/citus';
import { openLink } from '@petstore/testkit/link';
import { describePostgres, startPostgres } from '@petstore/testkit/postgres';
import { createRandom } from '@petstore/testkit/random';
import { cleanup } from './cleanup.ts';
import { type Fault, inflict, linkFaults, postgresFaults, serverFaults } from './faults/faults.ts';
import { startFleet } from './faults/fleet.ts';
import { underLoad } from './faults/load.ts';
import { controlPostgres, type Postgres } from './faults/postgres.ts';
import type { Part } from './report.ts';
import type { With } from './service.ts';

/** Kills, freezes and disconnects two servers and their Postgres under load. */

const SERVERS = 2;

export async function proveFaults(options: With<'faults'>): Promise<Part> {
  await using run = cleanup();
  const { url } = run.adopt(await startPostgres(), ({ close }) => close());
  return await breakUnderLoad('Faults', run, [await controlPostgres(url, 'Postgres', 'restarts')], [], options);
}

/** The same on Citus: its nodes, which run on this machine, and the connections between them fail, too. */
export async function proveCitus(options: With<'faults'>): Promise<Part | undefined> {
  const coordinator = citusUrl('the faults');
  if (!coordinator) return undefined;
  await using run = cleanup();
  const links: Fault[] = [];
  const route = async ({ host, port }: { host: string; port: number }) => {
    const link = await openLink(port, host);
    run.defer(link.cut);
    links.push(...linkFaults('coordinator to worker', link));
    return { host: '127.0.0.1', port: link.port };
  };
  const { url, workers } = run.adopt(await createCitusDatabase(coordinator, { route }), ({ drop }) => drop());
  const first = await controlPostgres(url, 'coordinator');
  const others = await Promise.all(workers.map((worker) => controlPostgres(worker, 'worker')));
  return await breakUnderLoad('Citus', run, [first, ...others], links, options);
}

/** @param nodes - the servers' Postgres, and nodes behind it */
async function breakUnderLoad(
  name: string,
  run: AsyncDisposableStack,
  nodes: [Postgres, ...Postgres[]],
  links: Fault[],
  { faults, seed, environment, onProgress }: With<'faults'>,
): Promise<Part> {
  // A frozen Postgres cannot shut down.
  if (process.platform === 'linux') for (const { resume } of nodes) run.defer(resume);
  const fleet = await startFleet(run, SERVERS, nodes[0].url, environment);
  for (const { clients, database } of fleet.servers)
    links.push(...linkFaults('server to Postgres', database), ...linkFaults('client to server', clients));
  const tally = new Map<string, number>();
  let done = 0;
  const rows = await underLoad(fleet, seed, async (notes) => {
    const onFault = (fault: string) => {
      tally.set(fault, (tally.get(fault) ?? 0) + 1);
      done += 1;
      const reads = notes.pages.length + notes.gets.length;
      onProgress(`${done} of ${faults}, ${fault} (${notes.creates.length} creates, ${reads} reads)`);
    };
    const half = Math.floor(faults / 2);
    const processes = [...fleet.servers.flatMap(serverFaults), ...nodes.flatMap(postgresFaults)];
    // In parallel, so that processes and connections fail at the same time.
    await Promise.all([
      inflict(processes, { count: faults - half, random: createRandom(seed), onFault }),
      inflict(links, { count: half, random: createRandom(seed + 1), onFault }),
    ]);
    for (const node of nodes) await node.ready();
  });
  const note = `${tally.size} kinds, ${SERVERS} servers, ${await describePostgres(fleet.databaseUrl)}; seed ${seed}`;
  const lines = [...tally].sort().map(([fault, number]) => `| ${fault} | ${number} |`);
  return {
    name,
    rows: [{ what: 'Faults', tried: done, failures: [], note }, ...rows],
    appendix: [`## ${name}\n`, '| Fault | Count |', '|---|--:|', ...lines].join('\n'),
  };
}
