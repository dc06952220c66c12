import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';

/** A temporary folder, which is removed after the run. */
export class Folder {
  readonly root = mkdtempSync(join(tmpdir(), 'contract-'));

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  /** Writes text, or JSON. Returns the path of the file. */
  write(file: string, content: unknown): string {
    const path = join(this.root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }
}

/** The first commits by the files that they have. */
const REPOSITORIES = new Map<string, string>();

/** A temporary git repository with a contract. */
export class GitFolder extends Folder {
  readonly contract: string;
  readonly #files: Record<string, string>;

  constructor(contract: string, files: Record<string, string>) {
    super();
    this.contract = contract;
    this.#files = files;
    for (const [file, text] of Object.entries(files)) this.write(file, text);
  }

  /** Commits all files on `main`, and checks out the branch `change`. Repositories that begin alike are copies of the first. */
  init(): void {
    const key = JSON.stringify(this.#files);
    const [known, own] = [REPOSITORIES.get(key), join(this.root, '.git')];
    if (known) {
      cpSync(known, own, { recursive: true });
      return;
    }
    this.git('init', '--quiet', '--initial-branch=main');
    this.commit('Base');
    this.git('switch', '--quiet', '--create', 'change');
    const copy = join(new Folder().root, '.git');
    cpSync(own, copy, { recursive: true });
    REPOSITORIES.set(key, copy);
  }

  /** Replaces text of the contract; fails if it is absent. */
  replace(from: string, to: string, file = this.contract): void {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`);
    const changed = text.replace(from, () => to);
    this.write(file, changed);
  }

  commit(message = 'Change'): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
  }

  git(...args: string[]): string {
    const settings = ['user.name=Reviewer', 'user.email=reviewer@shop.example', 'commit.gpgsign=false'];
    const options = settings.flatMap((setting) => ['-c', setting]);
    return execFileSync('git', [...options, ...args], { cwd: this.root, encoding: 'utf8' });
  }

  run(command: string, args: string[], variables: Record<string, string> = {}) {
    const env = { ...process.env, NODE_OPTIONS: '', GITHUB_ACTIONS: '', ...variables };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: this.root, encoding: 'utf8', env });
    return { status, stdout, stderr };
  }

  /** Runs a command of a process in this process, as its start takes most of its time. @param command - returns its exit code */
  async runHere(command: () => Promise<number>) {
    const printed = { log: '', error: '' };
    const spies = (['log', 'error'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((text) => {
        printed[name] += `${text}\n`;
      }),
    );
    const before = process.cwd();
    process.chdir(this.root);
    vi.stubEnv('GITHUB_ACTIONS', '');
    try {
      return { status: await command(), stdout: printed.log, stderr: printed.error };
    } finally {
      process.chdir(before);
      vi.unstubAllEnvs();
      for (const spy of spies) spy.mockRestore();
    }
  }
}
