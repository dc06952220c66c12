import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sourceOf } from '../src/evidence.ts';

test('the source of a report names the commit, and says that files differ from it', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'evidence-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  writeFileSync(path.join(root, 'a'), '');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@bookstore.example', 'commit', '--quiet', '-m', 'a');
  git('tag', 'v1');
  const commit = git('rev-parse', '--short=12', 'HEAD');
  expect(sourceOf('pnpm bench', root)).toContain(`commit ${commit}, `);
  expect(sourceOf('pnpm bench', root)).toMatch(/^`pnpm bench`, \d{4}-\d\d-\d\d, commit /);
  writeFileSync(path.join(root, 'a'), 'changed');
  expect(sourceOf('pnpm bench', root)).toContain(`commit ${commit} with changes, `);
});
