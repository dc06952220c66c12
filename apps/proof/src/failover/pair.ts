import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@petstore/testkit/eventually';
import { type Link, openLink } from '@petstore/testkit/link';
import { withClient } from '@petstore/testkit/postgres';
import { freePort } from '@petstore/testkit/server';

/** A primary and its standby, from the system's Postgres: npm's lacks `pg_basebackup`. */
export interface Pair {
  primary: Node;
  standby: Node;
  /** From the standby to the primary. */
  replication: Link;
  /** Adds a standby to the primary and waits until it has caught up. */
  addStandby(): Promise<void>;
  /** Promotes the standby to primary. */
  promote(): Promise<void>;
}

interface Node {
  port: number;
  /** Connects as the servers' role. */
  url: string;
  kill(): void;
}

/** The folder of the system's newest Postgres; undefined without one. */
export function findPostgres(): string | undefined {
  const found = globSync('/usr/{lib/postgresql/*,pgsql-*,local}/bin/pg_basebackup');
  const newest = found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return newest && path.dirname(newest);
}

/** @param synchronous - whether commits wait until the standby has flushed them to disk */
export async function startPair(run: AsyncDisposableStack, bin: string, synchronous: boolean): Promise<Pair> {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-pair-'));
  // Postgres refuses to run as root; the system's package creates the user postgres.
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid);
  run.defer(() => rm(folder, { recursive: true, maxRetries: 10 }));
  const execute = (tool: string, ...args: string[]) =>
    promisify(execFile)(path.join(bin, tool), args, { cwd: folder, ...user });
  const query = (node: Node, statement: string) =>
    withClient(`postgres://postgres@127.0.0.1:${node.port}/postgres`, (client) => client.query(statement));

  const start = async (name: string): Promise<Node> => {
    const port = await freePort();
    const args = ['-D', name, '-p', `${port}`, '-h', '127.0.0.1', '-k', ''];
    const child = spawn(path.join(bin, 'postgres'), args, { cwd: folder, ...user, stdio: 'ignore' });
    const closed = once(child, 'close');
    run.defer(async () => {
      // Immediate shutdown: the data is not needed.
      child.kill('SIGQUIT');
      await closed;
    });
    const url = `postgres://petstore@127.0.0.1:${port}/petstore`;
    const node = { port, url, kill: () => void child.kill('SIGKILL') };
    await eventually('Postgres does not start', () => query(node, 'select 1'));
    return node;
  };

  await execute('initdb', '-D', '0', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync');
  const primary = await start('0');
  await query(primary, 'create role petstore login');
  await query(primary, 'create database petstore owner petstore');
  let nodes = 1;
  const pair: Omit<Pair, 'standby' | 'replication'> & Partial<Pair> = {
    primary,
    async addStandby() {
      const name = String(nodes++);
      const { primary } = pair;
      const replication = await openLink(primary.port);
      run.defer(replication.cut);
      const source = `host=127.0.0.1 port=${replication.port} user=postgres`;
      await execute('pg_basebackup', '-D', name, '-d', source, '--write-recovery-conf', '-c', 'fast', '--no-sync');
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
