import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from './eventually.ts';
import { withClient } from './postgres.ts';

/** Whether the tests run on Citus. */
export const isCitus = process.env.TEST_POSTGRES === 'citus';

/** Whether there is a cluster. If not, prints which tests are skipped. */
export function hasCitus(what: string): boolean {
  const { TEST_CITUS_URL } = process.env;
  if (!TEST_CITUS_URL) console.warn(`Skipped: ${what}, as TEST_CITUS_URL names no coordinator (see scripts/citus.sh)`);
  return Boolean(TEST_CITUS_URL);
}

/** The SQL of the operator's page for tables that are distributed or in partitions. @param service - the name under which the page has it */
export function layoutOf(service: string): string {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/scale.md'), 'utf8');
  const block = page.split('```sql\n').find((each) => each.startsWith(`-- ${service}\n`));
  if (!block) throw new Error(`docs/scale.md has no SQL for ${service}`);
  return block.slice(0, block.indexOf('```'));
}

/**
 * Creates a database on the nodes of Citus, whose tables are distributed as the operator's page says.
 *
 * @param service - the name under which the page has it
 * @param migrate - creates the tables, and the roles
 * @param through - returns the port by which the coordinator reaches that of a worker
 */
export async function createCitusDatabase(
  service: string,
  migrate: (url: string) => Promise<unknown>,
  through: (port: number) => Promise<number> = async (port) => port,
): Promise<{ url: string; workers: string[]; drop(): Promise<void> }> {
  const coordinator = process.env.TEST_CITUS_URL ?? '';
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const on = (database: string, host?: string, port?: number) =>
    Object.assign(new URL(coordinator), { pathname: database, ...(host && { hostname: host, port: `${port}` }) }).href;
  const run = (url: string, text: string) => withClient(url, (client) => client.query(text));
  const { rows } = await run(coordinator, 'select nodename, nodeport from pg_dist_node order by groupid');
  const [url = '', ...workers] = rows.map(({ nodename, nodeport }) => on(name, nodename, nodeport));
  const servers = rows.map(({ nodename, nodeport }) => on(new URL(coordinator).pathname, nodename, nodeport));
  for (const server of servers) await run(server, `create database ${name}`);
  for (const node of [url, ...workers]) await run(node, 'create extension citus');
  const [{ nodename: host, nodeport: port }, ...others] = rows as [{ nodename: string; nodeport: number }];
  await run(url, `select citus_set_coordinator_host('${host}', ${port})`);
  for (const { nodename, nodeport } of others) {
    const add = `select citus_add_node('${nodename}', ${await through(nodeport)})`;
    // This also sets the roles on the node, and another test may set them at the same time.
    await eventually('a node is not added', () => run(url, add));
  }
  await migrate(url);
  await run(url, layoutOf(service));
  const drop = () =>
    // Postgres drops no database with prepared transactions, which may be in progress.
    eventually('the databases are not dropped', async () => {
      await run(url, 'select recover_prepared_transactions()').catch(() => {});
      for (const server of servers.toReversed()) await run(server, `drop database if exists ${name} with (force)`);
    });
  return { url, workers, drop };
}
