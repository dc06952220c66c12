import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT, temporaryFolder } from './copy.ts';
import { type GitHub, startGitHub } from './github.ts';

// .ci/workflows lints them with zizmor and actionlint. These tests are for what the linters do not know.

interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  steps: { uses?: string; run?: string; if?: string; name?: string; with?: Record<string, unknown> }[];
}

const read = (file: string) => parse(readFileSync(path.join(ROOT, '.github/workflows', file), 'utf8'));

let folder: string;
let github: GitHub;

beforeEach(async () => {
  folder = temporaryFolder();
  github = await startGitHub();
});

afterEach(() => github.close());

/** Runs a step's script in the folder. */
async function run(script: string, args: string[], variables: Record<string, string> = {}) {
  const files = { GITHUB_STEP_SUMMARY: path.join(folder, 'summary'), GITHUB_OUTPUT: path.join(folder, 'output') };
  const env = { ...process.env, ...github.env, ...files, ...variables };
  await promisify(execFile)(process.execPath, [path.join(ROOT, '.ci', script), ...args], { cwd: folder, env });
}
const written = (file: string) => readFileSync(path.join(folder, file), 'utf8');

test('the contract review comments only on pull requests of this repository: forks get no token to write', () => {
  const { runs } = read('../actions/contract-review/action.yml');
  const comment = runs.steps.find((step: { name?: string }) => step.name === 'Comment');
  expect(comment.if).toBe(
    "inputs.comment == 'true' && github.event.pull_request.head.repo.full_name == github.repository",
  );
  expect(read('contract-review.yml').on).toEqual({
    pull_request: { paths: ['openapi/**', 'packages/contract/platform.yaml', '.changeset/**'] },
  });
});

test('the job that may comment runs the tools of the base, and has the pull request as data', () => {
  const { pack, review } = read('contract-review.yml').jobs as Record<string, Job>;
  expect(pack?.permissions).toEqual({ contents: 'read' });
  const [base, head, ...rest] = review?.steps ?? [];
  expect([base?.with?.ref, base?.with?.path]).toEqual([`\${{ github.event.pull_request.base.sha }}`, undefined]);
  expect([head?.with?.ref, head?.with?.path]).toEqual([undefined, 'head']);
  const tools = ['./.github/actions/setup', './.github/actions/contract-review'];
  expect(rest.map(({ uses, run }) => uses ?? run)).toEqual(tools);
  expect(rest.map(({ with: inputs }) => inputs)).toMatchObject([{ cache: false }, { folder: 'head' }]);
});

test.each([
  [200, [], 'true'],
  [404, 'no analysis found', 'true'],
  [403, 'Code Security must be enabled for this repository to use code scanning.', 'false'],
])('code scanning that GitHub answers with %i "%s": %s', async (status, message, available) => {
  const answer = Object.assign(new Error(String(message)), { name: String(status) });
  github.resources.set('code-scanning/alerts', status === 200 ? message : answer);
  await run('code-scanning.mjs', []);
  expect(written('output')).toBe(`code-scanning=${available}\n`);
});

test('a scan whose availability GitHub does not tell fails', async () => {
  const denied = Object.assign(new Error('Resource not accessible by integration'), { name: '403' });
  github.resources.set('code-scanning/alerts', denied);
  await expect(run('code-scanning.mjs', [])).rejects.toThrow('not accessible by integration');
});

test('jobs that may write run no code of dependencies', () => {
  const files = ['release.yml', 'release-platform.yml', 'release-sdk.yml', 'release-image.yml'];
  const all = files.flatMap((file) => Object.entries<Job>(read(file).jobs));
  // The other jobs call one of these files.
  const jobs = all.filter(([, { steps }]) => steps);
  const writing = jobs.filter(([, { permissions = {} }]) => Object.values(permissions).includes('write'));
  const names = [...new Set(writing.map(([name]) => name))].sort();
  expect(names).toEqual(['image', 'jsr', 'layers', 'npm', 'page', 'plan']);
  for (const [, { steps }] of writing) {
    // Deno publishes the SDK's sources to JSR.
    const scripts = steps.map(({ run = '' }) => run).filter((text) => !text.startsWith('npx --yes deno@'));
    expect(scripts.join('\n')).not.toMatch(/\bnpx\b|\bpnpm\b|npm (ci|install)/);
    expect(steps.map(({ uses }) => uses)).not.toContain('./.github/actions/setup');
  }
  for (const [, { steps }] of jobs)
    for (const { uses, with: inputs } of steps)
      if (uses === './.github/actions/setup') expect(inputs).toEqual({ cache: false });
});

test('the Node.js of the workflows is the one that the workspace pins', () => {
  const { catalog } = parse(readFileSync(path.join(ROOT, 'pnpm-workspace.yaml'), 'utf8'));
  const { inputs } = parse(readFileSync(path.join(ROOT, '.github/actions/setup/action.yml'), 'utf8'));
  expect(inputs['node-version'].default).toBe(catalog.node);
});

test('.ci/run and the workflow call the same scripts, which package.json has', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));
  expect(checks).toHaveLength(4);
  const [, kinds = ''] = /for kind in ([\w ]+); do/.exec(readFileSync(path.join(ROOT, '.ci/run'), 'utf8')) ?? [];
  expect(kinds.split(' ').map((kind) => `check:${kind}`)).toEqual(checks);
  const jobs = Object.values<Job>(read('ci.yml').jobs);
  const called = jobs.flatMap(({ steps }) =>
    steps.flatMap(({ run }) => /^pnpm (check:\w+)$/.exec(run ?? '')?.[1] ?? []),
  );
  expect(called.sort()).toEqual(checks.sort());
});
