/** A temporary git repository with the files of the workspace that a review reads. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Document, parseDocument } from 'yaml';
import { platformIn } from '../../src/complete.ts';
import { generateFiles, writeFiles } from '../../src/generate/generate.ts';
import { bundleFile } from '../../src/redocly.ts';

export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export class Workspace {
  readonly root = mkdtempSync(join(tmpdir(), 'petstore-workspace-'));

  /** Commits a contract and its generated files on `main`, and checks out the branch `change`. */
  static async create(files: Record<string, string> = {}): Promise<Workspace> {
    const workspace = new Workspace();
    const copied: Record<string, string> = { 'openapi/petstore.yaml': 'packages/contract/test/review/petstore.yaml' };
    for (const file of ['.changeset/config.json', 'packages/client/package.json', 'pnpm-workspace.yaml'])
      copied[file] = file;
    for (const [file, original] of Object.entries(copied)) {
      mkdirSync(join(workspace.root, dirname(file)), { recursive: true });
      cpSync(join(ROOT, original), join(workspace.root, file));
    }
    const root = { name: 'petstore-platform', private: true, packageManager: 'pnpm@12.21.0' };
    workspace.write('package.json', JSON.stringify(root));
    for (const [file, text] of Object.entries(files)) workspace.write(file, text);
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
  replace(from: string, to: string, file = 'openapi/petstore.yaml'): void {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`);
    this.write(file, text.replace(from, to));
  }

  /** Edits the contract as a document. */
  edit(change: (contract: Document) => void): void {
    const contract = parseDocument(this.read('openapi/petstore.yaml'));
    change(contract);
    this.write('openapi/petstore.yaml', contract.toString({ lineWidth: 0 }));
  }

  async generate(): Promise<void> {
    const contract = await bundleFile(join(this.root, 'openapi/petstore.yaml'), platformIn(this.root));
    writeFiles(this.root, generateFiles(contract));
  }

  changeset(bump: string, name = 'change'): void {
    this.write(`.changeset/${name}.md`, `---\n"@petstore/client": ${bump}\n---\n\nA change.\n`);
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
    const settings = ['user.name=Reviewer', 'user.email=reviewer@petstore.example', 'commit.gpgsign=false'];
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
