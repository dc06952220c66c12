/** The review of a contract change: lint → diff → policy → stale generation → changesets. */
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Document } from '../contract.ts';
import { generateFiles, staleFiles } from '../generate/generate.ts';
import { lint } from '../lint/lint.ts';
import { bundleFile } from '../redocly.ts';
import { changeset, declaredBump, PACKAGE } from './changesets.ts';
import type { Change } from './compare.ts';
import { bundleOf, diffContracts } from './diff.ts';
import { type Bump, compareBumps, largestBump } from './finding.ts';
import { Repository } from './git.ts';
import { applyOverrides, type Overridden } from './overrides.ts';
import { checkPolicy, type DeprecationNotice, deprecationsIn, type Violation } from './policy.ts';
import { type Place, Source } from './source.ts';
import { declarationsDiff, type Surface, surfaceOf } from './surface.ts';

export const CONTRACT = 'openapi/petstore.yaml';
export const RELEASED = 'openapi/.released.yaml';
const OVERRIDES = 'openapi/.overrides.yaml';

export interface Report {
  requiredBump: Bump;
  declaredBump: Bump;
  /** Two files were compared: there is nothing that could declare a bump. */
  withoutChangesets: boolean;
  changes: Change[];
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
  const commit = await repository.mergeBase(base);
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-review-'));
  try {
    await repository.export(commit, path.dirname(CONTRACT), folder);
    const baseFile = path.join(folder, CONTRACT);
    if (!existsSync(baseFile)) throw new Error(`there is no ${CONTRACT} at ${commit}`);
    const changesets = await repository.addedSince(commit, '.changeset');
    const headFile = head ? path.resolve(cwd, head) : path.join(repository.root, CONTRACT);
    return await reviewFiles({
      root: repository.root,
      base: baseFile,
      baseRoot: folder,
      head: headFile,
      now,
      changesets,
    });
  } finally {
    await rm(folder, { recursive: true });
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
  const headSource = new Source(head);
  // Reading both comes first: a file that is not YAML fails with its line, whoever else would have stumbled over it.
  for (const source of [new Source(base), headSource]) source.open(source.file);
  const [problems, compared, bundle] = await Promise.all([lint(head), diffContracts(base, head), bundleFile(head)]);
  const releasedFile = path.join(baseRoot, RELEASED);
  // Before a first version is cut, the base is all that clients can have.
  const released = new Source(changesets && existsSync(releasedFile) ? releasedFile : base);
  const generated = await generate(bundle);
  const generatedBefore = await generate(await bundleOf(new Source(base)));
  const isOurs = changesets !== undefined && head === path.join(root, CONTRACT);
  const stale = isOurs && generated.files ? await staleFiles(root, generated.files) : [];

  const { changes, violations, overrides } = applyOverrides(
    changesets ? path.join(root, OVERRIDES) : '',
    compared,
    checkPolicy(released, headSource, now),
    now,
  );
  const requiredBump = largestBump(changes.map(({ impact }) => impact));
  const declared = declaredBump(changesets ?? []);
  const isTooSmall = changesets !== undefined && compareBumps(declared, requiredBump) < 0;
  const where = (place: Place) => {
    const isBase = place.source.file !== head;
    const file = path.relative(isBase ? baseRoot : root, place.file);
    return `${file}:${place.line}${isBase ? ' (base)' : ''}`;
  };

  return {
    requiredBump,
    declaredBump: declared,
    withoutChangesets: changesets === undefined,
    changes: changes.sort((a, b) => compareBumps(b.impact, a.impact)),
    violations: [
      ...problems.map(({ rule, file, line, message, pointer }) => ({
        rule,
        message: `${path.relative(root, path.resolve(file))}:${line} ${message}`,
        place: headSource.find(path.resolve(file), pointer),
      })),
      ...violations,
      ...(generated.problem
        ? [{ rule: 'generation-failed', message: `Nothing can be generated: ${generated.problem}` }]
        : []),
      ...(stale.length > 0
        ? [
            {
              rule: 'generated-stale',
              message: `Run \`pnpm contract:generate\` and commit the result: ${stale.join(', ')}.`,
            },
          ]
        : []),
      ...(isTooSmall ? [tooSmall(requiredBump, declared)] : []),
    ],
    notes: notesOn(changes, requiredBump, declared, changesets !== undefined),
    deprecations: deprecationsIn(headSource, now),
    overrides,
    surface: surfaceDiff(generatedBefore.files, generated.files),
    ...(requiredBump !== 'none' &&
      (isTooSmall || changesets === undefined) && {
        changeset: changeset(requiredBump, summary(changes, requiredBump)),
      }),
    where,
    annotate: (place) => ({
      file: path.relative(root, place.source.file === head ? place.file : head),
      line: place.source.file === head ? place.line : headSource.find(head, place.pointer).line,
    }),
  };
}

function tooSmall(required: Bump, declared: Bump): Violation {
  return declared === 'none'
    ? {
        rule: 'changeset-missing',
        message: `The change requires a ${required} version of \`${PACKAGE}\`, and no changeset declares one.`,
      }
    : {
        rule: 'changeset-too-small',
        message: `The change requires a ${required} version of \`${PACKAGE}\`; the changesets say ${declared}.`,
      };
}

function notesOn(changes: readonly Change[], required: Bump, declared: Bump, withChangesets: boolean): string[] {
  const notes: string[] = [];
  if (withChangesets && compareBumps(declared, required) > 0) {
    notes.push(
      `The changesets say ${declared}; this change of the contract alone requires ${required === 'none' ? 'no release' : required}.`,
    );
  }
  // That a removal was announced in time is the policy's to check.
  if (changes.some(({ impact, rule }) => impact === 'major' && rule !== 'operation-removed')) {
    notes.push(
      'Within `/v1` only compatible changes are meant to happen, and removals that were announced. Anything else belongs under a new path segment.',
    );
  }
  return notes;
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

function surfaceDiff(before: Generated['files'], after: Generated['files']): Surface {
  if (!before || !after) return { client: '', server: '' };
  const [base, head] = [surfaceOf(before), surfaceOf(after)];
  return { client: declarationsDiff(base.client, head.client), server: declarationsDiff(base.server, head.server) };
}

/** What the users of the SDK read: what made the bump necessary. */
function summary(changes: readonly Change[], bump: Bump): string {
  const messages = new Set(changes.filter(({ impact }) => impact === bump).map(({ message }) => message));
  return messages.size === 1 ? [...messages].join() : [...messages].map((message) => `- ${message}`).join('\n');
}

/** The report as the fixed JSON. */
export function toJson({ requiredBump, declaredBump, changes, violations }: Report): string {
  const report = {
    requiredBump,
    declaredBump,
    changes: changes.map(({ impact, rule, operations, place, message }) => {
      return { impact, rule, operations, pointer: place.pointer, line: place.line, message };
    }),
    violations: violations.map(({ rule, message }) => ({ rule, message })),
  };
  return JSON.stringify(report, null, 2);
}
