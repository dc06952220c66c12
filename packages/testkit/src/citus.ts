import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { eventually } from './eventually.ts';
import { withClient } from './postgres.ts';
import { commandLineOf, type Program } from './server.ts';

/** A coordinator of Citus, which knows its workers; undefined without `TEST_CITUS_URL`, which is printed. */
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
  /** The same database on the workers. */
  workers: string[];
  /** Lets the last worker take part. */
  addWorker(): Promise<unknown>;
  /** Gives all workers the same number of shards. Fails when it is interrupted; again, it goes on. */
  rebalance(): Promise<void>;
  /** Moves a table's shard with the newest block, or another one if this was moved lately: its old copy may still be there. */
  moveShard(table: string): Promise<void>;
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
      // A connection between nodes that went silent would hold it for ever.
      await client.query(`set statement_timeout = '15s'`);
      return work(client);
    });
  const add = (address: Address | undefined, by = 'citus_add_node') =>
    onCluster((client) => client.query(`select ${by}($1, $2)`, [address?.host, address?.port]));
  await add(first, 'citus_set_coordinator_host');
  const addresses = await Promise.all(others.map(({ host, port }) => route({ host, port })));
  // A node also gets the roles, which another test may set at the same time.
  for (const address of addresses.slice(0, count)) await eventually('a node is not added', () => add(address));
  await migrate(url);
  await withClient(url, (client) => client.query(before));
  // Postgres drops no database with prepared transactions, which may be on their way, or with subscriptions.
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
  // One that was interrupted.
  await client.query('select citus_rebalance_stop()').catch(() => {});
  // Null once nothing is left to move.
  const { rows } = await client.query('select citus_rebalance_start() as job');
  if (rows[0].job === null) return;
  await client.query('select citus_rebalance_wait()');
  await rebalance(client);
}

async function moveShard(client: Client, table: string): Promise<void> {
  // Each move gives the placement a new, higher id.
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
