import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './copy.ts';

// .ci/workflows lints them with zizmor and actionlint. Here stands what these do not know.

interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  'timeout-minutes': number;
  steps: { uses?: string; run?: string; if?: string; name?: string; with?: Record<string, unknown> }[];
}

const read = (file: string) => parse(readFileSync(join(ROOT, file), 'utf8'));
const jobsOf = (file: string) => Object.values<Job>(read(file).jobs);

test('comments only on pull requests of this repository: forks get no token to write', () => {
  const { runs } = read('.github/actions/contract-review/action.yml');
  const comment = runs.steps.find((step: { name?: string }) => step.name === 'Comment');
  expect(comment.if).toBe(
    "inputs.comment == 'true' && github.event.pull_request.head.repo.full_name == github.repository",
  );
  expect(read('.github/workflows/contract-review.yml').on).toEqual({
    pull_request: { paths: ['openapi/**', 'packages/contract/platform.yaml', '.changeset/**'] },
  });
});

describe('a step, run by bash,', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-workflow-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };

  /** @param commands - shell scripts that replace commands, by name */
  function run(file: string, has: string, commands: Record<string, string>, env: Record<string, string> = {}) {
    const script = jobsOf(`.github/workflows/${file}.yml`)
      .flatMap((job) => job.steps)
      .find((step) => step.run?.includes(has))?.run;
    for (const [name, body] of Object.entries(commands)) {
      write(`bin/${name}`, `#!/bin/bash\n${body}\n`);
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    const output = { GITHUB_STEP_SUMMARY: join(folder, 'summary'), GITHUB_OUTPUT: join(folder, 'output') };
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
    const bash = ['-e', '-c', script ?? ''];
    return spawnSync('bash', bash, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...output, ...env, PATH },
    });
  }

  describe('that checks for a version to publish', () => {
    const TAG = 'refs/tags/@petstore/client@1.2.3';
    const REPOSITORY = { GITHUB_REPOSITORY: 'someone/petstore' };
    const look = (version: string, npm: string, gh = 'exit 0') => {
      write('packages/client/package.json', JSON.stringify({ version }));
      write('.changeset/one.md', '');
      write('.changeset/README.md', '');
      const result = run(
        'release',
        'npm view "@petstore/client@$version" version 2> error.txt',
        { npm, gh },
        REPOSITORY,
      );
      return result.status === 0 ? readFileSync(join(folder, 'output'), 'utf8') : result;
    };

    test.each([
      ['a version that npm does not have, with a pending changeset', '1.2.3', 'exit 0', 'exit 0', true],
      ['a version that npm has', '1.2.3', 'echo 1.2.3', `echo ${TAG}0; echo ${TAG}`, false],
      ['a version that npm has, without its tag', '1.2.3', 'echo 1.2.3', `echo ${TAG}0`, true],
      ['a package that npm does not have', '1.2.3', 'echo "npm error code E404" >&2; exit 1', 'exit 0', true],
      ['no version yet', '0.0.0', 'exit 0', 'exit 0', false],
    ])('%s', (_, version, npm, gh, publish) => {
      expect(look(version, npm, gh)).toBe(`waiting=1\nversion=${version}\npublish=${publish}\n`);
    });

    test('fails when GitHub does not answer', () => {
      expect(look('1.2.3', 'echo 1.2.3', 'exit 1')).toMatchObject({ status: 1 });
    });

    test('fails when the registry is unreachable', () => {
      expect(look('1.2.3', 'echo "npm error code ENOTFOUND" >&2; exit 1')).toMatchObject({
        status: 1,
        stderr: 'npm error code ENOTFOUND\n',
      });
    });
  });

  test('packs the URL of its repository, which npm compares with the provenance', () => {
    write('packages/client/package.json', readFileSync(join(ROOT, 'packages/client/package.json'), 'utf8'));
    write('packages/client/CHANGELOG.md', '## 1.2.3\n\n- A change\n\n## 1.2.2\n\n- Another one\n');
    const { status, stderr } = run(
      'release',
      ' pack --out ',
      { pnpm: '[[ "$*" != *" pack "* ]] || cp packages/client/package.json packed.json' },
      { VERSION: '1.2.3', GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'someone/petstore' },
    );
    expect(status, stderr).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'packed.json'), 'utf8'))).toMatchObject({
      repository: {
        type: 'git',
        url: 'git+https://github.com/someone/petstore.git',
        directory: 'packages/client',
      },
      homepage: 'https://github.com/someone/petstore#readme',
      bugs: { url: 'https://github.com/someone/petstore/issues' },
    });
    expect(readFileSync(join(folder, 'release/notes.md'), 'utf8').trim()).toBe('- A change');
  });

  test.each([
    ['gives a new version to the digests of both machines', 'exit 1', 1],
    ['leaves a version at its digest', 'echo sha256:index', 0],
  ])('%s, and signs it', (_, inspect, created) => {
    for (const arch of ['X64', 'ARM64']) write(`${arch}.digest`, `sha256:${arch}\n`);
    const docker = `echo "docker $*" >> log; case "$*" in *'--format {{ .Manifest.Digest }}') echo sha256:index ;; *inspect*) ${inspect} ;; esac`;
    const env = { VERSION: '1.2.3', GITHUB_REPOSITORY: 'Someone/Petstore', GITHUB_ACTOR: 'me', GH_TOKEN: 'token' };
    const { status, stderr } = run('release', 'cosign sign', { docker, cosign: 'echo "cosign $*" >> log' }, env);
    expect(status, stderr).toBe(0);
    const image = 'ghcr.io/someone/petstore';
    const lines = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
    expect(lines.filter((line) => line.includes(' create '))).toEqual(
      Array(created).fill(
        `docker buildx imagetools create --tag ${image}:1.2.3 ${image}@sha256:ARM64 ${image}@sha256:X64`,
      ),
    );
    expect(lines.at(-1)).toBe(`cosign sign --yes --recursive ${image}@sha256:index`);
  });

  test.each([
    ['publishes and tags a new version', '', 'exit 1', ['npm publish ./client.tgz', 'gh release create']],
    ['tags a published version without a tag', '1.2.3', 'exit 1', ['gh release create']],
    ['skips a published and tagged version', '1.2.3', '', []],
  ])('%s', (_, known, tagged, done) => {
    const log = join(folder, 'log');
    const { status, stderr } = run(
      'release',
      'npm publish',
      {
        npm: `[ "$1" != view ] || { echo "${known}"; exit; }; echo "npm $*" >> ${log}`,
        gh: `[ "$2" != view ] || { ${tagged || 'exit 0'}; }; echo "gh $*" >> ${log}`,
      },
      { VERSION: '1.2.3', GITHUB_SHA: 'abc' },
    );
    expect(status, stderr).toBe(0);
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    expect(lines).toHaveLength(done.length);
    for (const [index, command] of done.entries()) expect(lines[index]?.startsWith(command)).toBe(true);
  });
});

describe('a release', () => {
  const { build, publish, look, jsr } = read('.github/workflows/release.yml').jobs as Record<string, Job>;

  test('is built by a read-only job, and published by a job that installs nothing', () => {
    for (const job of [look, build]) expect(job?.permissions).toEqual({ contents: 'read' });
    expect(build?.steps.find(({ uses = '' }) => uses.endsWith('/setup'))?.with).toEqual({ cache: false });
    expect(publish?.needs).toEqual(expect.arrayContaining(['build', 'image']));
    expect(publish?.steps.map(({ uses = '' }) => uses.split('@')[0]).filter(Boolean)).toEqual([
      'actions/download-artifact',
      'actions/setup-node',
    ]);
    for (const { run = '' } of publish?.steps ?? []) expect(run).not.toMatch(/\bnpx\b|\bpnpm\b|npm (ci|install)/);
    expect(jsr?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  });

  test('has an SBOM of the package', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'petstore-sbom-')), 'client.cdx.json');
    const { packageManager } = read('package.json');
    const sbom = ['--filter', '@petstore/client', 'sbom', '--prod', '--sbom-format', 'cyclonedx', '--out', file];
    execFileSync('npx', ['--yes', packageManager, ...sbom], { cwd: ROOT, stdio: 'ignore' });
    const { components } = JSON.parse(readFileSync(file, 'utf8')) as { components: { name: string }[] };
    rmSync(dirname(file), { recursive: true });
    expect(components.map(({ name }) => name).sort()).toEqual(['openapi-fetch', 'openapi-typescript-helpers']);
  });
});
