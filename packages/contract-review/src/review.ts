/** The review of a change of a contract: reads both versions, by git or as files. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'safe-stable-stringify';
import { commitOf, mergeBase, readTree, rootOf, type Tree } from './git.ts';
import { type Report, type Request, reportOn, type Workspace } from './report.ts';
import { Version } from './version.ts';
import { besides } from './words.ts';

const isFile = (cwd: string, name: string) =>
  // A folder may have the name of a branch.
  statSync(path.resolve(cwd, name), { throwIfNoEntry: false })?.isFile() === true;

/** @returns undefined for a new contract, which breaks nobody */
export async function review(request: Request, workspace: Workspace = {}): Promise<Report | undefined> {
  for (const name of [request.base, request.head])
    if (name && /^https?:/.test(name))
      throw new Error(`${name} is a URL, and no host is read: give a file or a git ref`);
  if (request.usage && !isFile(request.cwd, request.usage)) throw new Error(`--usage: there is no ${request.usage}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'contract-review-'));
  try {
    return await (isFile(request.cwd, request.base) ? reviewFiles(request) : reviewCommit(request, workspace, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reviews two files of any contract. No policy applies unless it is given. */
async function reviewFiles(request: Request) {
  const { cwd, base, head } = request;
  const after = path.resolve(cwd, head ?? request.contract ?? documentIn(await rootOf(cwd)));
  if (!existsSync(after))
    throw new Error(`there is no file ${path.relative(cwd, after)}; --base names a file, so --head must name one, too`);
  checkFiles(request, (name) => isFile(cwd, name));
  const files = [path.resolve(cwd, base), after] as const;
  const within = commonFolder(...files);
  const read = (file: string) => new Version(file, { within, from: cwd });
  const released = request.released ? read(path.resolve(cwd, request.released)) : undefined;
  return reportOn(request, { base: read(files[0]), head: read(after), released }, request.overrides);
}

/** Refuses a missing file that the request names. The files at the default paths are optional. */
function checkFiles(request: Request, isThere: (name: string) => boolean): void {
  for (const option of ['released', 'overrides'] as const) {
    const name = request[option];
    if (name !== undefined && !isThere(name)) throw new Error(`--${option}: there is no ${name}`);
  }
}

/** The nearest common folder of two files; undefined if that is the root of the file system. */
function commonFolder(one: string, other: string): string | undefined {
  let folder = path.dirname(one);
  while (!other.startsWith(path.join(folder, path.sep))) folder = path.dirname(folder);
  return folder === path.dirname(folder) ? undefined : folder;
}

async function reviewCommit(request: Request, workspace: Workspace, folder: string) {
  const { cwd, head } = request;
  const root = await rootOf(cwd, `${request.base} is no file, and a git ref needs a repository`);
  const headFile = head !== undefined && isFile(cwd, head) ? path.resolve(cwd, head) : undefined;
  const usual = () => request.contract ?? (headFile ? path.relative(root, headFile) : documentIn(root));
  const [headCommit, headPath] = head && !headFile ? await refOf(root, head, usual) : ['HEAD', usual()];
  const [ref, basePath] = await refOf(root, request.base, usual);
  const commit = await mergeBase(root, ref, headCommit);
  const before = await readTree(root, commit, path.join(folder, 'base'));
  const after = headCommit === 'HEAD' ? undefined : await readTree(root, headCommit, path.join(folder, 'head'));

  const read = async (tree: Tree | undefined, name: string, isCompleted = true): Promise<Version> => {
    await tree?.write(path.posix.dirname(name));
    for (const file of tree ? (workspace.files ?? []) : []) tree?.load(path.join(tree.folder, file));
    const within = tree?.folder ?? root;
    const file = tree ? path.join(within, name) : (headFile ?? path.join(root, name));
    if (!isFile(within, file))
      throw new Error(`there is no ${name} ${tree ? `at ${tree.commit.slice(0, 12)}` : 'in the work tree'}`);
    const complete = isCompleted ? workspace.complete?.(within) : undefined;
    return new Version(file, { within, from: within, complete, load: tree?.load });
  };
  const isThere = after ? after.files.has(headPath) : isFile(root, headFile ?? headPath);
  if (!before.files.has(basePath) && isThere && basePath === headPath) return undefined;
  const base = await read(before, basePath);
  const versions = { base, head: isThere ? await read(after, headPath) : removed(base, folder) };
  const isIn = (tree: Tree | undefined, name: string) => (tree ? tree.files.has(name) : isFile(root, name));
  checkFiles(request, (name) => isIn(before, name) || isIn(after, name));
  const releasedPath = request.released ?? besides(basePath, 'released');
  const released = before.files.has(releasedPath) ? await read(before, releasedPath, false) : undefined;
  const overrides = request.overrides ?? besides(headPath, 'overrides');
  after?.load(path.join(after.folder, overrides));
  const changesets = [...before.files].filter((file) => file.startsWith('.changeset/'));
  for (const file of after?.files ?? []) if (file.startsWith('.changeset/')) after?.load(path.join(after.folder, file));
  const repository = { root: after?.folder ?? root, changesets, workspace };
  return reportOn(request, { ...versions, released }, overrides, repository);
}

/** The commit and the path that `ref` or `ref:path` names. */
async function refOf(root: string, text: string, usual: () => string): Promise<[commit: string, path: string]> {
  const [ref = '', ...rest] = text.split(':');
  const commit = await commitOf(root, ref);
  if (commit) return [commit, rest.length > 0 ? path.posix.normalize(rest.join(':')) : usual()];
  throw new Error(
    `${text} is neither a file nor a git ref${/\.(ya?ml|json)$/.test(ref) ? ': there is no such file' : ''}`,
  );
}

/** The only document in `openapi/`. */
function documentIn(root: string): string {
  const folder = path.join(root, 'openapi');
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^[^.].*\.(ya?ml|json)$/.test(file)) : [];
  if (files.length === 1) return `openapi/${files[0]}`;
  const found = files.length === 0 ? 'no document' : `several documents (${files.join(', ')})`;
  throw new Error(`openapi/ has ${found}: name the contract by --contract`);
}

/** A contract without operations that stands for a removed one. */
function removed(source: Version, folder: string): Version {
  const { openapi, info } = source.root.value;
  const file = path.join(folder, 'removed', path.basename(source.file));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${stringify({ openapi, info, paths: {} })}`);
  return new Version(file, { from: path.dirname(file) });
}
