import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cutLifeline, spawnWithLifeline } from '@petstore-platform/local-postgres/lifeline';
import { eventually } from './eventually.ts';
import { freePort } from './server.ts';

const MISSING = 'the system has no Postgres (Debian: apt-get install postgresql)';

/** Whether the system has a Postgres. If not, prints which tests are skipped. */
export function hasSystemPostgres(what: string): boolean {
  const found = programsFolder() !== undefined;
  if (!found) console.warn(`Skipped: ${what}, as ${MISSING}`);
  return found;
}

/** The folder with the programs of the newest version. */
function programsFolder(): string | undefined {
  const found = globSync('/usr/{lib/postgresql/*,pgsql-*,local}/bin/pg_basebackup');
  const newest = found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return newest && path.dirname(newest);
}

/**
 * Creates the data folder `data` in a folder, for the Postgres of the system's packages, which operators run, with its defaults and
 * its LLVM.
 *
 * @throws Error when there is none
 */
export async function createSystemPostgres(folder: string) {
  const bin = programsFolder();
  if (!bin) throw new Error(MISSING);
  // Postgres refuses to run as root; the system's package creates the user postgres.
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid);
  /** Runs a program, such as `pg_basebackup`. */
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(path.join(bin, program), args, { cwd: folder, ...user });

  /** Runs shell commands from a document in the folder, as the user of Postgres. */
  const sh = (commands: string, variables: Record<string, string>) => {
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...variables };
    return promisify(execFile)('sh', ['-ec', commands], { cwd: folder, env, ...user });
  };

  /** Starts Postgres on a data folder. It ends with this process. Its URL has the superuser `postgres`. */
  const start = async (data: string, chosen?: number, settings: Record<string, string> = {}) => {
    const port = chosen ?? (await freePort());
    const all = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // SIGQUIT is an immediate shutdown, because the data is not needed.
    const command = [path.join(bin, 'postgres'), '-D', data, ...options];
    const child = spawnWithLifeline('QUIT', command, 'ignore', { cwd: folder, ...user });
    const ended = once(child, 'exit').then(() => {});
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    await eventually('Postgres does not start', async () => {
      if (isRunning()) await run('pg_isready', '-h', '127.0.0.1', '-p', `${port}`);
    }).catch(async (error) => {
      // The process is ended, because the next start would find its data folder in use.
      await cutLifeline(child);
      throw error;
    });
    if (!isRunning()) throw new Error(`Postgres ended with ${child.exitCode}`);
    const url = `postgres://postgres:any@127.0.0.1:${port}/postgres`;
    return { url, port, ended, stop: () => cutLifeline(child), kill: () => void child.kill('SIGKILL') };
  };

  await run('initdb', '-D', 'data', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync');
  return { run, sh, start };
}
