import { randomUUID } from 'node:crypto';
import { eventually } from './eventually.ts';
import { withClient } from './postgres.ts';
import { migrate, runCommand } from './server.ts';

/** A coordinator of Citus, which knows its workers; undefined without `TEST_CITUS_URL`, which is printed. */
export function citusUrl(what: string): string | undefined {
  const url = process.env.TEST_CITUS_URL;
  if (!url) console.warn(`Skipped: ${what} on Citus, as TEST_CITUS_URL names no coordinator (see docs/scale.md)`);
  return url || undefined;
}

export interface CitusDatabase {
  /** On the coordinator. */
  url: string;
  /** The same database on the workers. */
  workers: string[];
  /** Lets the last worker take part. */
  addLast(): Promise<unknown>;
  drop(): Promise<void>;
}

interface Address {
  host: string;
  port: number;
}

export interface CitusOptions {
  /** The address by which the nodes reach a worker, as through a proxy. Default: its own. */
  route?(address: Address): Address | Promise<Address>;
  /** Number of workers that take part, the first ones; -1 leaves out the last. Default: all. */
  count?: number;
  /** Whether to distribute the pets. Default: true. */
  distributed?: boolean;
}

/** Creates a migrated database on every node that a coordinator knows, with the same user and password. */
export async function createCitusDatabase(
  coordinator: string,
  { route = (address) => address, count = Number.POSITIVE_INFINITY, distributed = true }: CitusOptions = {},
): Promise<CitusDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const { rows: nodes } = await withClient(coordinator, (client) =>
    client.query<Address & { group: number }>(
      'select groupid as group, nodename as host, nodeport as port from pg_dist_node order by groupid',
    ),
  );
  const at = (host: string, port: number, database: string) => {
    const url = new URL(coordinator);
    Object.assign(url, { hostname: host, port: String(port), pathname: database });
    return url.href;
  };
  const servers = nodes.map(({ host, port }) => at(host, port, new URL(coordinator).pathname));
  const [url = '', ...workers] = nodes.map(({ host, port }) => at(host, port, name));
  for (const server of servers) await withClient(server, (client) => client.query(`create database ${name}`));
  for (const node of [url, ...workers]) await withClient(node, (client) => client.query('create extension citus'));
  const [first, ...others] = nodes;
  const add = (address: Address | undefined, by = 'citus_add_node') =>
    withClient(url, (client) => client.query(`select ${by}($1, $2)`, [address?.host, address?.port]));
  await add(first, 'citus_set_coordinator_host');
  const addresses = await Promise.all(others.map(({ host, port }) => route({ host, port })));
  for (const address of addresses.slice(0, count)) await add(address);
  await migrate(url);
  // Postgres drops no database with prepared transactions, which may be on their way.
  const drop = () =>
    eventually('the databases are not dropped', async () => {
      await withClient(url, (client) => client.query('select recover_prepared_transactions()')).catch(() => {});
      for (const server of servers.toReversed())
        await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    });
  if (distributed) await runCommand(url, 'distribute');
  return { url, workers, addLast: () => add(addresses.at(-1)), drop };
}
