import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

export const ROOT = path.join(import.meta.dirname, '..');

/** Makes a value of `NODE_OPTIONS` that imports a script first. */
export const importing = (script: string) => `--import=data:text/javascript,${encodeURIComponent(script)}`;

/** Lets an install succeed without effect: the packages of a copy are those installed here. */
export const NO_INSTALL = importing(`if (/npx.* install/.test(process.argv.slice(1).join(' '))) process.exit(0);`);

/** Starts a program in a process group of its own. */
export function launch(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const options = { cwd, env: { ...process.env, ...env }, detached: true };
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
  return { child, text: () => text, ended: () => child.exitCode ?? child.signalCode };
}

/** A service of this repository, which serves a contract, and whose SDK is released. */
export interface ServiceOfRepository {
  name: string;
  package: string;
  folder: string;
  contract: string;
  client: { package: string; folder: string };
  /** The environment variable of its data folder. */
  variable: string;
  default?: boolean;
}

/** The service that `npm start` starts without a name; without one, the first. */
export const SERVICE = defaultService();

function defaultService(): ServiceOfRepository {
  const args = [path.join(ROOT, 'scripts/services.mjs')];
  const all: ServiceOfRepository[] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  const chosen = all.find((each) => each.default) ?? all[0];
  if (!chosen) throw new Error('This repository has no service');
  return chosen;
}

/**
 * Copies the working tree to a temporary repository with one commit, for all tests of a file.
 *
 * @param packages - whether the copy uses the packages that are installed here
 */
export function copyRepository({ packages = true } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'platform-copy-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  const existing = files.filter((file) => existsSync(path.join(ROOT, file)));
  for (const file of existing) cpSync(path.join(ROOT, file), path.join(folder, file), { force: true });
  if (packages) linkPackages(folder);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'A newcomer');
  git('config', 'user.email', 'newcomer@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Copy');
  /** The ids of all processes with the copy in their command line or environment. */
  const processes = () =>
    execFileSync('ps', ['axeww', '-o', 'pid,args'], { encoding: 'utf8', maxBuffer: 2 ** 28 })
      .split('\n')
      .filter((line) => line.includes(folder))
      .map((line) => Number.parseInt(line, 10));
  return { folder, git, processes };
}

function linkPackages(folder: string): void {
  // The packages' node_modules hold relative links, which must be copied, not followed.
  for (const modules of globSync('{{apps,packages}/*,examples/realworld,test}/node_modules', { cwd: ROOT }))
    cpSync(path.join(ROOT, modules), path.join(folder, modules), { recursive: true, verbatimSymlinks: true });
  mkdirSync(path.join(folder, 'node_modules'));
  const packages = readdirSync(path.join(ROOT, 'node_modules')).filter((name) =>
    /^(\w|@|\.(bin|pnpm|modules\.yaml)$)/.test(name),
  );
  for (const name of packages)
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name));
}
