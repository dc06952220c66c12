import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cutLifeline, ownerIn, withLifeline } from './lifeline.ts';
import { isAlive, parentOf, worksIn } from './processes.ts';
import { findPrograms, lastWords, type Programs } from './programs.ts';

const PATIENCE_MS = 30_000;
const STOP_LIMIT_MS = 20_000;
/** How long the port of a Postgres that has crashed is waited for, before another is taken. */
const PORT_LIMIT_MS = 2_000;
const SCRATCH = 'postgres-new-';

export interface LocalPostgres {
  /** `postgres://petstore:<password>@127.0.0.1:<port>/petstore`; the role is a superuser of its own Postgres. */
  url: string;
  /** Resolves when Postgres has ended: by `stop()` or by itself. */
  ended: Promise<void>;
  /** Ends Postgres in good order. End your own connections first. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres on the data in `<folder>/postgres`, which are created on first use, and writes its address to
 * `<folder>/url`. A folder has one owner: the process that called this. When that ends, however it does, so does Postgres.
 *
 * @param settings - of Postgres, such as `{ fsync: 'off' }`. Default for `port`: a free one
 * @throws Error of one line when the folder is in use, or Postgres does not run here or does not come up in 30 seconds
 */
export async function startLocalPostgres(
  folder: string,
  settings: Record<string, string> = {},
): Promise<LocalPostgres> {
  fs.mkdirSync(folder, { recursive: true });
  const place = fs.realpathSync(folder);
  const data = path.join(place, 'postgres');
  const programs = await findPrograms(place, data);
  const begin = Date.now();
  for (;;) {
    await waitForPredecessor(place, data);
    try {
      if (!fs.existsSync(data)) await createCluster(place, data, programs, settings.fsync !== 'off');
      const address = Date.now() - begin < PORT_LIMIT_MS ? addressIn(place) : newAddress();
      return await start(place, data, programs, settings, address);
    } catch (error) {
      // Something else took the port, or another process the folder.
      const passing = /already exists|ENOTEMPTY|still in use|could not create any TCP\/IP/.test(
        (error as Error).message,
      );
      if (!passing || Date.now() - begin > PATIENCE_MS) throw error;
      await delay(100);
    }
  }
}

/** Waits for a Postgres that is ending, and ends one that has lost its owner. */
async function waitForPredecessor(folder: string, data: string): Promise<void> {
  const begin = Date.now();
  for (let stale = false; ; await delay(100)) {
    const { exists, pid, single } = readPidFile(data);
    if (!worksIn(pid, data)) {
      // Postgres deletes the file of a dead process, and would not start beside one that is empty, or whose process id another
      // process has got since. Looked at twice, as one that is just being written is empty, too.
      if (!exists || (pid > 0 && !isAlive(pid))) return;
      if (stale) {
        console.warn(`${data}/postmaster.pid names no Postgres of this folder: it is deleted.`);
        return fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
      }
      stale = true;
      continue;
    }
    const owner = ownerIn(parentOf(pid));
    // A killed process may be there for a moment, until its parent has noticed.
    if (owner !== undefined && isAlive(owner) && Date.now() - begin > 1_000)
      throw new Error(`Process ${owner} runs the Postgres in ${folder}: end it, or use the address in ${folder}/url.`);
    if (owner === undefined && !single) process.kill(pid, 'SIGINT');
    if (Date.now() - begin > PATIENCE_MS) throw new Error(`The Postgres in ${folder}, process ${pid}, does not end.`);
  }
}

/** `single`: the process is preparing the data for a start, and ends by itself. */
function readPidFile(data: string): { exists: boolean; pid: number; single: boolean; ready: boolean } {
  const content = read(path.join(data, 'postmaster.pid'));
  const [first, , , , , , , status = ''] = content?.split('\n') ?? [];
  const pid = Number(first);
  return { exists: content !== undefined, pid: Math.abs(pid), single: pid < 0, ready: status.trim() === 'ready' };
}

async function createCluster(folder: string, data: string, programs: Programs, durable: boolean): Promise<void> {
  for (const name of fs.readdirSync(folder)) {
    const killed = name.startsWith(SCRATCH) && !isAlive(Number.parseInt(name.slice(SCRATCH.length), 10));
    if (killed) fs.rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
  const scratch = fs.mkdtempSync(path.join(folder, `${SCRATCH}${process.pid}-`));
  try {
    programs.give(scratch);
    await programs.run(programs.initdb, [
      ...['-D', path.join(scratch, 'data'), '--username=petstore', '--auth-host=scram-sha-256', '--auth-local=trust'],
      // The builtin provider sorts and folds case alike on every system, whatever locales that one has.
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...['--no-instructions', ...(durable ? [] : ['--no-sync'])],
    ]);
    // Either complete or not there. Fails where another process was faster.
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
): Promise<LocalPostgres> {
  const version = Number(read(path.join(data, 'PG_VERSION')));
  if (version !== programs.version)
    throw new Error(
      `${data} holds ${version ? `the data of Postgres ${version}` : 'no data of Postgres'}, and npm brings Postgres ` +
        `${programs.version}: move it away, or name another folder with PETSTORE_DATA_DIR.`,
    );
  // As a single user, without a port. That the database exists already is no failure.
  const statements = `alter role petstore password '${address.password}'\ncreate database petstore\n`;
  await programs.run(programs.postgres, ['--single', '-D', data, 'postgres'], statements);

  const logFile = path.join(folder, 'postgres.log');
  const log = fs.openSync(logFile, 'a', 0o600);
  giveToOwner(logFile);
  const { size } = fs.fstatSync(log);
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: address.port, ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [shell = '', ...rest] = withLifeline('INT', programs.postgres, ['-D', data, ...args]);
  const child = programs.spawn(shell, rest, { detached: true, stdio: ['pipe', log, log] });
  fs.closeSync(log);
  // A process that forgets to stop Postgres ends all the same, and its Postgres with it.
  child.unref();
  (child.stdin as Socket).unref();

  const urlFile = path.join(folder, 'url');
  const ended = once(child, 'exit').then(() => {});
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
      throw new Error(`Postgres did not start: ${lastWords(fs.readFileSync(logFile).subarray(size).toString())}`);
    if (Date.now() > deadline) {
      await stop();
      throw new Error(`Postgres does not come up, see ${logFile}`);
    }
    await delay(20);
  }
  address.port = all.port;
  // In one step, and for the owner of the folder only.
  fs.writeFileSync(`${urlFile}.new`, `${address.href}\n`, { mode: 0o600 });
  giveToOwner(`${urlFile}.new`);
  fs.renameSync(`${urlFile}.new`, urlFile);
  return { url: address.href, ended, stop };
}

/** Where a Postgres that has crashed was reached, so that its clients find it again. */
function addressIn(folder: string): URL {
  const file = path.join(folder, 'url');
  const content = read(file)?.trim();
  const { password = '', port = '' } = URL.parse(content ?? '') ?? {};
  if (/^[\w-]{32}$/.test(password) && port !== '') return newAddress(password, port);
  if (content !== undefined) console.warn(`${file} holds no address: it is replaced.`);
  return newAddress();
}

/** Its port is below those that systems give to outgoing connections, which could take it from a Postgres that restarts. */
function newAddress(
  password = randomBytes(24).toString('base64url'),
  port: number | string = randomInt(10_000, 32_768),
) {
  return new URL(`postgres://petstore:${password}@127.0.0.1:${port}/petstore`);
}

/** Gives what root makes in somebody's folder to the owner of the folder. */
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
