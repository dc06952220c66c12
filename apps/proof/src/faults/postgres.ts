import { readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@petstore/testkit/eventually';
import { withClient } from '@petstore/testkit/postgres';

/** Controls to break a running Postgres. */
export type Postgres = ReturnType<typeof controlPostgres>;

/** Requires a Postgres that its owner restarts. */
export function controlPostgres({ url, dataDir }: { url: string; dataDir: string }) {
  const postmaster = () =>
    Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]);
  return {
    signal: (name: NodeJS.Signals) => process.kill(postmaster(), name),
    /** Signals the postmaster and all its children. */
    signalAll(name: NodeJS.Signals) {
      const pid = postmaster();
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      for (const each of [pid, ...children.map(Number)]) if (each) signalIfThere(each, name);
    },
    /** Kills a backend of a server: Postgres then closes all connections and recovers. */
    async killBackend() {
      const backends = `select pid from pg_stat_activity where application_name = 'petstore-server' limit 1`;
      const { rows } = await withClient(url, (client) => client.query<{ pid: number }>(backends));
      for (const { pid } of rows) signalIfThere(pid, 'SIGKILL');
    },
    async ready() {
      await eventually('Postgres is not back', () => withClient(url, (client) => client.query('select 1')));
    },
  };
}

/** Ignores backends that have exited meanwhile. */
export function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
