import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { giveToOwner, lastWords, runForPostgres, spawnForPostgres } from './as-postgres-user.ts';
import { loadBinaries } from './binaries.ts';
import { dataIn } from './cluster.ts';
import { commandLine, isAlive } from './processes.ts';

const START_LIMIT_MS = 30_000;
const PORT_LIMIT_MS = 5_000;

/** Postgres did not start, but may the next time: another one has its port, data or memory, or somebody killed it. */
export class StartInterrupted extends Error {}

/** The process that Postgres consists of, next to its children. */
export interface Postmaster {
  port: number;
  ready: boolean;
}

const pidFileIn = (folder: string): string => join(dataIn(folder), 'postmaster.pid');

/** The postmaster that runs on the data in the folder, whoever started it. */
export function findPostmaster(folder: string): Postmaster | undefined {
  const [pid, , , port, , , , status] = readPidFile(folder);
  if (!isPostmaster(Number(pid), folder)) return undefined;
  return { port: Number(port), ready: status?.trim() === 'ready' };
}

function readPidFile(folder: string): string[] {
  try {
    return readFileSync(pidFileIn(folder), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** After a crash, a process of another kind may have got the pid: the postmaster is the one that names its data. */
function isPostmaster(pid: number, folder: string): boolean {
  if (!(pid > 0 && isAlive(pid))) return false;
  return process.platform === 'win32' || commandLine(pid).includes(`-D ${dataIn(folder)} `);
}

/** Starts Postgres on a free port of 127.0.0.1 and waits until it accepts connections. */
export async function startPostgres(folder: string, settings: Record<string, string>): Promise<Postmaster> {
  const { postgres } = await loadBinaries();
  // Postgres clears away the pid file of a dead postmaster, but takes any live process of its user for the postmaster.
  if (isAlive(Number(readPidFile(folder)[0]))) rmSync(pidFileIn(folder), { force: true });

  const args = ['-D', dataIn(folder), '-p', String(await portFor(folder))];
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  for (const [name, value] of Object.entries(all)) args.push('-c', `${name}=${value}`);

  const logFile = join(folder, 'postgres.log');
  const log = openSync(logFile, 'a', 0o600);
  giveToOwner(folder, logFile);
  const { size } = fstatSync(log);
  // A process group of its own, because Ctrl-C in a terminal must not stop Postgres before those who use it.
  const child = spawnForPostgres(folder, postgres, args, { detached: true, stdio: ['ignore', log, log] });
  child.unref();
  closeSync(log);
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const postmaster = findPostmaster(folder);
    if (postmaster?.ready) return postmaster;
    if (failure) throw failure;
    if (child.signalCode !== null)
      throw new StartInterrupted(`Postgres was ended by ${child.signalCode} while it started`);
    if (child.exitCode !== null) {
      throw whyNotStarted(lastWords(readFileSync(logFile).subarray(size).toString()));
    }
    if (Date.now() > deadline) throw new StartInterrupted(`Postgres is still starting, see ${logFile}`);
    await delay(10);
  }
}

function whyNotStarted(reason: string): Error {
  const passing = /already exists|still in use|could not create any TCP\/IP sockets/.test(reason);
  return new (passing ? StartInterrupted : Error)(`Postgres did not start: ${reason}`);
}

/**
 * The port of the last start, where other processes still expect Postgres: when it has just crashed, what is left of it may
 * keep the port for a moment. Another if it is taken for good.
 */
async function portFor(folder: string): Promise<number> {
  const file = join(folder, 'postgres-port');
  let port = randomPort();
  let deadline = 0;
  try {
    port = Number(readFileSync(file, 'utf8'));
    deadline = Date.now() + PORT_LIMIT_MS;
  } catch {}
  while (!(await isFree(port))) {
    if (Date.now() < deadline) await delay(25);
    else port = randomPort();
  }
  writeFileSync(file, String(port));
  giveToOwner(folder, file);
  return port;
}

/** Below those that systems give to outgoing connections: none of these takes the port while Postgres starts again. */
const randomPort = () => randomInt(10_000, 32_768);

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Stops Postgres in good order, and by force if it does not obey. Returns when its data are free. */
export async function stopPostgres(folder: string): Promise<void> {
  const { pg_ctl } = await loadBinaries();
  const stop = (mode: string, seconds: string) =>
    runForPostgres(folder, pg_ctl, ['stop', '-D', dataIn(folder), '-m', mode, '-t', seconds], { detached: true });
  try {
    await stop('fast', '20');
  } catch {
    if (findPostmaster(folder)) await stop('immediate', '10');
  }
}
