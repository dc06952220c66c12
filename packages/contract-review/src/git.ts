/** Reads a git repository, without the network. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** @param problem - begins the message of a failure */
export const rootOf = async (folder: string, problem?: string) =>
  (await git(folder, ['rev-parse', '--show-toplevel'], problem)).trim();

/** The commit of a ref. Undefined if there is none. */
export async function commitOf(root: string, ref: string): Promise<string | undefined> {
  // git would take a ref that begins with a hyphen for an option.
  if (ref === '' || ref.startsWith('-')) return undefined;
  return (
    (await git(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]).catch(() => ''))?.trim() || undefined
  );
}

export async function mergeBase(root: string, ref: string, head: string): Promise<string> {
  const problem = `no merge base of ${head} and ${ref} (a shallow clone may lack it)`;
  return (await git(root, ['merge-base', head, `${ref}^{commit}`], problem)).trim();
}

export type Tree = Awaited<ReturnType<typeof readTree>>;

/**
 * A commit of a repository.
 *
 * @param folder - for its files, which are written on demand
 */
export async function readTree(root: string, commit: string, folder: string) {
  mkdirSync(folder, { recursive: true });
  const listed = await git(root, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
  const files: ReadonlySet<string> = new Set(listed.split('\0'));
  return {
    commit,
    folder,
    files,
    /** Writes all documents below a folder, without changing the repository's index. */
    async write(below: string): Promise<void> {
      const isBelow = (file: string) => below === '.' || file.startsWith(`${below}/`);
      const documents = [...files].filter((file) => isBelow(file) && /\.(ya?ml|json)$/i.test(file));
      if (documents.length === 0) return;
      const place = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: path.join(folder, '.index') };
      const command = ['restore', `--source=${commit}`, '--pathspec-from-file=-', '--pathspec-file-nul'];
      const paths = documents.map((file) => `:(top,literal)${file}`).join('\0');
      await git(root, command, `cannot read ${below} at ${commit}`, place, paths);
    },
    /** Writes a single file, if the commit has it and it was not written yet. */
    load(file: string): void {
      const name = path.relative(folder, file).replaceAll('\\', '/');
      if (!files.has(name) || existsSync(file)) return;
      const text = execFileSync('git', ['show', `${commit}:${name}`], { ...options(root), encoding: 'buffer' });
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
  };
}

const options = (cwd: string, variables = {}) => ({
  cwd,
  // Git hooks set these variables to the repository of the hook, which may be another one.
  env: { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined, ...variables },
  maxBuffer: Number.POSITIVE_INFINITY,
});

/** @param problem - begins the message of a failure */
async function git(
  cwd: string,
  args: string[],
  problem = `git ${args[0]}`,
  variables = {},
  input = '',
): Promise<string> {
  try {
    const run = promisify(execFile)('git', args, options(cwd, variables));
    // A command that reads no input may have ended, and then the write fails.
    run.child.stdin?.on('error', () => {}).end(input);
    return (await run).stdout;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`${problem}: ${stderr?.trim().split('\n')[0] || message}`);
  }
}
