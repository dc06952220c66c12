/** A temporary git repository with the files that the tool reads: the bookstore, its server and its SDK. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Report, review, run } from '@petstore-platform/contract-review';
import { type Document, parseDocument, stringify } from 'yaml';
import { Folder, GitFolder } from '../../contract-review/test/folder.ts';
import { generateFiles, writeFiles } from '../src/generate/generate.ts';
import { platformIn } from '../src/platform.ts';
import { bundleFile } from '../src/read.ts';
import { jobsFor } from '../src/review.ts';
import { type Target, targetsOf } from '../src/targets.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const PLATFORM = join(ROOT, 'packages/contract/platform.yaml');
export const BOOKSTORE = join(ROOT, 'packages/bookstore/bookstore.yaml');
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

/** The generated files of contracts, because most tests begin with the same one. */
const generated = new Map<string, Map<string, string>>();

export class Workspace extends GitFolder {
  /** Commits a contract and its generated files on `main`, and checks out the branch `change`. */
  static async create(files: Record<string, string> = {}): Promise<Workspace> {
    const workspace = new Workspace(FILE, { ...FILES, ...files });
    await workspace.generate();
    workspace.init();
    return workspace;
  }

  /** Edits the contract as a document. */
  edit(change: (contract: Document) => void): void {
    const contract = parseDocument(this.read(FILE));
    change(contract);
    this.write(FILE, contract.toString({ lineWidth: 0 }));
  }

  async generate(): Promise<void> {
    for (const target of targetsOf(this.root)) {
      const platform = platformIn(this.root);
      const key = JSON.stringify([target, this.read(target.contract), platform && readFileSync(platform, 'utf8')]);
      const make = async () => generateFiles(await bundleFile(join(this.root, target.contract), platform), target);
      const files = generated.get(key) ?? (await make());
      generated.set(key, files);
      writeFiles(this.root, files);
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

  /** Does what `pnpm contract:review` does, in this process. */
  review(...args: string[]) {
    return this.runHere(() => run(args, jobsFor));
  }
}

/** A contract as it is released: completed. */
export async function released(text = CONTRACT): Promise<Record<string, string>> {
  const document = await bundleFile(new Folder().write('released.yaml', text), PLATFORM);
  return { 'openapi/.released/bookstore.yaml': stringify(document, { aliasDuplicateObjects: false }) };
}
