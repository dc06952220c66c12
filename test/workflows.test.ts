import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './copy.ts';

// .ci/workflows lints them with zizmor and actionlint. These tests are for what the linters do not know.

interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  steps: { uses?: string; run?: string; if?: string; name?: string; with?: Record<string, unknown> }[];
}

const read = (file: string) => parse(readFileSync(path.join(ROOT, '.github/workflows', file), 'utf8'));

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
