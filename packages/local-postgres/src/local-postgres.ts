import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cutLifeline, spawnWithLifeline } from './lifeline.ts';
import { isAlive, worksIn } from './processes.ts';
import { findPrograms, lastWords, type Programs } from './programs.ts';

const PATIENCE_MS = 30_000;
/** The longest wait for the port of a crashed Postgres, before another is used. */
const PORT_LIMIT_MS = 2_000;
/** The longest wait for an owner that was killed to disappear: it stays visible until its parent reaps it. */
const OWNER_LIMIT_MS = 1_000;
const SCRATCH = 'postgres-new-';
/** The most bytes of the log. A start deletes a larger one. */
const LARGEST_LOG = 1_000_000;

const DEFAULTS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // The log omits statements and the details of errors, because they contain data of users. Clients get them.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  // Postgres ignores it, but keeps its command line in a file, where a second start finds the owner.
  'local.owner': String(process.pid),
};

export interface LocalPostgres {
  /** `postgres://<name>:<password>@127.0.0.1:<port>/<name>`; the role is a superuser. */
  url: string;
  /** Resolves when Postgres has exited, by `stop()` or otherwise. */
  ended: Promise<void>;
  /** Shuts Postgres down (fast shutdown), and kills it after 20 seconds. */
  stop(): Promise<void>;
}

/** A folder, and the name of its role and its database. */
interface Place {
  folder: string;
  data: string;
  name: string;
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
  folder: string,
  settings: Record<string, string> = {},
  name = 'service',
): Promise<LocalPostgres> {
  const place = { folder: path.resolve(folder), data: path.resolve(folder, 'postgres'), name };
  const programs = await findPrograms(place.folder, place.data);
  for (const begin = Date.now(); ; await delay(100)) {
    const waited = Date.now() - begin;
    try {
      takeOver(place, waited);
      if (!fs.existsSync(place.data)) await createCluster(place, programs, settings.fsync !== 'off');
      return await start(place, programs, settings, addressFor(place, waited < PORT_LIMIT_MS));
    } catch (error) {
      // Another process may have taken the port or the folder.
      const isPassing =
        error instanceof Predecessor ||
        /already exists|ENOTEMPTY|still in use|could not create any TCP\/IP/.test((error as Error).message);
      if (!isPassing || waited > PATIENCE_MS) throw error;
    }
  }
}

/** Another Postgres in the folder, which will end. */
class Predecessor extends Error {}

/**
 * Stops a Postgres whose owner is gone, and deletes a process id that is of no Postgres.
 *
 * @param waited - the milliseconds since the first call
 * @throws Predecessor while there is another Postgres
 * @throws Error when its owner runs
 */
function takeOver({ folder, data }: Place, waited: number): void {
  const content = read(pidFile(data));
  const { pid, status } = parsePidFile(content);
  // Postgres itself deletes the file of a dead process.
  if (content === undefined || (pid > 0 && !isAlive(pid))) return;
  if (worksIn(pid, data)) {
    const owner = Number(/"local\.owner=(\d+)"/.exec(read(path.join(data, 'postmaster.opts')) ?? '')?.[1]);
    if (status === 'ready' && isAlive(owner) && waited > OWNER_LIMIT_MS)
      throw new Error(`Process ${owner} runs the Postgres in ${folder}: end it, or use the address in ${folder}/url.`);
    if (status === 'ready' && !isAlive(owner)) process.kill(pid, 'SIGINT');
    throw new Predecessor(`The Postgres in ${folder}, process ${pid}, does not end.`);
  }
  // The process id was reused, or the file is empty, as after a power failure: Postgres would refuse to start. The second look
  // decides, because the file is also empty while it is being written.
  if (waited < 50) throw new Predecessor(`${pidFile(data)} names no Postgres of this folder.`);
  fs.rmSync(pidFile(data), { force: true });
}

const pidFile = (data: string) => path.join(data, 'postmaster.pid');

/** The process id of Postgres, and its status, which is empty in single-user mode. */
function parsePidFile(content = ''): { pid: number; status: string } {
  const [first, , , , , , , status = ''] = content.split('\n');
  return { pid: Math.abs(Number(first)), status: status.trim() };
}

async function createCluster({ folder, data, name }: Place, programs: Programs, isDurable: boolean): Promise<void> {
  for (const each of fs.readdirSync(folder)) {
    const isLeft = each.startsWith(SCRATCH) && !isAlive(Number.parseInt(each.slice(SCRATCH.length), 10));
    if (isLeft) fs.rmSync(path.join(folder, each), { recursive: true, force: true, maxRetries: 3 });
  }
  const scratch = fs.mkdtempSync(path.join(folder, `${SCRATCH}${process.pid}-`));
  try {
    programs.give(scratch);
    await programs.run(programs.initdb, [
      ...['-D', path.join(scratch, 'data'), `--username=${name}`, '--auth-host=scram-sha-256', '--auth-local=trust'],
      // The builtin provider sorts and folds case alike on every system.
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...['--no-instructions', ...(isDurable ? [] : ['--no-sync'])],
    ]);
    // The rename is atomic, and fails when another process was faster.
    fs.renameSync(path.join(scratch, 'data'), data);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

async function start(
  { folder, data, name }: Place,
  programs: Programs,
  settings: Record<string, string>,
  { href, password, port }: URL,
): Promise<LocalPostgres> {
  const version = Number(read(path.join(data, 'PG_VERSION')));
  if (version !== programs.version) {
    const content = version ? `the data of Postgres ${version}` : 'no data of Postgres';
    throw new Error(`${data} holds ${content}, and npm brings Postgres ${programs.version}: move it away.`);
  }
  // Single-user mode needs no port, and does not fail when the database exists.
  const statements = `alter role "${name}" password '${password}'\ncreate database "${name}"\n`;
  await programs.run(programs.postgres, ['--single', '-D', data, 'postgres'], statements);

  const logFile = path.join(folder, 'postgres.log');
  const isLarge = (fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG;
  if (isLarge) fs.rmSync(logFile);
  const log = fs.openSync(logFile, 'a', 0o600);
  const { size } = fs.fstatSync(log);
  const args = Object.entries({ ...DEFAULTS, port, ...settings }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const command = [...programs.prefix, programs.postgres, '-D', data, ...args];
  const child = spawnWithLifeline('INT', command, log, programs.options);
  fs.closeSync(log);
  // A caller that never calls stop() can still exit.
  child.unref();
  (child.stdin as Socket).unref();
  const ended = once(child, 'exit').then(() => {});
  while (parsePidFile(read(pidFile(data))).status !== 'ready') {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(
        `Postgres did not start: ${lastWords(fs.readFileSync(logFile).subarray(size).toString())}; see ${logFile}`,
      );
    await delay(20);
  }

  const urlFile = path.join(folder, 'url');
  // The file is renamed into place, so that readers never see half of it. It holds the password, so only the owner may read it.
  fs.writeFileSync(`${urlFile}.new`, `${href}\n`, { mode: 0o600 });
  fs.renameSync(`${urlFile}.new`, urlFile);
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
function addressFor({ folder, name }: Place, mayBeKept: boolean): URL {
  const kept = /:([\w-]{32})@127\.0\.0\.1:([1-3]\d{4})\//.exec(read(path.join(folder, 'url')) ?? '');
  const [, password = randomBytes(24).toString('base64url'), port = randomInt(10_000, 32_768)] =
    (mayBeKept && kept) || [];
  return new URL(`postgres://${name}:${password}@127.0.0.1:${port}/${name}`);
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
