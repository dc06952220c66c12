import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@petstore-platform/testkit/eventually';
import { withClient } from '@petstore-platform/testkit/postgres';
import { createSystemPostgres } from '@petstore-platform/testkit/system-postgres';
import { openTcpProxy } from '@petstore-platform/testkit/tcp-proxy';

/**
 * Starts a primary of the system's Postgres: npm's lacks `pg_basebackup`.
 *
 * @param synchronous - whether commits wait until the standby has flushed them to disk
 */
export async function startPrimary(run: AsyncDisposableStack, synchronous: boolean) {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-pair-'));
  run.defer(() => rm(folder, { recursive: true, maxRetries: 10 }));
  const system = await createSystemPostgres(folder);
  const start = async (data: string) => {
    const { port, url: superuser, kill } = run.adopt(await system.start(data), ({ stop }) => stop());
    const query = (statement: string) => withClient(superuser, (client) => client.query(statement));
    // The servers' role connects by this URL.
    return { port, url: `postgres://petstore@127.0.0.1:${port}/petstore`, query, kill };
  };
  type Node = Awaited<ReturnType<typeof start>>;

  let nodes = 1;
  /** Adds a standby to a primary, and waits until it has caught up. `replication` is its connection to the primary. */
  const addStandby = async ({ port, query }: Node) => {
    const name = String(nodes++);
    const replication = await openTcpProxy(port);
    run.defer(replication.cut);
    const source = `host=127.0.0.1 port=${replication.port} user=postgres`;
    await system.run('pg_basebackup', '-D', name, '-d', source, '--write-recovery-conf', '-c', 'fast', '--no-sync');
    // Once promoted, it has no standby, and commits would wait forever. Patroni sets this, too.
    await appendFile(path.join(folder, name, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
    const standby = await start(name);
    if (synchronous) await query("alter system set synchronous_standby_names = '*'");
    await query('select pg_reload_conf()');
    await eventually('the standby does not follow', async () => {
      const wanted = synchronous ? "sync_state = 'sync'" : "state = 'streaming'";
      const { rowCount } = await query(`select from pg_stat_replication where ${wanted}`);
      if (rowCount !== 1) throw new Error(`${rowCount} of it in pg_stat_replication`);
    });
    return { standby, replication };
  };

  const primary = await start('data');
  await primary.query('create role petstore login');
  await primary.query('create database petstore owner petstore');
  return { primary, addStandby };
}
