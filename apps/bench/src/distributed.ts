import { citusUrl, createCitusDatabase, distribute } from '@petstore/testkit/citus';
import { withClient } from '@petstore/testkit/postgres';
import { formatRatio, median } from '@petstore/testkit/statistics';
import { seed } from './database.ts';
import { cpuTime, cpuTimeOfAll } from './servers/cpu.ts';
import { OURS, startServer } from './servers/start.ts';
import { KEYS, PETS, type Workload, workloads } from './servers/workloads.ts';
import { wrk } from './servers/wrk.ts';

const CONNECTIONS = 64;
const NAMES = ['list, spread', 'get, spread', 'create', 'mix, 90/10'];

/** A server on one database, of one or several nodes. */
interface Side {
  name: string;
  origin: string;
  keys: string[];
  /** CPU time of the server, and of all nodes, in milliseconds. */
  url: string;
  cpu(): [number, number];
}

/** Compares one Postgres with Citus, both on the nodes of `TEST_CITUS_URL`: ratios within interleaved rounds. */
export async function benchDistributed({ quick = false } = {}): Promise<string> {
  const coordinator = citusUrl('the comparison');
  if (!coordinator) return 'Not measured: TEST_CITUS_URL names no coordinator.';
  await using run = new AsyncDisposableStack();
  const single = await createCitusDatabase(coordinator, { count: 0, distributed: false });
  run.defer(single.drop);
  await withClient(single.url, (client) => client.query('drop extension citus'));
  const sides = [await start(run, 'one Postgres', single.url, [single.url])];
  for (const shards of [8, 32]) {
    const { url, workers, drop } = await createCitusDatabase(coordinator, { count: 2, distributed: false });
    run.defer(drop);
    sides.push(await start(run, `1 + 2 nodes, ${shards} shards`, url, [url, ...workers], shards));
  }
  const rows: string[] = [];
  for (const workload of workloads.filter(({ name }) => NAMES.includes(name))) {
    const samples = new Map(sides.map(({ name }) => [name, [] as number[][]]));
    for (let round = 0; round <= (quick ? 2 : 3); round++) {
      for (const side of sides) {
        const sample = await measure(side, workload);
        if (round > 0) samples.get(side.name)?.push(sample);
      }
    }
    const [base = [], ...others] = [...samples.values()];
    for (const [index, other] of others.entries()) {
      const ratios = [0, 1, 2].map((figure) =>
        formatRatio(other.map((sample, round) => (sample[figure] ?? 0) / (base[round]?.[figure] ?? 0))),
      );
      const cpu = [1, 2].map((figure) => `${Math.round(median(other.map((sample) => sample[figure] ?? 0)))} µs`);
      rows.push(
        `| ${workload.name} | ${sides[index + 1]?.name} | ${ratios[0]} | ${cpu[0]}: ${ratios[1]} | ${cpu[1]}: ${ratios[2]} |`,
      );
    }
  }
  return [
    `${CONNECTIONS} connections, ${PETS} pets, all nodes, server and load on one machine; ratios to one Postgres on it.`,
    '',
    '| workload | on | requests/s | server CPU per request | CPU of all nodes per request |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    ...(await rebalance(sides.at(-1) as Side, coordinator)),
  ].join('\n');
}

async function start(
  run: AsyncDisposableStack,
  name: string,
  url: string,
  nodes: string[],
  shards?: number,
): Promise<Side> {
  const keys = await seed(url, { pets: PETS, keys: KEYS });
  if (shards) await distribute(url, shards);
  const { origin, pid, stop } = await startServer(OURS, url);
  run.defer(async () => void (await stop()));
  const pids = await Promise.all(nodes.map(postmasterOf));
  const cpu = () => [cpuTime(pid), pids.reduce((sum, each) => sum + cpuTimeOfAll(each), 0)] as [number, number];
  return { name, url, origin, keys, cpu };
}

function postmasterOf(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: string }>(
      `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid`,
    );
    return Number(rows[0]?.pid);
  });
}

/** Requests per second, and microseconds of CPU time of the server and of the nodes per request. */
async function measure({ origin, keys, cpu }: Side, workload: Workload): Promise<number[]> {
  const seconds = 2;
  const before = cpu();
  const { requestsPerSecond } = await wrk(origin, workload.requests(keys), { connections: CONNECTIONS, seconds });
  const times = cpu().map((time, index) => ((time - (before[index] ?? 0)) * 1_000) / (requestsPerSecond * seconds));
  return [requestsPerSecond, ...times];
}

/** Adds the last worker of the coordinator and moves shards to it, under a load in which no request may fail. */
async function rebalance(side: Side, coordinator: string): Promise<string[]> {
  const mix = workloads.find(({ name }) => name === 'mix, 90/10') as Workload;
  return withClient(side.url, async (client) => {
    const sizes = async () => {
      const { rows } = await client.query<{ node: string; shards: string; bytes: string }>(`
        select nodename || ':' || nodeport as node, count(*) as shards, sum(shard_size) as bytes
        from citus_shards where table_name = 'pets'::regclass group by node order by node`);
      return rows
        .map(({ node, shards, bytes }) => `${node}: ${shards} shards, ${(Number(bytes) / 1e6).toFixed(1)} MB`)
        .join('; ');
    };
    const before = await sizes();
    const { rows } = await withClient(coordinator, (known) =>
      known.query('select nodename, nodeport from pg_dist_node where groupid > 0 order by groupid desc limit 1'),
    );
    const { nodename, nodeport } = rows[0];
    const joined = await client.query('select from pg_dist_node where nodeport = $1', [nodeport]);
    if (joined.rowCount) return [`Per node: ${before}. No rebalance: the coordinator knows no third worker.`];
    await client.query('select citus_add_node($1, $2)', [nodename, nodeport]);
    let done = false;
    let seconds = 0;
    const move = async () => {
      const begin = performance.now();
      await client.query('select citus_rebalance_start()');
      await client.query('select citus_rebalance_wait()');
      seconds = (performance.now() - begin) / 1_000;
      done = true;
    };
    // wrk throws when a request fails.
    const load = async () => {
      while (!done) await wrk(side.origin, mix.requests(side.keys), { connections: CONNECTIONS, seconds: 2 });
    };
    await Promise.all([move(), load()]);
    return [
      `Per node: ${before}. After a rebalance to a third worker, ${seconds.toFixed(0)} s under the mix without a failed request:`,
      `${await sizes()}.`,
    ];
  });
}
