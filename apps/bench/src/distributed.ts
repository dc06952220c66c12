import { setTimeout as delay } from 'node:timers/promises';
import { citusUrl, createCitusDatabase } from '@petstore-platform/testkit/citus';
import { withClient } from '@petstore-platform/testkit/postgres';
import { formatRatio, median } from '@petstore-platform/testkit/statistics';
import { postmasterOf, seed } from './database.ts';
import { main, runCommand } from './petstore.ts';
import { cpuTimeOfAll } from './servers/cpu.ts';
import { samplesTable } from './servers/results.ts';
import { OURS, startServer } from './servers/start.ts';
import { measure, type Side } from './servers.ts';

/** The number of pets. It exceeds a block of ids, so that all nodes have some. */
const PETS = 1_000_000;

/** The numbers of workers and shards. An empty layout is one Postgres. */
const LAYOUTS = [[], [2, 8], [2, 32], [1, 8], [4, 8]] as const;

/** Compares one Postgres with Citus, both on the nodes of `TEST_CITUS_URL`. Reports ratios within interleaved rounds. */
export async function benchDistributed({ quick = false } = {}): Promise<string> {
  const coordinator = citusUrl('the comparison');
  if (!coordinator) return 'Not measured: TEST_CITUS_URL names no coordinator.';
  await using run = new AsyncDisposableStack();
  const sides: Side[] = [];
  const sizes: string[] = [];
  for (const [count = 0, shards] of LAYOUTS) {
    const { url, workers, drop } = await createCitusDatabase(
      coordinator,
      { script: main },
      { count, distributed: false },
    );
    run.defer(drop);
    // A small cluster skips the layouts for which it has too few workers.
    if (count > workers.length) continue;
    if (!shards) await withClient(url, (client) => client.query('drop extension citus'));
    const keys = await seed(url, { pets: PETS });
    if (shards) await runCommand(url, 'distribute', '--shards', `${shards}`);
    // Otherwise autovacuum would begin during a measurement.
    await withClient(url, (client) => client.query('vacuum pets'));
    if (shards) sizes.push('', '```', await runCommand(url, 'distribute', '--check'), '```');
    const server = await startServer(OURS, url);
    run.defer(server.stop);
    const pids = await Promise.all([url, ...workers].map(postmasterOf));
    const name = shards ? `1 + ${count} nodes, ${shards} shards` : 'one Postgres';
    sides.push({ ...server, name, keys, pids, pets: PETS });
  }
  // Citus maintains each of these databases once a second.
  const before = sides.map(({ pids }) => pids.map(cpuTimeOfAll));
  await delay(10_000);
  for (const [at, side] of sides.entries())
    side.idle = side.pids.map((pid, node) => (cpuTimeOfAll(pid) - (before[at]?.[node] ?? 0)) / 10);
  const idle = sides.at(-1)?.idle?.map(Math.round).join(', ');
  const samples = await measure(sides, { connections: [64], rounds: quick ? 2 : 3, seconds: 2 });
  const groups = Map.groupBy(samples, ({ workload, server }) => `${workload} | ${server}`);
  const ofCitus = [...groups].filter(([name]) => !name.endsWith('one Postgres'));
  const ratios = ofCitus.map(([name, group]) => {
    const base = groups.get(`${group[0]?.workload} | one Postgres`) ?? [];
    const each = group.map(({ requestsPerSecond }, round) => requestsPerSecond / (base[round]?.requestsPerSecond ?? 0));
    const ofNode = (node: number) => Math.max(0, Math.round(median(group.map((sample) => sample.nodesCpu[node] ?? 0))));
    const nodes = (group[0]?.nodesCpu ?? []).map((_, node) => ofNode(node));
    return `| ${name} | ${formatRatio(each)} | ${nodes[0]} | ${nodes.slice(1).join(', ')} |`;
  });
  const intro = `Load, server and nodes share the machine. Without requests, the nodes take ${idle} ms per second, not counted below.`;
  const head = '| workload | on | requests/s, 1 = one Postgres | CPU µs/request: coordinator | workers |';
  return [intro, '', head, '|---|---|---|---|---|', ...ratios, '', ...samplesTable(samples), ...sizes].join('\n');
}
