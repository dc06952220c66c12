/** Reads the git repository of the contract, without the network. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

export const rootOf = async (folder: string) => (await git(folder, ['rev-parse', '--show-toplevel'])).trim();

/**
 * Writes a file and all of its folder to the empty folder `target`, as at the merge base of HEAD and `ref`, and another file if
 * it was there. Leaves the repository's index unchanged.
 *
 * @returns the paths of the changesets at the merge base
 */
export async function exportBase(
  root: string,
  ref: string,
  file: string,
  other: string,
  target: string,
): Promise<string[]> {
  const problem = `no merge base of HEAD and \`${ref}\` (a shallow clone may lack it)`;
  const commit = (await git(root, ['merge-base', 'HEAD', `${ref}^{commit}`], problem)).trim();
  const place = { GIT_WORK_TREE: target, GIT_INDEX_FILE: path.join(target, '.index') };
  const listed = (await git(root, ['ls-tree', '-r', '-z', '--name-only', commit, '.changeset/', other])).split('\0');
  const files = ['--', file, path.dirname(file), ...listed.filter((name) => name === other)];
  await git(root, ['restore', `--source=${commit}`, ...files], `there is no ${file} at ${commit}`, place);
  return listed;
}

/** Whether a file is there at the merge base of HEAD and `ref`. True without a merge base, which {@link exportBase} reports. */
export async function has(root: string, ref: string, file: string): Promise<boolean> {
  const base = await git(root, ['merge-base', 'HEAD', `${ref}^{commit}`]).catch(() => undefined);
  return base === undefined || (await git(root, ['ls-tree', base.trim(), file])) !== '';
}

/** @param problem - begins the message of a failure */
async function git(cwd: string, args: string[], problem = `git ${args[0]}`, variables = {}): Promise<string> {
  // Git hooks set these to the repository of the hook.
  const env = { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined, ...variables };
  try {
    return (await promisify(execFile)('git', args, { cwd, env, maxBuffer: Number.POSITIVE_INFINITY })).stdout;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`${problem}: ${stderr?.trim().split('\n')[0] || message}`);
  }
}
