/** The review of a contract change: lint → diff → policy → stale generation → changesets. */
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Document } from '../contract.ts';
import { generateFiles, staleFiles } from '../generate/generate.ts';
import { lint } from '../redocly.ts';
import type { Change } from './changes.ts';
import { changeset, declaredBump, PACKAGE } from './changesets.ts';
import type { Version } from './components.ts';
import { diffContracts, readVersion } from './diff.ts';
import { type Bump, compareBumps, largestBump } from './finding.ts';
import { Repository } from './git.ts';
import { notesOn } from './headline.ts';
import { toViolations } from './lint-problems.ts';
import { titlesOf } from './operations.ts';
import { applyOverrides, type Overridden } from './overrides.ts';
import type { Place } from './place.ts';
import { checkPolicy, type DeprecationNotice, deprecationsIn, type Violation } from './policy.ts';
import { Source } from './source.ts';
import { declarationsDiff, type Surface, surfaceOf } from './surface.ts';

export const CONTRACT = 'openapi/petstore.yaml';
export const RELEASED = 'openapi/.released.yaml';
const OVERRIDES = 'openapi/.overrides.yaml';

/** Characters of a contract of others above which nothing is generated: who reads the types of so much? */
const GENERATED_UP_TO = 1_000_000;

const NO_SURFACE: Surface = { client: '', server: '' };

export interface Report {
  requiredBump: Bump;
  declaredBump: Bump;
  /** Two files were compared: there is nothing that could declare a bump. */
  withoutChangesets: boolean;
  changes: Change[];
  /** `GET /pets`, by the name of the operation, where that is another. */
  titles: Map<string, string>;
  violations: Violation[];
  /** Worth knowing, but nothing to mend. */
  notes: string[];
  deprecations: DeprecationNotice[];
  overrides: Overridden['overrides'];
  surface: Surface;
  /** A changeset to paste, when one is needed and missing or too small. */
  changeset?: string;
  /** `openapi/petstore.yaml:67` */
  where: (place: Place) => string;
  /** The line of the new contract at which to show a place: the closest one when it is gone. */
  annotate: (place: Place) => { file: string; line: number };
}

export interface Request {
  /** A git ref, or a file. */
  base: string;
  /** A file; without it, the contract of the work tree. */
  head?: string | undefined;
  /** Where the command was given. */
  cwd: string;
  now: Date;
}

export async function review({ base, head, cwd, now }: Request): Promise<Report> {
  // A folder may be called like a branch.
  if (statSync(path.resolve(cwd, base), { throwIfNoEntry: false })?.isFile()) {
    const headFile = head ? path.resolve(cwd, head) : path.join((await Repository.at(cwd)).root, CONTRACT);
    return reviewFiles({ root: cwd, base: path.resolve(cwd, base), head: headFile, now });
  }
  const repository = await Repository.at(cwd);
  const { root } = repository;
  const commit = await repository.mergeBase(base);
  const baseRoot = await mkdtemp(path.join(tmpdir(), 'petstore-review-'));
  try {
    await repository.export(commit, path.dirname(CONTRACT), baseRoot);
    const baseFile = path.join(baseRoot, CONTRACT);
    if (!existsSync(baseFile)) throw new Error(`there is no ${CONTRACT} at ${commit}`);
    const changesets = await repository.addedSince(commit, '.changeset');
    const headFile = head ? path.resolve(cwd, head) : path.join(root, CONTRACT);
    return await reviewFiles({ root, base: baseFile, baseRoot, head: headFile, now, changesets });
  } finally {
    await rm(baseRoot, { recursive: true });
  }
}

interface Files {
  /** What paths are told from. */
  root: string;
  base: string;
  /** Where the base's files were written, in place of `root`. */
  baseRoot?: string;
  head: string;
  now: Date;
  /** In a repository: changesets that the change adds. */
  changesets?: { file: string; text: string }[];
}

async function reviewFiles({ root, base, baseRoot = root, head, now, changesets }: Files): Promise<Report> {
  const isOurs = changesets !== undefined && head === path.join(root, CONTRACT);
  const [before, after, problems] = await Promise.all([readVersion(base), readVersion(head), lint(head)]);
  const compared = diffContracts(before, after);
  const releasedFile = path.join(baseRoot, RELEASED);
  // Before a first version is cut, the base is all that clients can have.
  const released = changesets && existsSync(releasedFile) ? new Source(releasedFile) : before.source;
  const isLarge = !isOurs && Math.max(before.source.size, after.source.size) > GENERATED_UP_TO;
  const generated = isLarge ? {} : await generate(after.bundle);
  const stale = isOurs && generated.files ? await staleFiles(root, generated.files) : [];

  const policy = checkPolicy(released, after.source, now);
  const overridesFile = changesets ? path.join(root, OVERRIDES) : '';
  const { changes, violations, overrides } = applyOverrides(overridesFile, compared, policy, now);
  const requiredBump = largestBump(changes.map(({ impact }) => impact));
  const declared = declaredBump(changesets ?? []);
  const isTooSmall = changesets !== undefined && compareBumps(declared, requiredBump) < 0;
  const isBase = (place: Place) => place.source.file !== head;

  return {
    requiredBump,
    declaredBump: declared,
    withoutChangesets: changesets === undefined,
    changes: changes.sort((a, b) => compareBumps(b.impact, a.impact)),
    titles: new Map([after, before].flatMap(({ source }) => titlesOf(source.root))),
    violations: [
      ...toViolations(problems, before.source, after.source, root),
      ...violations,
      ...(generated.problem ? [violation('generation-failed', `Nothing can be generated: ${generated.problem}`)] : []),
      ...(stale.length > 0 ? [violation('generated-stale', staleMessage(stale))] : []),
      ...(isTooSmall ? [tooSmall(requiredBump, declared)] : []),
    ],
    notes: notesOn(changes, requiredBump, declared, changesets !== undefined),
    deprecations: deprecationsIn(after.source, now),
    overrides,
    // Where nothing changes for clients, nothing is to be seen: not a type that no operation uses yet, either.
    surface: requiredBump === 'none' ? NO_SURFACE : await surfaceDiff(before, generated),
    ...(requiredBump !== 'none' &&
      (isTooSmall || changesets === undefined) && {
        changeset: changeset(requiredBump, summary(changes, requiredBump)),
      }),
    where: (place) => {
      const file = path.relative(isBase(place) ? baseRoot : root, place.file);
      return `${file}:${place.line}${isBase(place) ? ' (base)' : ''}`;
    },
    annotate: (place) => ({
      file: path.relative(root, isBase(place) ? head : place.file),
      line: isBase(place) ? after.source.find(head, place.pointer).line : place.line,
    }),
  };
}

const violation = (rule: string, message: string): Violation => ({ rule, message });

const staleMessage = (files: string[]) => `Run \`pnpm contract:generate\` and commit the result: ${files.join(', ')}.`;

function tooSmall(required: Bump, declared: Bump): Violation {
  const needs = `The change requires a ${required} version of \`${PACKAGE}\``;
  return declared === 'none'
    ? violation('changeset-missing', `${needs}, and no changeset declares one.`)
    : violation('changeset-too-small', `${needs}; the changesets say ${declared}.`);
}

interface Generated {
  files?: Map<string, string>;
  problem?: string;
}

/** A contract that the lint refuses may be one that the generators cannot read; the rest of the report stands. */
async function generate(document: Document): Promise<Generated> {
  try {
    return { files: await generateFiles(document) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

async function surfaceDiff(before: Version, { files }: Generated): Promise<Surface> {
  const { files: filesBefore } = files ? await generate(before.bundle) : {};
  if (!filesBefore || !files) return NO_SURFACE;
  const [base, head] = [surfaceOf(filesBefore), surfaceOf(files)];
  return { client: declarationsDiff(base.client, head.client), server: declarationsDiff(base.server, head.server) };
}

/** What the users of the SDK read: what made the bump necessary. */
function summary(changes: readonly Change[], bump: Bump): string {
  const messages = new Set(changes.filter(({ impact }) => impact === bump).map(({ message }) => message));
  return messages.size === 1 ? [...messages].join() : [...messages].map((message) => `- ${message}`).join('\n');
}
