/** Compares the review of each contract change in this repository's history with its changesets. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { compareBumps, declaredBump, diffContracts, largestBump, Version } from '@petstore-platform/contract-review';
import { expect, test } from 'vitest';
import { Folder } from '../../contract-review/test/folder.ts';
import { PLATFORMS } from '../src/platform.ts';
import { overlayIn } from '../src/review.ts';
import { isReleased, type Target, targetsOf } from '../src/targets.ts';
import { ROOT } from './workspace.ts';

const [PLATFORM = ''] = PLATFORMS;

/** The first contract of this repository that others depend on. */
const { contract: CONTRACT, sdk } = targetsOf(ROOT).filter(isReleased)[0] as Target;

const folder = new Folder();

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const lines = (text: string) => text.split('\n').filter(Boolean);

/** The commits that changed the contract, except the first. None in a shallow clone. */
function commits(): string[] {
  try {
    if (git('rev-parse', '--is-shallow-repository').trim() !== 'false') return [];
    return lines(git('log', '--format=%h', '--diff-filter=M', '--', CONTRACT));
  } catch {
    return [];
  }
}

/** The first changeset was invalid: its front matter was a heading. */
const mended = (text: string) => text.replace(/^---\n\n## ("[^"]+": \w+)\n/, '---\n$1\n---\n');

const COMMITS = commits();
test.skipIf(COMMITS.length > 0)(
  'no change of a contract to look at, as in a shallow clone or a new repository',
  ({ skip }) => skip(),
);

test.each(COMMITS)('%s requires no more than its changesets say', async (commit) => {
  const version = (ref: string) => {
    const file = folder.write(`${ref}/contract.yaml`, git('show', `${ref}:${CONTRACT}`));
    const isThere = lines(git('ls-tree', '--name-only', ref, PLATFORM)).length > 0;
    if (isThere) folder.write(`${ref}/${PLATFORM}`, git('show', `${ref}:${PLATFORM}`));
    return new Version(file, { overlay: overlayIn(join(folder.root, ref)) });
  };
  const changes = diffContracts(version(`${commit}^1`), version(commit));
  const required = largestBump(changes.map(({ impact }) => impact));
  // All pending changesets count, because the next release contains earlier merges, too.
  const files = lines(git('ls-tree', '--name-only', commit, '.changeset/'));
  for (const file of files) folder.write(`${commit}/${file}`, mended(git('show', `${commit}:${file}`)));
  const declared = declaredBump(join(folder.root, commit), sdk?.package ?? '');
  expect(compareBumps(declared, required), `${required} required, ${declared} declared`).toBeGreaterThanOrEqual(0);
});
