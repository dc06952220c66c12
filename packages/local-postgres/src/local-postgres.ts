import { spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cutLifeline, spawnWithLifeline } from './lifeline.ts';
import { findPrograms, lastWords, type Programs, run } from './programs.ts';

const PATIENCE_MS = 30_000;
/** The longest wait for the port of a crashed Postgres, before another is used. */
const PORT_LIMIT_MS = 2_000;
/** The length of a log, in characters, with which a start begins a new one. */
const LOG_LIMIT = 1_000_000;
const SCRATCH = 'postgres-new-';

/** Postgres ignores it. On its command line, a second start finds the owner. */
const OWNER = ['-c', `local.owner=${process.pid}`];

const DEFAULTS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // The log omits statements and the details of errors, because they contain data of users. Clients get them.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

export interface LocalPostgres {
  /** `postgres://<name>:<password>@127.0.0.1:<port>/<name>`; the role is a superuser. */
  url: string;
  /** Resolves when Postgres has exited, by `stop()` or otherwise. */
  ended: Promise<void>;
  /** Shuts Postgres down (fast shutdown), and kills it after 20 seconds. */
  stop(): Promise<void>;
}

interface Cluster extends Programs {
  folder: string;
  data: string;
  /** Names the role and the database. */
  name: string;
  settings: Record<string, string>;
}

/**
 * Starts Postgres on `<folder>/postgres`, created on first use, and writes its address to `<folder>/url`. The calling process
 * owns the folder: when it ends, even by a kill, Postgres ends.
 *
 * @param settings - Postgres settings, such as `{ fsync: 'off' }`
 * @param name - the role and the database, in lower-case letters, digits and `_`
 * @throws Error with a one-line message when the folder is in use, or Postgres cannot run here
 */
export async function startLocalPostgres(
  place: string,
  settings: Record<string, string> = {},
  name = 'service',
): Promise<LocalPostgres> {
  const folder = path.resolve(place);
  const cluster = { ...(await findPrograms(folder)), folder, data: path.join(folder, 'postgres'), name, settings };
  for (const begin = Date.now(); ; await delay(100)) {
    const waited = Date.now() - begin;
    try {
      if (!fs.existsSync(cluster.data)) await create(cluster);
      return await start(cluster, addressFor(cluster, waited < PORT_LIMIT_MS));
    } catch (error) {
      const { message } = error as Error;
      const isTaken = /lock file|still in use|could not create any TCP\/IP/.test(message);
      if (!isTaken || waited > PATIENCE_MS) throw new Error(`Postgres did not start in ${folder}: ${message}`);
      if (message.includes('lock file')) clearLock(cluster);
    }
  }
}

/**
 * Stops a Postgres whose owner is gone, and deletes a lock file that names no Postgres, as after a power failure.
 *
 * @throws Error when the owner runs
 */
function clearLock({ folder, data }: Cluster): void {
  const file = path.join(data, 'postmaster.pid');
  const { mtimeMs: written = 0 } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
  // In single-user mode, the process id is negative.
  const pid = Math.abs(Number.parseInt(read(file), 10));
  const command = commandLine(pid);
  if (!/(^|\/)postgres[\0 ]/.test(command)) {
    // While it is being written, it is empty.
    if (Math.abs(Date.now() - written) > 1_000) fs.rmSync(file, { force: true });
    return;
  }
  const owner = Number(/local\.owner=(\d+)/.exec(command)?.[1] ?? pid);
  if (commandLine(owner) !== '')
    throw new Error(`Process ${owner} runs the Postgres in ${folder}: end it, or use the address in ${folder}/url.`);
  process.kill(pid, 'SIGINT');
}

/** The command line of a process: empty when it has ended, even if its parent has not noticed. */
function commandLine(pid: number): string {
  if (process.platform === 'linux') return read(`/proc/${pid}/cmdline`);
  return spawnSync('ps', ['-ww', '-o', 'args=', '-p', `${pid}`], { encoding: 'utf8' }).stdout;
}

async function create({ folder, data, name, initdb, options, settings, user }: Cluster): Promise<void> {
  const scratch = fs.mkdtempSync(path.join(folder, SCRATCH));
  try {
    if (user) fs.chownSync(scratch, user.uid, user.gid);
    const flags = [
      ...['--auth-host=scram-sha-256', '--auth-local=trust', '--no-instructions'],
      // The builtin provider sorts and folds case alike on every system.
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...(settings.fsync === 'off' ? ['--no-sync'] : []),
    ];
    await run([...initdb, '-D', path.join(scratch, 'data'), `--username=${name}`, ...flags], options);
    // The rename is atomic, and fails when another process was faster.
    fs.renameSync(path.join(scratch, 'data'), data);
  } catch (error) {
    if (!fs.existsSync(data)) throw error;
  } finally {
    // Once there is data, this also removes the folders of starts that were killed, or that are too late.
    const isOver = (file: string) =>
      fs.existsSync(data) ? file.startsWith(SCRATCH) : path.join(folder, file) === scratch;
    for (const each of fs.readdirSync(folder).filter(isOver))
      fs.rmSync(path.join(folder, each), { recursive: true, force: true, maxRetries: 3 });
  }
}

async function start(cluster: Cluster, { href, password, port }: URL): Promise<LocalPostgres> {
  const { folder, data, name, postgres, options, settings } = cluster;
  // Single-user mode needs no port, and does not fail when the database exists.
  const statements = `alter role "${name}" password '${password}'\ncreate database "${name}"\n`;
  await run([...postgres, '--single', '-D', data, ...OWNER, 'postgres'], options, statements);

  const logFile = path.join(folder, 'postgres.log');
  // The log of a crash outlives the restart.
  const { length } = read(logFile);
  const earlier = length > LOG_LIMIT ? 0 : length;
  const log = fs.openSync(logFile, earlier > 0 ? 'a' : 'w', 0o600);
  const args = Object.entries({ ...DEFAULTS, port, ...settings }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const child = spawnWithLifeline('INT', [...postgres, '-D', data, ...OWNER, ...args], log, options);
  fs.closeSync(log);
  // A caller that never calls stop() can still exit.
  child.unref();
  (child.stdin as Socket).unref();
  const ended = once(child, 'exit').then(() => {});
  let lock = '';
  while (!(lock.startsWith(`${child.pid}\n`) && /^ready/m.test(lock))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${lastWords(read(logFile).slice(earlier))}; see ${logFile}`);
    await delay(20);
    lock = read(path.join(data, 'postmaster.pid'));
  }

  const urlFile = path.join(folder, 'url');
  // It holds the password, so only the owner may read it.
  fs.writeFileSync(urlFile, `${href}\n`, { mode: 0o600 });
  const stop = async () => {
    await cutLifeline(child);
    fs.rmSync(urlFile, { force: true });
  };
  return { url: href, ended, stop };
}

/**
 * The address of a crashed Postgres, so that its clients reconnect, or a new one. The port of that is below the ephemeral range:
 * an outgoing connection could take it while Postgres restarts.
 */
function addressFor({ folder, name }: Cluster, mayBeKept: boolean): URL {
  const kept = /:([\w-]{32})@127\.0\.0\.1:([1-3]\d{4})\//.exec(read(path.join(folder, 'url')));
  const [, password = randomBytes(24).toString('base64url'), port = randomInt(10_000, 32_768)] =
    (mayBeKept && kept) || [];
  return new URL(`postgres://${name}:${password}@127.0.0.1:${port}/${name}`);
}

/** The text of a file: empty when it cannot be read. */
function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
