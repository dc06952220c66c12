import { citusUrl, createCitusDatabase, distribute } from '@petstore/testkit/citus';
import { withClient } from '@petstore/testkit/postgres';
import { formatRatio } from '@petstore/testkit/statistics';
import { postmasterOf, seed } from './database.ts';
import { type Sample, samplesTable } from './servers/results.ts';
import { OURS, startServer } from './servers/start.ts';
import { KEYS, PETS, workloads } from './servers/workloads.ts';
import { wrk } from './servers/wrk.ts';
import { measureOne } from './servers.ts';

const CONNECTIONS = 64;
const SHARDS = [undefined, 8, 32];
const FIGURES = ['requestsPerSecond', 'serverCpu', 'postgresCpu'] as const;

/** Compares one Postgres with Citus, both on the nodes of `TEST_CITUS_URL`: ratios within interleaved rounds. */
export async function benchDistributed({ quick = false } = {}): Promise<string> {
  const coordinator = citusUrl('the comparison');
  if (!coordinator) return 'Not measured: TEST_CITUS_URL names no coordinator.';
  await using run = new AsyncDisposableStack();
  const start = async (shards: number | undefined) => {
    const database = await createCitusDatabase(coordinator, { count: shards ? 2 : 0, distributed: false });
    const { url, workers } = database;
    run.defer(database.drop);
    if (!shards) await withClient(url, (client) => client.query('drop extension citus'));
    const keys = await seed(url, { pets: PETS, keys: KEYS });
    if (shards) await distribute(url, shards);
    const server = await startServer(OURS, url);
    run.defer(async () => void (await server.stop()));
    const pids = await Promise.all([url, ...workers].map(postmasterOf));
    return { ...server, name: shards ? `1 + 2 nodes, ${shards} shards` : 'one Postgres', url, workers, keys, pids };
  };
  const sides: Awaited<ReturnType<typeof start>>[] = [];
  for (const shards of SHARDS) sides.push(await start(shards));
  const samples: Sample[] = [];
  for (const workload of workloads.slice(1)) {
    for (let round = 0; round <= (quick ? 2 : 3); round++) {
      for (const side of sides) {
        const sample = await measureOne(side, workload, side.keys, CONNECTIONS, 2, side.pids);
        if (round > 0) samples.push({ ...sample, round });
      }
    }
  }
  const groups = Map.groupBy(samples, ({ workload, server }) => `${workload} | ${server}`);
  const ratios = [...groups].map(([name, group]) => {
    const base = groups.get(`${group[0]?.workload} | one Postgres`) ?? [];
    const ratio = (figure: (typeof FIGURES)[number]) =>
      formatRatio(group.map((sample, round) => sample[figure] / (base[round]?.[figure] ?? Number.NaN)));
    return `| ${name} | ${FIGURES.map(ratio).join(' | ')} |`;
  });
  const { url, workers, origin, keys } = sides.at(-1) as (typeof sides)[number];
  const mix = workloads.at(-1)?.requests(keys) ?? [];
  // wrk throws when a request fails.
  const moved = await rebalance(url, workers, () => wrk(origin, mix, { connections: CONNECTIONS, seconds: 2 }));
  return [
    'All nodes, server and load share the machine. Ratios to one Postgres on it.',
    '',
    '| workload | on | requests/s | server CPU per request | CPU of all nodes per request |',
    '|---|---|---|---|---|',
    ...ratios,
    '',
    ...samplesTable(samples),
    '',
    ...moved,
  ].join('\n');
}

/** Adds the third worker and moves shards to it, while `load` repeats. */
async function rebalance(url: string, [, , third]: string[], load: () => Promise<unknown>): Promise<string[]> {
  if (!third) return ['No rebalance: the coordinator knows no third worker.'];
  const { hostname, port } = new URL(third);
  const sizes = async () => ['```', await distribute(url, 32), '```'];
  const before = await sizes();
  const begin = performance.now();
  await withClient(url, async (client) => {
    await client.query('select citus_add_node($1, $2)', [hostname, port]);
    await client.query('select citus_rebalance_start()');
    let moving = true;
    const moved = client.query('select citus_rebalance_wait()').finally(() => {
      moving = false;
    });
    while (moving) await load();
    await moved;
  });
  const seconds = Math.round((performance.now() - begin) / 1_000);
  return [
    ...before,
    '',
    `After a rebalance of ${seconds} s under the mix, without a failed request:`,
    '',
    ...(await sizes()),
  ];
}
