/** A temporary git repository with the files that the tool reads: the bookstore, its server and its SDK. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Report, review } from '@repo/contract-review';
import { type Document, parseDocument, stringify } from 'yaml';
import { platformIn } from '../src/complete.ts';
import { type Target, targetsOf } from '../src/contract.ts';
import { generateFiles, writeFiles } from '../src/generate/generate.ts';
import { bundleFile } from '../src/redocly.ts';
import { jobsFor } from '../src/review.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
export const PLATFORM = join(ROOT, 'packages/contract/platform.yaml');
export const BOOKSTORE = join(ROOT, 'packages/server-runtime/test/bookstore/bookstore.yaml');
/** The contract of the workspace, as its author wrote it. */
export const CONTRACT = readFileSync(BOOKSTORE, 'utf8');
export const FILE = 'openapi/bookstore.yaml';
const SDK = '@bookstore/client';

export const TARGET: Target = {
  contract: FILE,
  server: 'apps/server/src/generated',
  client: 'packages/client/src/generated',
  sdk: { package: SDK, version: '1.2.3', variable: 'bookstore' },
};

const FILES: Record<string, string> = {
  [FILE]: CONTRACT,
  'packages/contract/platform.yaml': readFileSync(PLATFORM, 'utf8'),
  'package.json': JSON.stringify({ name: 'bookstore', private: true, packageManager: 'pnpm@12.21.0' }),
  'pnpm-workspace.yaml': 'packages: [packages/*, apps/*]\n',
  '.changeset/config.json': readFileSync(join(ROOT, '.changeset/config.json'), 'utf8'),
  'apps/server/package.json': JSON.stringify({
    name: '@bookstore/server',
    version: '0.0.0',
    private: true,
    contract: { file: FILE, server: 'src/generated' },
  }),
  'packages/client/package.json': JSON.stringify({
    name: SDK,
    version: '1.2.3',
    files: ['src', 'CHANGELOG.md'],
    publishConfig: { access: 'public', provenance: true },
    contract: { file: FILE, client: 'src/generated' },
  }),
};

/** The generated files of a contract, text by path. */
export const filesOf = async (file: string) => generateFiles(await bundleFile(file, PLATFORM), TARGET);

export class Workspace {
  readonly root = mkdtempSync(join(tmpdir(), 'contract-workspace-'));

  /** Commits a contract and its generated files on `main`, and checks out the branch `change`. */
  static async create(files: Record<string, string> = {}): Promise<Workspace> {
    const workspace = new Workspace();
    for (const [file, text] of Object.entries({ ...FILES, ...files })) workspace.write(file, text);
    await workspace.generate();
    workspace.git('init', '--quiet', '--initial-branch=main');
    workspace.commit('Base');
    workspace.git('switch', '--quiet', '--create', 'change');
    return workspace;
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.root, file)), { recursive: true });
    writeFileSync(join(this.root, file), text);
  }

  /** Replaces text of the contract; fails if it is absent. */
  replace(from: string, to: string, file = FILE): void {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`);
    this.write(file, text.replace(from, to));
  }

  /** Edits the contract as a document. */
  edit(change: (contract: Document) => void): void {
    const contract = parseDocument(this.read(FILE));
    change(contract);
    this.write(FILE, contract.toString({ lineWidth: 0 }));
  }

  async generate(): Promise<void> {
    for (const target of targetsOf(this.root)) {
      const contract = await bundleFile(join(this.root, target.contract), platformIn(this.root));
      writeFiles(this.root, generateFiles(contract, target));
    }
  }

  /** Reports on the first contract. */
  async report(now: Date): Promise<Report> {
    const [job] = await jobsFor({ base: 'main', cwd: this.root, now });
    const report = job && (await review(...job));
    if (!report) throw new Error('there is no contract');
    return report;
  }

  changeset(bump: string, name = 'change'): void {
    this.write(`.changeset/${name}.md`, `---\n"${SDK}": ${bump}\n---\n\nA change.\n`);
  }

  /** Generates, and adds a changeset. */
  async declare(bump: string): Promise<void> {
    await this.generate();
    this.changeset(bump);
  }

  commit(message: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
  }

  git(...args: string[]): string {
    const settings = ['user.name=Reviewer', 'user.email=reviewer@bookstore.example', 'commit.gpgsign=false'];
    const options = settings.flatMap((setting) => ['-c', setting]);
    return execFileSync('git', [...options, ...args], { cwd: this.root, encoding: 'utf8' });
  }

  /** Runs `pnpm contract:review` in the workspace. */
  review(...args: string[]) {
    const env = { ...process.env, GITHUB_ACTIONS: undefined };
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'review', ...args], {
      cwd: this.root,
      encoding: 'utf8',
      env,
    });
    return { status, stdout, stderr };
  }
}

/** A contract as it is released: completed. */
export async function released(text = CONTRACT): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-released-'));
  writeFileSync(join(folder, 'released.yaml'), text);
  const document = await bundleFile(join(folder, 'released.yaml'), PLATFORM);
  rmSync(folder, { recursive: true });
  return { 'openapi/.released/bookstore.yaml': stringify(document, { aliasDuplicateObjects: false }) };
}
