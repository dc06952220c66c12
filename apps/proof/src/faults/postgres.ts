import { readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@petstore/testkit/eventually';
import { withClient } from '@petstore/testkit/postgres';

/** A running Postgres, to be broken. */
export type Postgres = ReturnType<typeof controlPostgres>;

/** @param dataDir - of a Postgres that its owner starts again */
export function controlPostgres({ url, dataDir }: { url: string; dataDir: string }) {
  const postmaster = () =>
    Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]);
  return {
    signal: (name: NodeJS.Signals) => process.kill(postmaster(), name),
    /** To it and all processes that it started. */
    signalAll(name: NodeJS.Signals) {
      const pid = postmaster();
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      for (const each of [pid, ...children.map(Number)]) if (each) signalIfThere(each, name);
    },
    /** Kills a process that serves a server of ours: Postgres then ends all connections and recovers. */
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

/** Backends come and go: one may have ended since it was seen. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
