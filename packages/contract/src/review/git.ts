/** Reads the git repository of the contract, without the network. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** The top folder of the repository that contains `folder`. */
export const rootOf = async (folder: string) => (await git(folder, ['rev-parse', '--show-toplevel'])).trim();

/** The merge base of HEAD and `ref`. */
export async function mergeBase(root: string, ref: string): Promise<string> {
  const commit = await git(root, ['merge-base', 'HEAD', `${ref}^{commit}`]).catch((error: Error) => {
    throw new Error(`no merge base of HEAD and \`${ref}\` (a shallow clone may lack it): ${error.message}`);
  });
  return commit.trim();
}

/** Writes a file and all of its folder, as at a commit, to the empty folder `target`. Leaves the repository's index unchanged. */
export async function exportFolder(root: string, commit: string, file: string, target: string): Promise<void> {
  const place = { GIT_WORK_TREE: target, GIT_INDEX_FILE: path.join(target, '.index') };
  await git(root, ['restore', `--source=${commit}`, '--', file, path.dirname(file)], place).catch((error: Error) => {
    throw new Error(`there is no ${file} at ${commit}: ${error.message}`);
  });
}

/** The paths of the files in a folder at a commit. */
export async function filesAt(root: string, commit: string, folder: string): Promise<string[]> {
  return (await git(root, ['ls-tree', '-r', '-z', '--name-only', commit, `${folder}/`])).split('\0');
}

async function git(cwd: string, args: string[], variables = {}): Promise<string> {
  // Git hooks set these to the repository of the hook.
  const env = { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined, ...variables };
  try {
    return (await promisify(execFile)('git', args, { cwd, env, maxBuffer: Number.POSITIVE_INFINITY })).stdout;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`git ${args[0]}: ${stderr?.trim().split('\n')[0] || message}`);
  }
}
