import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lchownSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { text } from 'node:stream/consumers';

interface User {
  uid: number;
  gid: number;
}

/** Whom to run Postgres as. It refuses root, so root has the owner of the folder run it, or `nobody` if that is root. */
export function postgresUser(folder: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : { uid, gid };
}

function idOfNobody(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
}

/** What root makes for itself in somebody's folder, the owner of the folder must be able to read. */
export function giveToOwner(folder: string, file: string): void {
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() === 0) lchownSync(file, uid, gid);
}

/** Spawns a program of Postgres that works on `folder`, as the user whom it accepts. */
export function spawnForPostgres(folder: string, program: string, args: string[], options: SpawnOptions): ChildProcess {
  const user = postgresUser(folder);
  // In English, because we read the messages; and on macOS a locale looked up by the system starts threads, with which
  // Postgres refuses to run.
  const settings: SpawnOptions = { ...options, windowsHide: true, env: { ...process.env, LC_ALL: 'C' } };
  if (user === undefined) return spawn(program, args, settings);
  if (canReach(program, user) && canReach(folder, user)) return spawn(program, args, { ...settings, ...user });
  const pass = passFor(user);
  if (spawnSync('setpriv', [...pass, program, '--version']).status !== 0) {
    const reason = `Postgres refuses root, and setpriv cannot get another user into ${folder}`;
    throw new Error(`${reason}: run this as an ordinary user, or set DATABASE_URL.`);
  }
  return spawn('setpriv', [...pass, program, ...args], settings);
}

/** Runs a program of Postgres to its end; if that is a failure, the error says why in one line. */
export async function runForPostgres(
  folder: string,
  program: string,
  args: string[],
  options?: SpawnOptions,
): Promise<void> {
  const child = spawnForPostgres(folder, program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const [[code], output] = await Promise.all([once(child, 'close'), child.stderr ? text(child.stderr) : '']);
  if (code !== 0) throw new Error(`${basename(program, '.exe')} failed: ${lastWords(output)}`);
}

/**
 * The line in which Postgres or one of its programs says why it gives up, without its time stamp. What a connection of
 * an earlier Postgres says as it is terminated is no reason.
 */
export function lastWords(output: string): string {
  const lines = output.trim().split('\n');
  const line = lines.findLast((each) => /\b(FATAL|PANIC|error):(?! +terminating)/.test(each)) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?\b(FATAL|PANIC|error): */, '') || 'it left no message';
}

/** Whether permissions let the user through all folders on the way, and into or execute what is at its end. */
function canReach(path: string, user: User): boolean {
  const { mode, uid, gid } = statSync(path);
  const right = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return (mode & right) !== 0 && (path === dirname(path) || canReach(dirname(path), user));
}

/**
 * The arguments of setpriv that make a process the user's and leave it one power of root, to pass folders that only
 * root may enter, such as those in its home. Without no_setuid_fixup, access(2) would ignore that power, and Postgres
 * asks it before it uses its own files.
 */
function passFor({ uid, gid }: User): string[] {
  const identity = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  return [...identity, '--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
}
