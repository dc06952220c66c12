import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@petstore-platform/testkit/eventually';
import { withClient } from '@petstore-platform/testkit/postgres';
import { createSystemPostgres } from '@petstore-platform/testkit/system-postgres';
import { openTcpProxy, type TcpProxy } from '@petstore-platform/testkit/tcp-proxy';

/** A primary and its standby, from the system's Postgres: npm's lacks `pg_basebackup`. */
export interface Pair {
  primary: Node;
  standby: Node;
  /** The connection from the standby to the primary. */
  replication: TcpProxy;
  /** Adds a standby to the primary and waits until it has caught up. */
  addStandby(): Promise<void>;
  /** Promotes the standby to primary. */
  promote(): Promise<void>;
}

interface Node {
  port: number;
  /** Connects as the servers' role. */
  url: string;
  superuser: string;
  kill(): void;
}

/** @param synchronous - whether commits wait until the standby has flushed them to disk */
export async function startPair(run: AsyncDisposableStack, synchronous: boolean): Promise<Pair> {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-pair-'));
  run.defer(() => rm(folder, { recursive: true, maxRetries: 10 }));
  const system = await createSystemPostgres(folder);
  const start = async (data: string): Promise<Node> => {
    const { port, url: superuser, kill } = run.adopt(await system.start(data), ({ stop }) => stop());
    return { port, url: `postgres://petstore@127.0.0.1:${port}/petstore`, superuser, kill };
  };
  const query = ({ superuser }: Node, statement: string) => withClient(superuser, (client) => client.query(statement));
  const primary = await start('data');
  await query(primary, 'create role petstore login');
  await query(primary, 'create database petstore owner petstore');
  let nodes = 1;
  const pair: Omit<Pair, 'standby' | 'replication'> & Partial<Pair> = {
    primary,
    async addStandby() {
      const name = String(nodes++);
      const { primary } = pair;
      const replication = await openTcpProxy(primary.port);
      run.defer(replication.cut);
      const source = `host=127.0.0.1 port=${replication.port} user=postgres`;
      await system.run('pg_basebackup', '-D', name, '-d', source, '--write-recovery-conf', '-c', 'fast', '--no-sync');
      // Once promoted, it has no standby, and commits would wait forever. Patroni sets this, too.
      await appendFile(path.join(folder, name, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
      Object.assign(pair, { standby: await start(name), replication });
      if (synchronous) await query(primary, "alter system set synchronous_standby_names = '*'");
      await query(primary, 'select pg_reload_conf()');
      await eventually('the standby does not follow', async () => {
        const wanted = synchronous ? "sync_state = 'sync'" : "state = 'streaming'";
        const { rowCount } = await query(primary, `select from pg_stat_replication where ${wanted}`);
        if (rowCount !== 1) throw new Error(`${rowCount} of it in pg_stat_replication`);
      });
    },
    async promote() {
      pair.primary = pair.standby as Node;
      await query(pair.primary, 'select pg_promote()');
    },
  };
  await pair.addStandby();
  return pair as Pair;
}
