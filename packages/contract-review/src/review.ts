/** The review of a change of a contract: reads both versions, by git or as files. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Document, from } from '@petstore-platform/openapi';
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
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-review-'));
  try {
    return await (isFile(request.cwd, request.base) ? reviewFiles(request) : reviewCommit(request, workspace, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reviews two files of any contract. No policy applies unless it is given. */
function reviewFiles(request: Request) {
  const { cwd } = request;
  const files = [request.base, request.head ?? request.contract ?? documentIn(rootOf(cwd))];
  const [before, after] = files.map((file) => path.resolve(cwd, file)) as [string, string];
  if (!existsSync(after))
    throw new Error(`there is no file ${path.relative(cwd, after)}; --base names a file, so --head must name one, too`);
  checkFiles(request, (name) => isFile(cwd, name));
  // The nearest common folder. The root of the file system is none.
  let within = path.dirname(before);
  while (!after.startsWith(path.join(within, path.sep))) within = path.dirname(within);
  const options = { from: cwd, within: within === path.dirname(within) ? undefined : within };
  const released = request.released ? new Version(path.resolve(cwd, request.released), options) : undefined;
  const versions = { base: new Version(before, options), head: new Version(after, options), released };
  return reportOn(request, versions, request.overrides);
}

/** Refuses a missing file that the request names. The files at the default paths are optional. */
function checkFiles(request: Request, isThere: (name: string) => boolean): void {
  for (const option of ['released', 'overrides'] as const) {
    const name = request[option];
    if (name !== undefined && !isThere(name)) throw new Error(`--${option}: there is no ${name}`);
  }
}

async function reviewCommit(request: Request, workspace: Workspace, folder: string) {
  const { cwd, head } = request;
  const root = rootOf(cwd, `${request.base} is no file, and a git ref needs a repository`);
  const headFile = head !== undefined && isFile(cwd, head) ? path.resolve(cwd, head) : undefined;
  const usual = () => request.contract ?? (headFile ? path.relative(root, headFile) : documentIn(root));
  const [headCommit, headPath] = head && !headFile ? refOf(root, head, usual) : ['HEAD', usual()];
  const [ref, basePath] = refOf(root, request.base, usual);
  const before = readTree(root, mergeBase(root, ref, headCommit), path.join(folder, 'base'));
  const after = headCommit === 'HEAD' ? undefined : readTree(root, headCommit, path.join(folder, 'head'));

  const read = (tree: Tree | undefined, name: string, overlay = workspace.overlay): Version => {
    const within = tree?.folder ?? root;
    const file = tree ? path.join(within, name) : (headFile ?? path.join(root, name));
    tree?.load(file, ...(workspace.files ?? []));
    if (!isFile(within, file))
      throw new Error(`there is no ${name} ${tree ? `at ${tree.commit.slice(0, 12)}` : 'in the work tree'}`);
    return new Version(file, { within, from: within, overlay: overlay?.(within), load: tree?.load });
  };
  const isIn = (tree: Tree | undefined, name: string) => (tree ? tree.files.has(name) : isFile(root, name));
  const isThere = isIn(after, after ? headPath : (headFile ?? headPath));
  if (!before.files.has(basePath) && isThere && basePath === headPath) return undefined;
  const base = read(before, basePath);
  // A removed contract is one without operations.
  const versions = { base, head: isThere ? read(after, headPath) : read(before, basePath, () => emptied) };
  checkFiles(request, (name) => isIn(before, name) || isIn(after, name));
  const releasedPath = request.released ?? besides(basePath, 'released');
  const released = before.files.has(releasedPath) ? read(before, releasedPath, () => undefined) : undefined;
  const overrides = request.overrides ?? besides(headPath, 'overrides');
  const isChangeset = (file: string) => file.startsWith('.changeset/');
  after?.load(...[...after.files].filter((file) => file === overrides || isChangeset(file)));
  const repository = { root: after?.folder ?? root, changesets: [...before.files].filter(isChangeset), workspace };
  return reportOn(request, { ...versions, released }, overrides, repository);
}

const emptied = (document: Document) => from(document, { openapi: document.openapi, info: document.info, paths: {} });

function refOf(root: string, text: string, usual: () => string): [commit: string, path: string] {
  const [ref = '', ...rest] = text.split(':');
  const commit = commitOf(root, ref);
  if (commit) return [commit, rest.length > 0 ? path.posix.normalize(rest.join(':')) : usual()];
  const end = /\.(ya?ml|json)$/.test(ref) ? ': there is no such file' : '';
  throw new Error(`${text} is neither a file nor a git ref${end}`);
}

/** The only document in `openapi/`, or else in the root. */
function documentIn(root: string): string {
  const isDocument = (name: string) =>
    /(^|\/)[^./][^/]*\.(ya?ml|json)$/.test(name) &&
    isFile(root, name) &&
    /^[\t {]*["']?openapi["']?[\t ]*:/m.test(readFileSync(path.join(root, name), 'utf8'));
  for (const folder of ['openapi', '.']) {
    const names = existsSync(path.join(root, folder)) ? readdirSync(path.join(root, folder)) : [];
    const [file, ...others] = names.map((name) => path.posix.join(folder, name)).filter(isDocument);
    if (file && others.length === 0) return file;
    if (file)
      throw new Error(`there are several documents (${[file, ...others].join(', ')}): name the contract by --contract`);
  }
  throw new Error('there is no document in openapi/ or the root: name the contract by --contract');
}
