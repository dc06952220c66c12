import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@petstore-platform/testkit/eventually';
import { withClient } from '@petstore-platform/testkit/postgres';

/** Controls to break a running Postgres. */
export type Postgres = Awaited<ReturnType<typeof controlPostgres>>;

/** @param url - a Postgres on this machine that is started again */
export async function controlPostgres(url: string) {
  const { rows } = await withClient(url, (client) => client.query('show data_directory'));
  const file = path.join(rows[0].data_directory, 'postmaster.pid');
  const log = path.join(rows[0].data_directory, 'pg_wal');
  const postmaster = () => Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  /** Signals the postmaster and all its children. */
  const signalAll = (name: NodeJS.Signals) => {
    const pid = postmaster();
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const each of [pid, ...children.map(Number)]) if (each) signalIfThere(each, name);
  };
  return {
    freeze: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    signal: (name: NodeJS.Signals) => process.kill(postmaster(), name),
    /** Kills a backend of a server: Postgres then closes all connections and recovers. */
    async killBackend() {
      const backends = `select pid from pg_stat_activity where application_name ~ '^(petstore|bookstore)-server' limit 1`;
      const { rows } = await withClient(url, (client) => client.query<{ pid: number }>(backends));
      for (const { pid } of rows) signalIfThere(pid, 'SIGKILL');
    },
    /** Hides the write-ahead log: new sessions panic in their commit. Old ones are ended, because they have the file open. */
    async panic() {
      renameSync(log, `${log}-away`);
      const servers = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'petstore-server'`;
      // The crash may end this connection, too.
      await withClient(url, (client) => client.query(servers)).catch(() => {});
    },
    calm: () => renameSync(`${log}-away`, log),
    /** @param limit - in milliseconds. Default: longer than a start that fails, and the one after it */
    async ready(limit = 180_000) {
      await eventually('Postgres is not back', () => withClient(url, (client) => client.query('select 1')), limit);
    },
  };
}

/** Ignores backends that have exited meanwhile. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
