import { describePostgres, startPostgres, withClient } from '@petstore-platform/testkit/postgres';
import { createRandom } from '@petstore-platform/testkit/random';
import { inflict, postgresFaults, proxyFaults, serverFaults } from './faults/faults.ts';
import { startFleet } from './faults/fleet.ts';
import { underLoad } from './faults/load.ts';
import { controlPostgres } from './faults/postgres.ts';
import { changeStores } from './faults/transactions.ts';
import { bookstore } from './petstore.ts';
import type { Part } from './report.ts';
import type { With } from './service.ts';

/** Kills, freezes and disconnects two servers and their Postgres under load. */

const SERVERS = 2;

export async function proveFaults({ faults, seed, run, onProgress }: With<'faults'>): Promise<Part> {
  const { url } = run.adopt(await startPostgres(), ({ close }) => close());
  const postgres = await controlPostgres(url);
  // A frozen Postgres cannot shut down.
  if (process.platform === 'linux') run.defer(postgres.resume);
  const fleet = await startFleet(run, SERVERS, url);
  await withClient(url, (client) => client.query('create database stores'));
  const storesUrl = Object.assign(new URL(url), { pathname: 'stores' }).href;
  const stores = await startFleet(run, SERVERS, storesUrl, {}, bookstore);
  const servers = [...fleet.servers, ...stores.servers];
  const connections = servers.flatMap(({ clients, database }) => [
    ...proxyFaults('server to Postgres', database),
    ...proxyFaults('client to server', clients),
  ]);
  const tally = new Map<string, number>();
  let done = 0;
  const over = new AbortController();
  const changed = changeStores(stores, createRandom(seed + 2), over.signal);
  changed.catch(() => {});
  const rows = await underLoad(fleet, seed, async (notes) => {
    const onFault = (fault: string) => {
      done += 1;
      tally.set(fault, (tally.get(fault) ?? 0) + 1);
      const reads = notes.pages.length + notes.gets.length;
      onProgress(`${done} of ${faults}, ${fault} (${notes.creates.length} creates, ${reads} reads)`);
    };
    const half = Math.floor(faults / 2);
    const processes = [...servers.flatMap(serverFaults), ...postgresFaults(postgres)];
    // Both run in parallel, so that processes and connections fail at the same time.
    await Promise.all([
      inflict(processes, { count: faults - half, random: createRandom(seed), onFault }),
      inflict(connections, { count: half, random: createRandom(seed + 1), onFault }),
    ]).finally(() => over.abort());
    await postgres.ready();
    await Promise.all(stores.servers.map((server) => server.ready()));
  }).finally(() => over.abort());
  rows.push(await changed);
  const note = `${tally.size} kinds, ${servers.length} servers, ${await describePostgres(fleet.databaseUrl)}; seed ${seed}`;
  const kinds = [...tally].sort().map(([fault, number]) => `${fault} ${number}`);
  const all = `${note}: ${kinds.join(', ')}`;
  return { name: 'Faults', rows: [{ what: 'Faults', tried: done, failures: [], note: all }, ...rows] };
}
