import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { eventually } from './eventually.ts';
import { withClient } from './postgres.ts';
import { commandLineOf, type Program } from './server.ts';

/** The URL of a coordinator of Citus, which knows its workers. Without `TEST_CITUS_URL`, prints the reason to skip. */
export function citusUrl(what: string): string | undefined {
  const url = process.env.TEST_CITUS_URL;
  if (!url)
    console.warn(
      `Skipped: ${what} on Citus, as TEST_CITUS_URL names no coordinator (see packages/storage-citus/README.md)`,
    );
  return url || undefined;
}

export interface CitusDatabase {
  /** URL of the database on the coordinator. */
  url: string;
  /** The URLs of the same database on the workers. */
  workers: string[];
  /** Adds the last worker to the cluster. */
  addWorker(): Promise<unknown>;
  /** Distributes the shards evenly. A call that was interrupted rejects, and the next call continues its work. */
  rebalance(): Promise<void>;
  /** Moves the shard with a table's newest block. Moves another one if its old copy may still be there from an earlier move. */
  moveShard(table: string): Promise<void>;
  drop(): Promise<void>;
}

interface Address {
  host: string;
  port: number;
}

export interface CitusOptions {
  /** Returns the address by which the nodes reach a worker, such as that of a proxy. Default: its own. */
  route?(address: Address): Address | Promise<Address>;
  /** The number of workers that take part, counted from the first. -1 leaves out the last. Default: all. */
  count?: number;
  /** SQL that runs before the service's tables are distributed. */
  before?: string;
  /** Whether to distribute the service's tables. Default: true. */
  distributed?: boolean;
}

/** Creates a database on every node that a coordinator knows, with the same user and password, and migrates it for a service. */
export async function createCitusDatabase(
  coordinator: string,
  program: Program,
  {
    route = (address) => address,
    count = Number.POSITIVE_INFINITY,
    before = '',
    distributed = true,
  }: CitusOptions = {},
): Promise<CitusDatabase> {
  const { migrate, runCommand } = commandLineOf(program);
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
  const onCluster = <T>(work: (client: Client) => Promise<T>) =>
    withClient(url, async (client) => {
      // Without a timeout, a statement would wait forever for a node that went silent.
      await client.query(`set statement_timeout = '15s'`);
      return work(client);
    });
  const add = (address: Address | undefined, by = 'citus_add_node') =>
    onCluster((client) => client.query(`select ${by}($1, $2)`, [address?.host, address?.port]));
  await add(first, 'citus_set_coordinator_host');
  const addresses = await Promise.all(others.map(({ host, port }) => route({ host, port })));
  // This is retried, because it also sets the roles on the node, and another test may set them at the same time.
  for (const address of addresses.slice(0, count)) await eventually('a node is not added', () => add(address));
  await migrate(url);
  await withClient(url, (client) => client.query(before));
  // The drop is retried: Postgres drops no database with subscriptions or with prepared transactions, which may be in progress.
  const drop = () =>
    eventually('the databases are not dropped', async () => {
      await withClient(url, (client) => client.query('select recover_prepared_transactions()')).catch(() => {});
      for (const node of workers) await withClient(node, (client) => client.query(DROP_SUBSCRIPTIONS)).catch(() => {});
      for (const server of servers.toReversed())
        await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    });
  if (distributed) await runCommand(url, 'distribute');
  return {
    url,
    workers,
    drop,
    addWorker: () => add(addresses.at(-1)),
    rebalance: () => onCluster(rebalance),
    moveShard: (table) => onCluster((client) => moveShard(client, table)),
  };
}

/** Drops the subscriptions that failed moves left behind. */
const DROP_SUBSCRIPTIONS = `do $$ declare name text; begin
  for name in select quote_ident(subname) from pg_subscription join pg_database on pg_database.oid = subdbid
      where datname = current_database() loop
    execute 'alter subscription ' || name || ' disable';
    execute 'alter subscription ' || name || ' set (slot_name = none)';
    execute 'drop subscription ' || name;
  end loop;
end $$`;

async function rebalance(client: Client): Promise<void> {
  // A rebalance that was interrupted has to be stopped first.
  await client.query('select citus_rebalance_stop()').catch(() => {});
  // The job is null once no shard is left to move.
  const { rows } = await client.query('select citus_rebalance_start() as job');
  if (rows[0].job === null) return;
  await client.query('select citus_rebalance_wait()');
  await rebalance(client);
}

async function moveShard(client: Client, table: string): Promise<void> {
  // The placement ids show the order of moves, because each move gives the placement a new, higher id.
  const { rows } = await client.query(
    `select shardid, nodeid as from, (select nodeid from pg_dist_node where groupid not in (0, oldest.groupid) limit 1) as to
    from (
      select * from pg_dist_shard join pg_dist_placement using (shardid) where logicalrelid = $1::regclass
      order by placementid limit 4
    ) as oldest join pg_dist_node using (groupid), ${table}_visible
    order by shardid = get_shard_id_for_distribution_column($1, last >> 16) desc, placementid limit 1`,
    [table],
  );
  const [{ shardid, from, to }] = rows;
  await client.query('select citus_move_shard_placement($1, $2, $3)', [shardid, from, to]);
}
