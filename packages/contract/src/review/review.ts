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
import { Overrides, overridesFor } from './overrides.ts';
import { checkDeprecations, checkVersion, deprecationsIn, isBreaking, toViolations, type Violation } from './policy.ts';
import type { Place } from './source.ts';
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
  overrides: Overrides['all'];
  /** Overrides to paste, for violations that one can lift. */
  override: string;
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
  const releasedFile = path.join(baseRoot, RELEASED);
  const released = folder && existsSync(releasedFile) ? await readVersion(releasedFile) : undefined;
  const overrides = new Overrides(folder ? path.join(root, OVERRIDES) : '', now);
  const diff = (from: Version, to: Version) => overrides.rate(diffContracts(from, to));
  const changes = diff(before, after).sort((a, b) => compareBumps(b.impact, a.impact));
  const breaks = changes.some(isBreaking);
  const policy = [
    ...(released && breaks ? checkVersion(diff(released, after), diff(released, before)) : []),
    // Before the first release, the base counts as released.
    ...checkDeprecations((released ?? before).source, after.source, now),
  ];
  const requiredBump = changes[0]?.impact ?? 'none';
  const declared = olderChangesets && (await declaredBump(root, olderChangesets));
  const isTooSmall = declared !== undefined && compareBumps(declared, requiredBump) < 0;

  // The rules and the SDK are not for the contracts of others.
  const { problems, known } = isOurs ? await newProblems(headFile, before.source.file) : { problems: [], known: 0 };
  const failures: Violation[] = [];
  const generate = async ({ bundle }: Version) => generateFiles(bundle);
  // The generators may fail on a contract with lint problems; the rest of the report is still made.
  const fail = ({ message }: Error) => {
    const fix = 'change what the generators cannot read';
    failures.push({ rule: 'generation-failed', message: `Generation failed: ${message}`, fix });
  };
  const files = isOurs ? await generate(after).catch(fail) : undefined;
  const stale = files ? staleFiles(root, files) : [];
  // No diff of the SDK without changes for clients, such as for a new type that no operation uses.
  const filesBefore = files && requiredBump !== 'none' ? await generate(before).catch(() => undefined) : undefined;
  const violations = [
    ...overrides.lift(policy),
    ...toViolations(problems, after.source, root),
    ...failures,
    ...(stale.length > 0 ? [isStale(stale)] : []),
    ...(isTooSmall ? [tooSmall(requiredBump, declared)] : []),
  ];
  const isBase = (place: Place) => place.source.file !== headFile;
  return {
    requiredBump,
    declaredBump: declared,
    changes,
    violations,
    notes: [...notesOn(changes, requiredBump, declared, known, breaks && !released)],
    deprecations: deprecationsIn(after.source, now),
    overrides: overrides.all,
    override: overridesFor(violations, now),
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

/** The lint problems of head that base does not have, wherever they are, and the number of the others. */
async function newProblems(head: string, base: string) {
  const { lint } = await import('../redocly.ts');
  const all = await lint(head);
  const keyOf = ({ rule, message, pointer }: (typeof all)[0]) => JSON.stringify([rule, message, pointer]);
  const older = new Set(all.length > 0 ? (await lint(base)).map(keyOf) : []);
  const problems = all.filter((problem) => !older.has(keyOf(problem)));
  return { problems, known: all.length - problems.length };
}

const REGENERATE = 'run `pnpm contract:generate` and commit the result';

function isStale(files: readonly string[]): Violation {
  return { rule: 'generated-stale', message: `Generated files are stale: ${files.join(', ')}.`, fix: REGENERATE };
}

function tooSmall(required: Bump, declared: Bump): Violation {
  const needs = `The change requires a ${required} version of \`${PACKAGE}\``;
  const fix = `declare \`${required}\` in a changeset, as at the end of this report`;
  return declared === 'none'
    ? { rule: 'changeset-missing', message: `${needs}, and no changeset declares one.`, fix }
    : { rule: 'changeset-too-small', message: `${needs}; the changesets say ${declared}.`, fix };
}

/** Remarks that are not violations. */
function* notesOn(
  changes: readonly Change[],
  required: Bump,
  declared: Bump = 'none',
  knownProblems: number,
  isUnreleased: boolean,
): Generator<string> {
  if (compareBumps(declared, required) > 0)
    yield `The changesets say ${declared}; this change of the contract alone requires ${bumpText(required)}.`;
  if (changes.some(({ operations }) => operations.some(({ mayBreak }) => mayBreak)))
    for (const [level, may] of Object.entries(STABILITIES)) yield `\`${level}\` operations ${may}.`;
  if (isUnreleased)
    yield 'No contract was released yet. After the first release, only compatible changes and announced removals are allowed within `/v1`.';
  if (knownProblems > 0)
    yield `Problems of the lint that the base has, too: ${knownProblems}. \`pnpm contract:lint\` lists them.`;
}

/** The reason of the version bump, for users of the SDK. */
function summary(changes: readonly Change[], bump: Bump): string {
  const messages = new Set(changes.filter(({ impact }) => impact === bump).map(({ message }) => message));
  return messages.size === 1 ? [...messages].join() : [...messages].map((message) => `- ${message}`).join('\n');
}
