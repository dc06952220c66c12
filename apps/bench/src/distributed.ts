import { citusUrl, createCitusDatabase } from '@petstore/testkit/citus';
import { withClient } from '@petstore/testkit/postgres';
import { runCommand } from '@petstore/testkit/server';
import { formatRatio } from '@petstore/testkit/statistics';
import { postmasterOf, seed } from './database.ts';
import { samplesTable } from './servers/results.ts';
import { OURS, startServer } from './servers/start.ts';
import { KEYS, PETS } from './servers/workloads.ts';
import { measure, type Side } from './servers.ts';

/** Compares one Postgres with Citus, both on the nodes of `TEST_CITUS_URL`: ratios within interleaved rounds. */
export async function benchDistributed({ quick = false } = {}): Promise<string> {
  const coordinator = citusUrl('the comparison');
  if (!coordinator) return 'Not measured: TEST_CITUS_URL names no coordinator.';
  await using run = new AsyncDisposableStack();
  const sides: Side[] = [];
  const sizes: string[] = [];
  for (const shards of [undefined, 8, 32]) {
    const { url, workers, drop } = await createCitusDatabase(coordinator, {
      count: shards ? 2 : 0,
      distributed: false,
    });
    run.defer(drop);
    if (!shards) await withClient(url, (client) => client.query('drop extension citus'));
    const keys = await seed(url, { pets: PETS, keys: KEYS });
    if (shards) await runCommand(url, 'distribute', '--shards', `${shards}`);
    if (shards) sizes.push('', '```', await runCommand(url, 'distribute', '--check'), '```');
    const server = await startServer(OURS, url);
    run.defer(server.stop);
    const pids = await Promise.all([url, ...workers].map(postmasterOf));
    sides.push({ ...server, name: shards ? `1 + 2 nodes, ${shards} shards` : 'one Postgres', keys, pids });
  }
  const samples = await measure(sides, { connections: [64], rounds: quick ? 2 : 3, seconds: 2 });
  const groups = Map.groupBy(samples, ({ workload, server }) => `${workload} | ${server}`);
  const ofCitus = [...groups].filter(([name]) => !name.endsWith('one Postgres'));
  const ratios = ofCitus.map(([name, group]) => {
    const base = groups.get(`${group[0]?.workload} | one Postgres`) ?? [];
    const each = group.map(
      (sample, round) => sample.requestsPerSecond / (base[round]?.requestsPerSecond ?? Number.NaN),
    );
    return `| ${name} | ${formatRatio(each)} |`;
  });
  const head = '| workload | on | requests/s, divided by those of one Postgres |\n|---|---|---|';
  return [
    'Load, server and nodes share the machine.',
    '',
    head,
    ...ratios,
    '',
    ...samplesTable(samples),
    ...sizes,
  ].join('\n');
}
