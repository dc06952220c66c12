/** The repository that the contract is in, asked without a network. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export class Repository {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** @param folder - any folder of the repository */
  static async at(folder: string): Promise<Repository> {
    return new Repository((await git(folder, ['rev-parse', '--show-toplevel'])).trim());
  }

  /** The commit from which the work tree's branch went its own way. */
  async mergeBase(ref: string): Promise<string> {
    const commit = await git(this.root, ['merge-base', 'HEAD', `${ref}^{commit}`]).catch((error: Error) => {
      throw new Error(`no commit that HEAD and \`${ref}\` share (a shallow clone lacks it): ${error.message}`);
    });
    return commit.trim();
  }

  /** Writes what a folder held at a commit below `target`, an empty folder, and leaves the repository's index alone. */
  async export(commit: string, folder: string, target: string): Promise<void> {
    const index = { GIT_INDEX_FILE: path.join(target, '.index') };
    const tree = ['read-tree', `--prefix=${folder}/`, `${commit}:${folder}`];
    await git(this.root, tree, index).catch((error: Error) => {
      throw new Error(`there is no ${folder} at ${commit}: ${error.message}`);
    });
    await git(this.root, ['checkout-index', '--all', `--prefix=${target}/`], index);
  }

  /** Files below `folder` that are in the work tree, committed or not, and were not there at `commit`. */
  async addedSince(commit: string, folder: string): Promise<{ file: string; text: string }[]> {
    const added = ['--name-only', '--no-renames', '--diff-filter=A', '-z'];
    const tracked = await this.#list(['diff', ...added, commit, '--', folder]);
    const untracked = await this.#list(['ls-files', '--others', '--exclude-standard', '-z', '--', folder]);
    const files = [...new Set([...tracked, ...untracked])].sort();
    return Promise.all(files.map(async (file) => ({ file, text: await readFile(path.join(this.root, file), 'utf8') })));
  }

  async #list(args: string[]): Promise<string[]> {
    return (await git(this.root, args)).split('\0').filter(Boolean);
  }
}

async function git(cwd: string, args: string[], variables = {}): Promise<string> {
  try {
    // Inside a hook, these point to the repository that the hook runs for.
    const env = {
      ...process.env,
      GIT_DIR: undefined,
      GIT_WORK_TREE: undefined,
      GIT_INDEX_FILE: undefined,
      ...variables,
    };
    return (await run('git', args, { cwd, env, maxBuffer: Number.POSITIVE_INFINITY })).stdout;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`git ${args[0]}: ${stderr?.trim().split('\n')[0] || message}`);
  }
}
