/** Compares the review of each contract change in this repository's history with its changesets. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareBumps, declaredBump, diffContracts, largestBump, Version } from '@repo/contract-review';
import { afterAll, expect, test } from 'vitest';
import { PLATFORM } from '../src/complete.ts';
import { isReleased, type Target, targetsOf } from '../src/contract.ts';
import { completionIn } from '../src/review.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The first contract of this repository that others depend on. */
const { contract: CONTRACT, sdk } = targetsOf(ROOT).filter(isReleased)[0] as Target;

const folder = mkdtempSync(join(tmpdir(), 'contract-history-'));

afterAll(() => rmSync(folder, { recursive: true }));

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
    const root = join(folder, ref);
    const [file, platform] = [join(root, 'contract.yaml'), join(root, PLATFORM)];
    mkdirSync(dirname(platform), { recursive: true });
    writeFileSync(file, git('show', `${ref}:${CONTRACT}`));
    const isThere = lines(git('ls-tree', '--name-only', ref, PLATFORM)).length > 0;
    if (isThere) writeFileSync(platform, git('show', `${ref}:${PLATFORM}`));
    return new Version(file, { completion: completionIn(root) });
  };
  const changes = diffContracts(version(`${commit}^1`), version(commit));
  const required = largestBump(changes.map(({ impact }) => impact));
  // All pending changesets: the next release contains earlier merges, too.
  const files = lines(git('ls-tree', '--name-only', commit, '.changeset/'));
  const root = join(folder, commit);
  mkdirSync(join(root, '.changeset'), { recursive: true });
  for (const file of files) writeFileSync(join(root, file), mended(git('show', `${commit}:${file}`)));
  const declared = declaredBump(root, sdk?.package ?? '');
  expect(compareBumps(declared, required), `${required} required, ${declared} declared`).toBeGreaterThanOrEqual(0);
});
