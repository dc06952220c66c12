/** The review of a contract change: lint → diff → policy → stale generation → changesets. */
import { existsSync, statSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { STABILITIES } from '../contract.ts';
import { generateFiles, staleFiles } from '../generate/generate.ts';
import { type Bump, bumpText, compareBumps } from './bump.ts';
import { changeset, declaredBump, PACKAGE } from './changesets.ts';
import type { Change } from './compare.ts';
import { diffContracts, readVersion, type Version } from './diff.ts';
import { exportBase, rootOf } from './git.ts';
import { applyOverrides } from './overrides.ts';
import { checkPolicy, deprecationsIn, toViolations, type Violation } from './policy.ts';
import type { Place } from './source.ts';
import { Source } from './source.ts';
import { surfaceDiff } from './surface.ts';

export const CONTRACT = 'openapi/petstore.yaml';
export const RELEASED = 'openapi/.released.yaml';
const OVERRIDES = 'openapi/.overrides.yaml';

export interface Report {
  requiredBump: Bump;
  /** Undefined if two files were compared, which have no changesets. */
  declaredBump: Bump | undefined;
  changes: Change[];
  violations: Violation[];
  /** Remarks that are not violations. */
  notes: string[];
  deprecations: ReturnType<typeof deprecationsIn>;
  overrides: ReturnType<typeof applyOverrides>['overrides'];
  /** The diff of the exports of the SDK. Empty if two files were compared. */
  surface: string;
  /** A changeset to paste, if the required one is missing or too small. */
  changeset?: string;
  /** `openapi/petstore.yaml:67` */
  where: (place: Place) => string;
  /** Where to annotate the new contract: the place, or the closest line if it was removed. */
  annotate: (place: Place) => { file: string; line: number };
}

interface Request {
  /** A git ref or a file. */
  base: string;
  /** A file. Default: the contract of the work tree. */
  head?: string | undefined;
  /** The working directory of the command. */
  cwd: string;
  now: Date;
}

export async function review({ base, head, cwd, now }: Request): Promise<Report> {
  // A folder may have the name of a branch.
  const isFile = statSync(path.resolve(cwd, base), { throwIfNoEntry: false })?.isFile();
  const root = isFile && head ? cwd : await rootOf(cwd);
  const headFile = head ? path.resolve(cwd, head) : path.join(root, CONTRACT);
  const isOurs = !isFile && headFile === path.join(root, CONTRACT);
  // A base file has no repository, and so no released contract, overrides and changesets.
  await using folder = isFile ? undefined : await mkdtempDisposable(path.join(tmpdir(), 'petstore-review-'));
  const baseRoot = folder?.path ?? root;
  const olderChangesets = folder && (await exportBase(root, base, CONTRACT, baseRoot));

  const before = await readVersion(folder ? path.join(baseRoot, CONTRACT) : path.resolve(cwd, base));
  const after = await readVersion(headFile);
  // The rules and the SDK are not for the contracts of others.
  const problems = isOurs ? await (await import('../redocly.ts')).lint(headFile) : [];
  const releasedFile = path.join(baseRoot, RELEASED);
  // Before the first release, the base counts as released.
  const released = folder && existsSync(releasedFile) ? new Source(releasedFile) : before.source;
  const policy = checkPolicy(released, after.source, now);
  const overridesFile = folder ? path.join(root, OVERRIDES) : '';
  const judged = applyOverrides(overridesFile, diffContracts(before, after), policy, now);
  const changes = judged.changes.sort((a, b) => compareBumps(b.impact, a.impact));
  const requiredBump = changes[0]?.impact ?? 'none';
  const declared = olderChangesets && (await declaredBump(root, olderChangesets));
  const isTooSmall = declared !== undefined && compareBumps(declared, requiredBump) < 0;

  const generate = async ({ bundle }: Version) => generateFiles(bundle);
  const failures: Violation[] = [];
  // The generators may fail on a contract with lint problems; the rest of the report is still made.
  const fail = ({ message }: Error) => {
    failures.push({ rule: 'generation-failed', message: `Generation failed: ${message}` });
  };
  const files = isOurs ? await generate(after).catch(fail) : undefined;
  const stale = files ? staleFiles(root, files) : [];
  // No diff of the SDK without changes for clients, such as for a new type that no operation uses.
  const filesBefore = files && requiredBump !== 'none' ? await generate(before).catch(() => undefined) : undefined;
  const isBase = (place: Place) => place.source.file !== headFile;
  return {
    requiredBump,
    declaredBump: declared,
    changes,
    violations: [
      ...toViolations(problems, after.source, root),
      ...judged.violations,
      ...failures,
      ...(stale.length > 0 ? [{ rule: 'generated-stale', message: `${REGENERATE}: ${stale.join(', ')}.` }] : []),
      ...(isTooSmall ? [tooSmall(requiredBump, declared)] : []),
    ],
    notes: [...notesOn(changes, requiredBump, declared)],
    deprecations: deprecationsIn(after.source, now),
    overrides: judged.overrides,
    surface: files && filesBefore ? surfaceDiff(filesBefore, files) : '',
    ...(requiredBump !== 'none' &&
      (isTooSmall || !folder) && { changeset: changeset(requiredBump, summary(changes, requiredBump)) }),
    where: (place) => {
      const file = path.relative(isBase(place) ? baseRoot : root, place.file);
      return `${file}:${place.line}${isBase(place) ? ' (base)' : ''}`;
    },
    annotate: (place) => ({
      file: path.relative(root, isBase(place) ? headFile : place.file),
      line: isBase(place) ? after.source.find(headFile, place.pointer).line : place.line,
    }),
  };
}

const REGENERATE = 'Run `pnpm contract:generate` and commit the result';

function tooSmall(required: Bump, declared: Bump): Violation {
  const needs = `The change requires a ${required} version of \`${PACKAGE}\``;
  return declared === 'none'
    ? { rule: 'changeset-missing', message: `${needs}, and no changeset declares one.` }
    : { rule: 'changeset-too-small', message: `${needs}; the changesets say ${declared}.` };
}

/** Remarks that are not violations. */
function* notesOn(changes: readonly Change[], required: Bump, declared: Bump = 'none'): Generator<string> {
  if (compareBumps(declared, required) > 0)
    yield `The changesets say ${declared}; this change of the contract alone requires ${bumpText(required)}.`;
  if (changes.some(({ operations }) => operations.some(({ mayBreak }) => mayBreak)))
    for (const [level, may] of Object.entries(STABILITIES)) yield `\`${level}\` operations ${may}.`;
  // The deprecation policy checks removals.
  if (changes.some(({ impact, rule }) => impact === 'major' && rule !== 'operation-removed'))
    yield 'Within `/v1` only compatible changes and announced removals are allowed. Anything else belongs under a new path segment.';
}

/** The reason of the version bump, for users of the SDK. */
function summary(changes: readonly Change[], bump: Bump): string {
  const messages = new Set(changes.filter(({ impact }) => impact === bump).map(({ message }) => message));
  return messages.size === 1 ? [...messages].join() : [...messages].map((message) => `- ${message}`).join('\n');
}
