import { randomUUID } from 'node:crypto';
import { citusUrl, createCitusDatabase } from '@petstore-platform/testkit/citus';
import { describePostgres, startPostgres, withClient } from '@petstore-platform/testkit/postgres';
import { createRandom } from '@petstore-platform/testkit/random';
import { GERMAN, hasGermanPostgres } from '@petstore-platform/testkit/system-postgres';
import { openTcpProxy, type TcpProxy } from '@petstore-platform/testkit/tcp-proxy';
import { ADD_ANIMALS, operatorOf } from './faults/cluster.ts';
import { type Fault, inflict, postgresFaults, proxyFaults, serverFaults } from './faults/faults.ts';
import { type Server, startFleet } from './faults/fleet.ts';
import { underLoad } from './faults/load.ts';
import { migrationFault } from './faults/migration.ts';
import { controlPostgres, type Postgres } from './faults/postgres.ts';
import { changeStores } from './faults/transactions.ts';
import { bookstore, program } from './petstore.ts';
import type { Part } from './report.ts';
import type { With } from './service.ts';

/** Kills, freezes and disconnects two servers and their Postgres under load. */

const SERVERS = 2;

export async function proveFaults(options: With<'faults'>): Promise<Part> {
  const { url } = options.run.adopt(await startPostgres(), ({ close }) => close());
  return await breakUnderLoad('Faults', [await controlPostgres(url, 'Postgres', 'restarts')], [], options);
}

/** The same on a Postgres with German messages. */
export async function proveGerman(options: With<'faults'>): Promise<Part | undefined> {
  if (!hasGermanPostgres('the faults in German')) return undefined;
  const { url } = options.run.adopt(await startPostgres({ lc_messages: GERMAN }), ({ close }) => close());
  return await breakUnderLoad('German', [await controlPostgres(url, 'Postgres', 'restarts')], [], options);
}

/** The same on Citus, with all nodes on this machine. They and the connections between them fail while an operator moves shards. */
export async function proveCitus(options: With<'faults'>): Promise<Part | undefined> {
  const coordinator = citusUrl('the faults');
  if (!coordinator) return undefined;
  const proxies: TcpProxy[] = [];
  const route = async ({ host, port }: { host: string; port: number }) => {
    const proxy = await openTcpProxy(port, host);
    options.run.defer(proxy.cut);
    proxies.push(proxy);
    return { host: '127.0.0.1', port: proxy.port };
  };
  const reset = () => {
    for (const proxy of proxies) proxy.reset();
  };
  const settings = { route, count: -1, before: ADD_ANIMALS };
  const database = options.run.adopt(await createCitusDatabase(coordinator, program, settings), ({ drop }) => drop());
  options.run.defer(reset);
  const first = await controlPostgres(database.url, 'coordinator');
  const others = await Promise.all(database.workers.map((worker) => controlPostgres(worker, 'worker')));
  const between = proxies.flatMap((proxy) => proxyFaults('coordinator to worker', proxy));
  return await breakUnderLoad('Citus', [first, ...others], between, options, operatorOf(database, reset));
}

/** @param nodes - the servers' Postgres, and nodes behind it. @param connections - faults of the connections between those */
async function breakUnderLoad(
  name: string,
  nodes: [Postgres, ...Postgres[]],
  connections: Fault[],
  { faults, seed, run, environment, onProgress }: With<'faults'>,
  operate: ReturnType<typeof operatorOf> = async () => {},
): Promise<Part> {
  // A frozen Postgres cannot shut down.
  if (process.platform === 'linux') for (const { resume } of nodes) run.defer(resume);
  const fleet = await startFleet(run, SERVERS, nodes[0].url, environment);
  // A coordinator outlives the run, so the database has a name of its own and is dropped.
  const storesName = `stores_${randomUUID().slice(0, 8)}`;
  const query = (sql: string) => withClient(nodes[0].url, (client) => client.query(sql));
  await query(`create database ${storesName}`);
  run.defer(async () => void (await query(`drop database ${storesName} with (force)`)));
  const url = Object.assign(new URL(nodes[0].url), { pathname: storesName }).href;
  const stores = await startFleet(run, SERVERS, url, environment, bookstore);
  const servers = [...fleet.servers, ...stores.servers];
  for (const { clients, database } of servers)
    connections.push(...proxyFaults('server to Postgres', database), ...proxyFaults('client to server', clients));
  const tally = new Map<string, number>();
  let done = 0;
  const over = new AbortController();
  const changed = changeStores(stores, createRandom(seed + 2), over.signal);
  changed.catch(() => {});
  const rows = await underLoad(fleet, seed, async (notes) => {
    const onStep = (step: string) => {
      tally.set(step, (tally.get(step) ?? 0) + 1);
      const reads = notes.pages.length + notes.gets.length;
      onProgress(`${done} of ${faults}, ${step} (${notes.creates.length} creates, ${reads} reads)`);
    };
    const onFault = (fault: string) => {
      done += 1;
      onStep(fault);
    };
    const half = Math.floor(faults / 2);
    const processes = [...servers.flatMap(serverFaults), ...nodes.flatMap(postgresFaults)];
    // A distributed table has another copy.
    if (nodes.length === 1) processes.push(migrationFault(nodes[0].url, fleet.servers[0] as Server));
    // Both run in parallel, so that processes and connections fail at the same time.
    const all = Promise.all([
      inflict(processes, { count: faults - half, random: createRandom(seed), onFault }),
      inflict(connections, { count: half, random: createRandom(seed + 1), onFault }),
    ]).finally(() => over.abort());
    await Promise.all([all, operate(over.signal, onStep)]);
    for (const node of nodes) await node.ready();
    await Promise.all(stores.servers.map((server) => server.ready()));
  }).finally(() => over.abort());
  rows.push(await changed);
  const note = `${tally.size} kinds, ${servers.length} servers, ${await describePostgres(fleet.databaseUrl)}; seed ${seed}`;
  const lines = [...tally].sort().map(([fault, number]) => `| ${fault} | ${number} |`);
  return {
    name,
    rows: [{ what: 'Faults', tried: done, failures: [], note }, ...rows],
    appendix: [`## ${name}\n`, '| Fault | Count |', '|---|--:|', ...lines].join('\n'),
  };
}
