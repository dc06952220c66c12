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
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
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

describe.each(['contract-review', 'release'])('%s.yml', (name) => {
  test('has no permission but those that a job asks for', () => {
    expect(read(`.github/workflows/${name}.yml`).permissions).toEqual({});
    for (const { permissions = {} } of jobsOf(`.github/workflows/${name}.yml`)) {
      expect(Object.keys(permissions).length).toBeGreaterThan(0);
      expect(['contents', 'pull-requests', 'id-token']).toEqual(expect.arrayContaining(Object.keys(permissions)));
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
