/** Runs the packed review in a foreign repository: from a registry by npx, on each Node.js of this machine, and by the steps of the action. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRegistry } from '@petstore-platform/testkit/registry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Folder } from '../folder.ts';
import { Repository, SHOP } from '../repository.ts';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const ROOT = join(PACKAGE, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { packageManager } = JSON.parse(read('package.json'));

const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

/** This Node.js and those on the machine's PATH, one of each version. */
const found = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'node'));
const all = [process.execPath, ...found.filter(existsSync)].map((node) => [versionOf(node), node] as const);
const nodes = new Map(all.filter(([version]) => Number.parseInt(version.slice(1), 10) >= 22));
if (![...nodes.keys()].some((version) => version.startsWith('v22.')))
  console.log('Not tried on Node.js 22: it is not in PATH.');

const tarballs = new Folder().root;
let repository: Repository;
/** The folder in which the review is installed, and its program. */
let [tool, bin] = ['', ''];

const shelf = mkdtempSync(join(tarballs, 'registry-'));
let registry: Awaited<ReturnType<typeof startRegistry>>;
/** The settings of npm, as those of a user who has this registry alone. */
let npm: Record<string, string>;

/** Packs a package of the workspace for the registry, with what it depends on. */
function publish(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const stem = join(shelf, manifest.name.replace(/\W+/g, '-'));
  if (existsSync(`${stem}.tgz`)) return;
  const isOurs = manifest.name.startsWith('@petstore-platform/');
  if (isOurs) execFileSync('pnpm', ['--silent', 'pack', '--out', `${stem}.tgz`], { cwd: folder });
  else execFileSync('tar', ['-chzf', `${stem}.tgz`, '--transform=s,^\\.,package,', '-C', folder, '.']);
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const paths = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? [];
    const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
    publish(found as string);
  }
}

beforeAll(async () => {
  publish(PACKAGE);
  registry = await startRegistry(shelf);
  const settings = `registry=${registry.url}\naudit=false\nfund=false\nupdate-notifier=false\ncache=${join(tarballs, 'cache')}\n`;
  writeFileSync(join(tarballs, 'npmrc'), settings);
  npm = { NPM_CONFIG_USERCONFIG: join(tarballs, 'npmrc') };
  repository = new Repository();
  tool = mkdtempSync(join(tarballs, 'tool-'));
  repository.run('npm', ['install', '--prefix', tool, '@petstore-platform/contract-review'], npm);
  bin = join(tool, 'node_modules/@petstore-platform/contract-review/dist/main.js');
  repository.replace('maximum: 100', 'maximum: 50');
  repository.replace('note: { type: string, maxLength: 100 }', 'note: { type: string, maxLength: 90 }');
  repository.commit();
});

afterAll(() => registry?.close());

test('npx does what the first screen of the README says, in a repository with one YAML file', () => {
  const page = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  const [, command = ''] = /```sh\nnpx (.*)\n```/.exec(page) ?? [];
  const own = new Repository({ 'api.yaml': SHOP });
  const review = () => own.run('npx', ['--yes', ...command.split(' ')], npm);
  expect(review()).toMatchObject({ status: 0, stdout: expect.stringContaining('requires no release ✓'), stderr: '' });
  own.replace('maximum: 100', 'maximum: 50', 'api.yaml');
  const policy = expect.stringContaining('requires major ✗\n\nPolicy: strict.');
  expect(review()).toMatchObject({ status: 1, stdout: policy, stderr: '' });
  expect(own.run('npx', ['--yes', ...command.split(' '), '--fail-on', 'never'], npm).status).toBe(0);
  own.write('api.yaml', 'openapi: 2');
  expect(review()).toMatchObject({ status: 2, stdout: '' });
});

test('the tarball holds the built files only', () => {
  const files = readdirSync(dirname(bin), { recursive: true }).map(String);
  expect(files.filter((file) => !/(\.js|\.d\.ts|^schema)$/.test(file))).toEqual([]);
});

test.each([...nodes])('on Node.js %s', (_version, node) => {
  const { status, stdout, stderr } = repository.run(node, [bin, '--base', 'main', '--fail-on', 'major']);
  expect(stderr).toBe('');
  expect(stdout).toContain('## Contract review of `shop`: requires major');
  expect(stdout).toContain('Query parameter `limit`: at most 50; it was at most 100.');
  expect(status).toBe(1);
});

describe("the action's steps, run by bash,", () => {
  const { runs } = parse(read('.github/actions/contract-review/action.yml'));
  const step = (name: string) => runs.steps.find((one: { name?: string }) => one.name === name);

  /** Runs steps as a runner does, with a `gh` that notes what it is asked. */
  function act(names: string[], variables: Record<string, string>) {
    const folder = mkdtempSync(join(tarballs, 'runner-'));
    if (!names.includes('Install')) symlinkSync(tool, join(folder, 'contract-review'));
    const gh = `#!/bin/bash\ncase "$*" in *--jq*) if [[ $MARKER == *shop* ]]; then echo 7; fi;; *) echo "$*" >> ${folder}/asked;; esac\n`;
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/gh'), gh, { mode: 0o755 });
    const env = {
      RUNNER_TEMP: folder,
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      GITHUB_OUTPUT: join(folder, 'output'),
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
      ...{
        BASE: 'main',
        CONTRACT: '',
        FAIL_ON: '',
        COMMAND: '',
        FOLDER: '.',
        NOTE: '',
        COMMENTS: 'comments',
        COMMENT: 'comment',
      },
      ...variables,
    };
    const results = names.map((name) => repository.run('bash', ['-e', '-c', step(name).run], env));
    const has = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '');
    return {
      results,
      summary: has('summary'),
      output: has('output'),
      asked: has('asked'),
      comment: has('report-1.part'),
    };
  }

  test('review, comment once, and refuse', () => {
    const { results, summary, output, asked, comment } = act(['Review', 'Comment'], {
      FAIL_ON: 'major',
      NOTE: 'To try: x.',
    });
    expect(results.map(({ status, stderr }) => ({ status, stderr }))).toEqual([
      { status: 0, stderr: '' },
      { status: 0, stderr: '' },
    ]);
    expect(summary).toContain('requires major');
    expect(output).toBe('status=1\n');
    expect(asked).toBe('api --silent --method PATCH comment/7 --field body=@report-1.part\n');
    expect(comment).toMatch(/^<!-- contract-review: shop -->[\s\S]*\nTo try: x\.\n$/);
    expect(repository.run('bash', ['-e', '-c', step('Verdict').run], { STATUS: '1' }).status).toBe(1);
  });

  test('comment each of several reports where its marker is', () => {
    const report = (name: string) => `<!-- contract-review: ${name} -->\n\n## Contract review of ${name}\n`;
    repository.write('node_modules/two.sh', `printf '%s' "$(cat node_modules/two.md)" > "$4"\n`);
    repository.write('node_modules/two.md', report('shop') + report('toys'));
    const { asked } = act(['Review', 'Comment'], { COMMAND: 'bash node_modules/two.sh' });
    expect(asked).toBe(
      'api --silent --method PATCH comment/7 --field body=@report-1.part\napi --silent --method POST comments --field body=@report-2.part\n',
    );
  });

  test('run nothing that a pull request has committed', () => {
    const marker = join(tarballs, 'hostile');
    const script = `#!/usr/bin/env node\nrequire('node:fs').appendFileSync(${JSON.stringify(marker)}, __filename + '\\n');\n`;
    const scripts = Object.fromEntries(['preinstall', 'install', 'prepare'].map((name) => [name, `touch ${marker}`]));
    repository.write('package.json', JSON.stringify({ name: 'shop', packageManager: 'pnpm@1.0.0', scripts }));
    repository.write('.npmrc', 'registry=http://127.0.0.1:9/\nignore-scripts=false\n');
    repository.write('pnpm-workspace.yaml', "packages: ['.']\npnpmfile: .pnpmfile.cjs\n");
    repository.write('.pnpmfile.cjs', script);
    repository.write('redocly.yaml', 'plugins: [./.pnpmfile.cjs]\n');
    for (const name of ['pnpm', 'npm', 'contract-review']) {
      const version = name === 'pnpm' ? packageManager.split('@')[1] : '1.0.0';
      repository.write(`node_modules/${name}/package.json`, JSON.stringify({ name, version, bin: 'main.cjs' }));
      repository.write(`node_modules/${name}/main.cjs`, script);
      repository.write(`node_modules/.bin/${name}`, script);
      for (const file of [`${name}/main.cjs`, `.bin/${name}`])
        chmodSync(join(repository.root, 'node_modules', file), 0o755);
    }
    const { results, summary } = act(['Install', 'Review'], {
      ...npm,
      ACTION: join(ROOT, '.github/actions/contract-review'),
    });
    expect(results.map(({ status, stderr }) => [status, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(summary).toContain('requires major');
    expect(existsSync(marker) ? readFileSync(marker, 'utf8') : 'nothing ran').toBe('nothing ran');
  });

  test('say why a review could not be made', () => {
    const { results, summary, output } = act(['Review'], { CONTRACT: 'none.yaml' });
    expect(results[0]?.stderr).toMatch(/^contract-review: there is no none\.yaml at /);
    expect(summary).toMatch(/could not be made ✗[\s\S]*none\.yaml/);
    expect(output).toBe('status=2\n');
  });
});

test("the action's README has the lines of a foreign repository, with inputs that exist", () => {
  const page = read('.github/actions/contract-review/README.md');
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const { inputs } = parse(read('.github/actions/contract-review/action.yml'));
  const used = parse(yaml).jobs.review.steps.at(-1).with;
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(used)));
});
