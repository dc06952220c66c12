/** Reads a git repository, without the network. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** @param problem - begins the message of a failure */
export const rootOf = (folder: string, problem?: string) =>
  git(folder, ['rev-parse', '--show-toplevel'], problem).trim();

export function commitOf(root: string, ref: string): string | undefined {
  // git would take a ref that begins with a hyphen for an option.
  if (ref === '' || ref.startsWith('-')) return undefined;
  const { status, stdout } = run(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  return status === 0 ? stdout.trim() : undefined;
}

export function mergeBase(root: string, ref: string, head: string): string {
  const problem = `no merge base of ${head} and ${ref} (a shallow clone may lack it)`;
  return git(root, ['merge-base', head, `${ref}^{commit}`], problem).trim();
}

export type Tree = ReturnType<typeof readTree>;

/**
 * A commit of a repository.
 *
 * @param folder - for its files, which are written on demand
 */
export function readTree(root: string, commit: string, folder: string) {
  mkdirSync(folder, { recursive: true });
  const listed = git(root, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
  const files: ReadonlySet<string> = new Set(listed.split('\0'));
  // The repository's own index does not change.
  const variables = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: path.join(folder, '.index') };
  return {
    commit,
    folder,
    files,
    /** Writes files and those beside them, because a contract in many files has most of them in few folders. */
    load(...wanted: string[]): void {
      const names = wanted
        .map((file) => path.relative(folder, path.resolve(folder, file)).replaceAll('\\', '/'))
        .filter((name) => files.has(name) && !existsSync(path.join(folder, name)));
      if (names.length === 0) return;
      const folders = new Set(names.map((name) => path.posix.dirname(name).replaceAll(/[*?[\]\\]/g, '\\$&')));
      const beside = [...folders].map((each) => `:(top,glob)${path.posix.join(each, '*')}`);
      const command = ['restore', `--source=${commit}`, '--', ...beside];
      git(root, command, `cannot read ${names.join(', ')} at ${commit}`, variables);
    },
  };
}

function git(cwd: string, args: string[], problem = `git ${args[0]}`, variables = {}): string {
  const { status, stdout, stderr, error } = run(cwd, args, variables);
  if (status === 0) return stdout;
  throw new Error(`${problem}: ${error?.message ?? stderr.trim().split('\n')[0]}`);
}

const run = (cwd: string, args: string[], variables = {}) =>
  spawnSync('git', args, {
    cwd,
    encoding: 'utf8',
    // Git hooks set these variables to the repository of the hook, which may be another one.
    env: { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined, ...variables },
    maxBuffer: Number.POSITIVE_INFINITY,
  });
