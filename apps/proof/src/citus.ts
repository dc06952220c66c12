import { citusUrl, createCitusDatabase } from '@petstore/testkit/citus';
import { eventually } from '@petstore/testkit/eventually';
import { openLink } from '@petstore/testkit/link';
import { withClient } from '@petstore/testkit/postgres';
import { cleanup } from './cleanup.ts';
import { type Fault, faultsOf, linkFaults } from './faults/faults.ts';
import { startFleet } from './faults/fleet.ts';
import { signalIfThere } from './faults/postgres.ts';
import { breakUnderLoad } from './faults.ts';
import type { Part } from './report.ts';
import type { With } from './service.ts';

/** Kills, freezes and disconnects the nodes of Citus, which run on this machine, and two servers' connections. */
export async function proveCitus(options: With<'faults'>): Promise<Part | undefined> {
  const coordinator = citusUrl('the faults');
  if (!coordinator) return undefined;
  await using run = cleanup();
  const links: Fault[] = [];
  const workers = await withClient(coordinator, (client) =>
    client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node where groupid > 0',
    ),
  );
  const ports = new Map<number, number>();
  for (const { host, port } of workers.rows) {
    const link = await openLink(port, host);
    run.defer(link.cut);
    ports.set(port, link.port);
    links.push(...faultsOf('coordinator to worker', link));
  }
  const route = ({ port }: { port: number }) => ({ host: '127.0.0.1', port: ports.get(port) ?? port });
  const database = run.adopt(await createCitusDatabase(coordinator, { route }), ({ drop }) => drop());
  const fleet = await startFleet(run, 2, database.url, options.environment);
  const nodes = [database.url, ...database.workers].flatMap((url, index) =>
    nodeFaults(index === 0 ? 'coordinator' : 'worker', url),
  );
  const count = () => withClient(database.url, (client) => client.query('select count(*) from pets'));
  const ready = () => eventually('a node is not back', count);
  return await breakUnderLoad('Citus', fleet, [nodes, [...links, ...linkFaults(fleet)]], ready, options);
}

function nodeFaults(what: string, url: string): Fault[] {
  let frozen: number[] = [];
  const backends = async () => {
    const { rows } = await withClient(url, (client) =>
      client.query<{ pid: number }>(
        'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      ),
    );
    return rows.map(({ pid }) => pid);
  };
  const signalAll = (name: NodeJS.Signals) => {
    for (const pid of frozen) signalIfThere(pid, name);
  };
  return [
    {
      // Postgres then ends all backends and recovers from its log.
      name: `${what}: SIGKILL of a backend`,
      begin: async () => {
        for (const pid of (await backends().catch(() => [])).slice(0, 1)) signalIfThere(pid, 'SIGKILL');
      },
      end: async () => {},
    },
    {
      name: `${what}: SIGSTOP of its backends, SIGCONT`,
      begin: async () => {
        frozen = await backends().catch(() => []);
        signalAll('SIGSTOP');
      },
      end: async () => signalAll('SIGCONT'),
    },
  ];
}
