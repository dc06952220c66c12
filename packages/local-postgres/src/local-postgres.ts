import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cutLifeline, ownerIn, withLifeline } from './lifeline.ts';
import { isAlive, parentOf, worksIn } from './processes.ts';
import { findFiles, findPrograms, lastWords, type Programs } from './programs.ts';

const PATIENCE_MS = 30_000;
const STOP_LIMIT_MS = 20_000;
/** The longest wait for the port of a crashed Postgres, before another is used. */
const PORT_LIMIT_MS = 2_000;
const SCRATCH = 'postgres-new-';
/** The most bytes of the log. It is cut to its last lines, half of this, when Postgres starts and at each interval. */
const LARGEST_LOG = 1_000_000;
const LOG_INTERVAL_MS = 10_000;

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

/** The owner of the data. */
interface Owner {
  /** Lower-case letters, digits and `_`. */
  name: string;
  variable?: string;
}

/**
 * Starts Postgres on `<folder>/postgres`, created on first use, and writes its address to `<folder>/url`. The calling process
 * owns the folder: when it ends, even by a kill, Postgres ends.
 *
 * @param settings - Postgres settings, such as `{ fsync: 'off' }`. Default for `port`: a random one
 * @param service - the `name` of its role and its database, and the environment `variable` that sets the folder
 * @throws Error with a one-line message when the folder is in use, or Postgres cannot run here or is not up in 30 seconds
 */
export async function startLocalPostgres(
  folder: string,
  settings: Record<string, string> = {},
  service: Owner = { name: 'service' },
): Promise<LocalPostgres> {
  const files = await findFiles();
  fs.mkdirSync(folder, { recursive: true });
  const place = fs.realpathSync(folder);
  const data = path.join(place, 'postgres');
  const programs = findPrograms(files, place, data);
  const begin = Date.now();
  for (;;) {
    await waitForPredecessor(place, data);
    try {
      if (!fs.existsSync(data)) await createCluster(place, data, programs, service.name, settings.fsync !== 'off');
      const address = Date.now() - begin < PORT_LIMIT_MS ? addressIn(place, service.name) : newAddress(service.name);
      return await start(place, data, programs, settings, address, service.variable);
    } catch (error) {
      // Another process may have taken the port or the folder.
      const passing = /already exists|ENOTEMPTY|still in use|could not create any TCP\/IP/.test(
        (error as Error).message,
      );
      if (!passing || Date.now() - begin > PATIENCE_MS) throw error;
      await delay(100);
    }
  }
}

/** Waits for a Postgres that is shutting down, and stops one whose owner is gone. */
async function waitForPredecessor(folder: string, data: string): Promise<void> {
  const begin = Date.now();
  for (let stale = false; ; await delay(100)) {
    const { exists, pid, single } = readPidFile(data);
    if (!worksIn(pid, data)) {
      // Postgres deletes the file of a dead process itself, but refuses to start if the file is empty, or if the process id was reused.
      // This checks twice, because the file is also empty while it is being written.
      if (!exists || (pid > 0 && !isAlive(pid))) return;
      if (stale) {
        console.warn(`${data}/postmaster.pid names no Postgres of this folder: deleting it.`);
        return fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
      }
      stale = true;
      continue;
    }
    const owner = ownerIn(parentOf(pid));
    // A killed owner stays visible until its parent reaps it.
    if (owner !== undefined && isAlive(owner) && Date.now() - begin > 1_000)
      throw new Error(`Process ${owner} runs the Postgres in ${folder}: end it, or use the address in ${folder}/url.`);
    if (owner === undefined && !single) process.kill(pid, 'SIGINT');
    if (Date.now() - begin > PATIENCE_MS) throw new Error(`The Postgres in ${folder}, process ${pid}, does not end.`);
  }
}

/** Reads the file with the process id of Postgres. `single` is a single-user Postgres, which ends by itself. */
function readPidFile(data: string): { exists: boolean; pid: number; single: boolean; ready: boolean } {
  const content = read(path.join(data, 'postmaster.pid'));
  const [first, , , , , , , status = ''] = content?.split('\n') ?? [];
  const pid = Number(first);
  return { exists: content !== undefined, pid: Math.abs(pid), single: pid < 0, ready: status.trim() === 'ready' };
}

async function createCluster(
  folder: string,
  data: string,
  programs: Programs,
  role: string,
  durable: boolean,
): Promise<void> {
  for (const name of fs.readdirSync(folder)) {
    const killed = name.startsWith(SCRATCH) && !isAlive(Number.parseInt(name.slice(SCRATCH.length), 10));
    if (killed) fs.rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
  const scratch = fs.mkdtempSync(path.join(folder, `${SCRATCH}${process.pid}-`));
  try {
    programs.give(scratch);
    await programs.run(programs.initdb, [
      ...['-D', path.join(scratch, 'data'), `--username=${role}`, '--auth-host=scram-sha-256', '--auth-local=trust'],
      // The builtin provider sorts and folds case alike on every system.
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...['--no-instructions', ...(durable ? [] : ['--no-sync'])],
    ]);
    // The rename is atomic, and fails when another process was faster.
    fs.renameSync(path.join(scratch, 'data'), data);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

async function start(
  folder: string,
  data: string,
  programs: Programs,
  settings: Record<string, string>,
  address: URL,
  variable?: string,
): Promise<LocalPostgres> {
  const version = Number(read(path.join(data, 'PG_VERSION')));
  if (version !== programs.version)
    throw new Error(
      `${data} holds ${version ? `the data of Postgres ${version}` : 'no data of Postgres'}, and npm brings Postgres ` +
        `${programs.version}: move it away, or ${variable ? `name another folder with ${variable}` : 'use another folder'}.`,
    );
  // Single-user mode needs no port, and does not fail when the database exists.
  const { username: role, password } = address;
  const statements = `alter role "${role}" password '${password}'\ncreate database "${role}"\n`;
  await programs.run(programs.postgres, ['--single', '-D', data, 'postgres'], statements);

  const logFile = path.join(folder, 'postgres.log');
  cutLog(logFile);
  const log = fs.openSync(logFile, 'a', 0o600);
  giveToOwner(logFile);
  const { size } = fs.fstatSync(log);
  const all = { ...DEFAULTS, port: address.port, ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [shell = '', ...rest] = withLifeline('INT', programs.postgres, ['-D', data, ...args]);
  const child = programs.spawn(shell, rest, { detached: true, stdio: ['pipe', log, log] });
  fs.closeSync(log);
  // A caller that never calls stop() can still exit.
  child.unref();
  (child.stdin as Socket).unref();
  const cutting = setInterval(cutLog, LOG_INTERVAL_MS, logFile).unref();

  const urlFile = path.join(folder, 'url');
  const ended = once(child, 'exit').then(() => clearInterval(cutting));
  const stop = async () => {
    const { pid } = readPidFile(data);
    const impatience = setTimeout(() => isAlive(pid) && process.kill(pid, 'SIGKILL'), STOP_LIMIT_MS);
    await cutLifeline(child);
    clearTimeout(impatience);
    await ended;
    fs.rmSync(urlFile, { force: true });
  };
  const deadline = Date.now() + PATIENCE_MS;
  while (!readPidFile(data).ready) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(
        `Postgres did not start: ${lastWords(fs.readFileSync(logFile).subarray(size).toString())}; see ${logFile}`,
      );
    if (Date.now() > deadline) {
      await stop();
      throw new Error(`Postgres does not come up, see ${logFile}`);
    }
    await delay(20);
  }
  address.port = all.port;
  // The file is renamed into place, so that readers never see half of it. It holds the password, so only the owner may read it.
  fs.writeFileSync(`${urlFile}.new`, `${address.href}\n`, { mode: 0o600 });
  giveToOwner(`${urlFile}.new`);
  fs.renameSync(`${urlFile}.new`, urlFile);
  return { url: address.href, ended, stop };
}

/** Keeps the end of a large log. Postgres goes on writing, as it appends. */
function cutLog(file: string): void {
  const { size = 0 } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
  if (size <= LARGEST_LOG) return;
  const end = Buffer.alloc(LARGEST_LOG / 2);
  const log = fs.openSync(file, 'r');
  fs.readSync(log, end, 0, end.length, size - end.length);
  fs.closeSync(log);
  fs.truncateSync(file);
  fs.appendFileSync(file, end.subarray(end.indexOf('\n') + 1));
}

/** The address of a crashed Postgres, kept so that its clients reconnect; otherwise a new one. */
function addressIn(folder: string, role: string): URL {
  const file = path.join(folder, 'url');
  const content = read(file)?.trim();
  const { password = '', port = '' } = URL.parse(content ?? '') ?? {};
  if (/^[\w-]{32}$/.test(password) && Number(port) > 0) return newAddress(role, password, port);
  if (content !== undefined) console.warn(`${file} holds no address: replacing it.`);
  return newAddress(role);
}

/** The port is below the ephemeral range: an outgoing connection could take it while Postgres restarts. */
function newAddress(
  role: string,
  password = randomBytes(24).toString('base64url'),
  port: number | string = randomInt(10_000, 32_768),
) {
  return new URL(`postgres://${role}:${password}@127.0.0.1:${port}/${role}`);
}

/** Gives a file to the owner of its folder, if this process runs as root. */
function giveToOwner(file: string): void {
  const { uid, gid } = fs.statSync(path.dirname(file));
  if (process.getuid?.() === 0) fs.lchownSync(file, uid, gid);
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
