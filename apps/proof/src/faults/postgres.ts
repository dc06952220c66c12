import { readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@petstore/testkit/eventually';
import { withClient } from '@petstore/testkit/postgres';

/** A running Postgres, to be broken. */
export interface Postgres {
  /** It is started again when it ends. */
  signal(name: NodeJS.Signals): void;
  /** To it and all processes that it started. */
  signalAll(name: NodeJS.Signals): void;
  /** Kills a process that serves a server of ours: Postgres then ends all connections and recovers. */
  killBackend(): Promise<void>;
  ready(): Promise<void>;
}

/** @param dataDir - of a Postgres that its owner starts again */
export function controlPostgres({ url, dataDir }: { url: string; dataDir: string }): Postgres {
  const postmaster = () =>
    Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]);
  return {
    signal: (name) => process.kill(postmaster(), name),
    signalAll(name) {
      const pid = postmaster();
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      for (const each of [pid, ...children.map(Number)]) if (each) signalIfThere(each, name);
    },
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
