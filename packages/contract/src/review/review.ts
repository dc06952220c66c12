/** The review of a contract change: lint → diff → policy → stale generation → changesets. */
import { existsSync, statSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PLATFORM, platformIn } from '../complete.ts';
import { besides, isReleased, nameOf, STABILITIES, type Target, targetsOf } from '../contract.ts';
import { generateFiles, staleFiles } from '../generate/generate.ts';
import { type Bump, bumpText, compareBumps } from './bump.ts';
import { changeset, declaredBump } from './changesets.ts';
import type { Change } from './compare.ts';
import { diffContracts, readVersion, unrated, type Version } from './diff.ts';
import { exportBase, has, rootOf } from './git.ts';
import { Overrides, overridesFor } from './overrides.ts';
import { checkDeprecations, checkVersion, deprecationsIn, isBreaking, type Violation } from './policy.ts';
import type { Place, Source } from './source.ts';
import { surfaceDiff } from './surface.ts';

export type Report = Awaited<ReturnType<typeof review>>;

interface Request {
  /** A git ref or a file. */
  base: string;
  /** A file. Default: the contract of the work tree. */
  head?: string | undefined;
  /** The file or the name of a contract. Default: all of the workspace. */
  contract?: string | undefined;
  /** The working directory of the command. */
  cwd: string;
  now: Date;
}

/**
 * One report of each contract.
 *
 * @param tell - gets the contracts that are new, of which there is no report
 */
export async function reviews(request: Request, tell = (_message: string) => {}): Promise<Report[]> {
  const { base, head, contract, cwd } = request;
  if (head && isFile(cwd, base)) return [await review(request, cwd, { contract: head })];
  const root = await rootOf(cwd);
  const targets = targetsOf(root).filter(isReleased);
  const known = targets.filter((target) => [target.contract, nameOf(target.contract)].includes(contract ?? ''));
  const [chosen, ...others] = contract === undefined ? targets : known.length > 0 ? known : [{ contract }];
  if (!chosen) throw new Error('no package.json names a contract; give one by --contract');
  const isUnknown = known.length === 0 && contract !== undefined && !isFile(root, contract);
  if (isUnknown && !(await has(root, base, contract))) {
    const names = targets.map((target) => nameOf(target.contract)).join(', ') || 'none';
    throw new Error(`there is no contract ${contract}; known are: ${names}`);
  }
  const reports: Report[] = [];
  for (const target of [chosen, ...others])
    if (isFile(cwd, base) || (await has(root, base, target.contract)))
      reports.push(await review(request, root, target));
    else tell(`The contract ${target.contract} is new, so it breaks nobody.`);
  return reports;
}

// A folder may have the name of a branch.
const isFile = (cwd: string, base: string) =>
  statSync(path.resolve(cwd, base), { throwIfNoEntry: false })?.isFile() === true;

async function review({ base, head, cwd, now }: Request, root: string, target: Target) {
  const { contract, client, sdk } = target;
  const isTwoFiles = head !== undefined && isFile(cwd, base);
  const headFile = head ? path.resolve(cwd, head) : path.join(root, contract);
  // Of another repository, no package of the workspace names it.
  const isOurs =
    !isFile(cwd, base) && headFile === path.join(root, contract) && (client ?? target.server) !== undefined;
  // A base file has no repository, and so no released contract, overrides and changesets.
  await using folder = isFile(cwd, base) ? undefined : await mkdtempDisposable(path.join(tmpdir(), 'contract-review-'));
  const baseRoot = folder?.path ?? root;
  const olderChangesets = folder && (await exportBase(root, base, contract, PLATFORM, baseRoot));

  // Two files may be of any API. Each side of this one has the platform of its own time.
  const [platformBefore, platformAfter] = isTwoFiles ? [] : [platformIn(baseRoot), platformIn(root)];
  const before = await readVersion(folder ? path.join(baseRoot, contract) : path.resolve(cwd, base), platformBefore);
  const after = await readVersion(headFile, platformAfter);
  const releasedFile = path.join(baseRoot, besides(contract, 'released'));
  const released = folder && existsSync(releasedFile) ? await readVersion(releasedFile) : undefined;
  const overridesFile = besides(contract, 'overrides');
  const overrides = new Overrides(folder ? path.join(root, overridesFile) : '', now);
  const diff = (from: Version, to: Version) => overrides.rate(diffContracts(from, to));
  const changes = diff(before, after).sort((a, b) => compareBumps(b.impact, a.impact));
  const policy = [
    ...(released && changes.length > 0 ? checkVersion(diff(released, after), diff(released, before)) : []),
    // Before the first release, the base counts as released.
    ...checkDeprecations((released ?? before).source, after.source, now),
  ];
  const requiredBump: Bump = changes[0]?.impact ?? 'none';
  const declared = olderChangesets && sdk && (await declaredBump(root, sdk.package, olderChangesets));

  // The rules and the SDK are not for the contracts of others.
  const [problems, known] = isOurs ? await newProblems(after.source, before.source, root) : [[], 0];
  const generated = isOurs ? generate(after, target) : {};
  // No diff of the SDK without changes for clients, such as for a new type that no operation uses.
  const generatedBefore = isOurs && requiredBump !== 'none' ? generate(before, target) : {};
  const violations: Violation[] = [
    ...overrides.lift(policy),
    ...problems,
    ...(generated.failure ? [generated.failure] : []),
    ...companions(generated.files ? staleFiles(root, generated.files) : [], requiredBump, declared, sdk?.package),
  ];
  const isBase = (place: Place) => place.source.file !== headFile;
  return {
    name: nameOf(headFile),
    requiredBump,
    /** Undefined if two files were compared, or there is no SDK: then there are no changesets. */
    declaredBump: declared,
    changes,
    violations,
    notes: [
      ...notesOn(changes, requiredBump, declared),
      ...unratedNote(unrated(before, after, changes)),
      ...(!released && changes.some(isBreaking) ? [UNRELEASED] : []),
      ...(known > 0 ? [`Problems of the lint that the base has, too: ${known}.`] : []),
    ],
    deprecations: deprecationsIn(after.source, now),
    overrides: overrides.all,
    /** To paste, like the changeset. */
    override: overridesFor(violations, now),
    overridesFile,
    surface:
      client && generated.files && generatedBefore.files
        ? surfaceDiff(generatedBefore.files, generated.files, client)
        : '',
    changeset:
      sdk && compareBumps(declared ?? 'none', requiredBump) < 0
        ? changeset(sdk.package, requiredBump, summary(changes, requiredBump))
        : '',
    /** `openapi/shop.yaml:67` */
    where(place: Place) {
      const origin = place.source.originOf(place);
      const file = path.relative(isBase(place) ? baseRoot : root, origin.file);
      return `${file}:${origin.line}${isBase(place) ? ' (base)' : ''}`;
    },
    /** Where to annotate the new contract: the place, or the closest line if it was removed. */
    annotate(place: Place) {
      const { file, line } = after.source.originOf(isBase(place) ? after.source.find(headFile, place.pointer) : place);
      return { file: path.relative(root, file), line };
    },
  };
}

/** The generators may fail on a contract with lint problems; the rest of the report is still made. */
function generate({ bundle }: Version, target: Target): { files?: Map<string, string>; failure?: Violation } {
  try {
    return { files: generateFiles(bundle, target) };
  } catch (error) {
    const [message, fix] = [`Generation failed: ${(error as Error).message}`, 'change what the generators cannot read'];
    return { failure: { rule: 'generation-failed', message, fix } };
  }
}

/** The lint problems of head that base does not have, wherever they are, and the number of the others. */
async function newProblems(head: Source, base: Source, root: string): Promise<[Violation[], known: number]> {
  const { lint } = await import('../redocly.ts');
  const all = await lint(head.file, head.platform);
  // A new item moves those behind it, so positions in arrays do not count.
  const keyOf = (one: (typeof all)[0]) => `${one.rule} ${one.message} ${one.pointer.replace(/\/\d{1,2}\b/g, '')}`;
  const older = all.length > 0 ? (await lint(base.file, base.platform)).map(keyOf) : [];
  const added = all.filter((problem) => {
    const index = older.indexOf(keyOf(problem));
    return index < 0 || !older.splice(index, 1);
  });
  const violations = added.map(({ rule, file, line, message, pointer }) => {
    const [place, fix] = [head.find(path.resolve(file), pointer), 'solve the problems of the lint, each at its line'];
    return { rule, message: `${path.relative(root, place.file)}:${line} ${message}`, fix, place };
  });
  return [violations, all.length - added.length];
}

/** Violations by what does not belong to the contract: stale generated files, and changesets. */
function* companions(
  stale: readonly string[],
  required: Bump,
  declared: Bump | undefined,
  sdk?: string,
): Generator<Violation> {
  if (stale.length > 0) {
    const fix = 'run `pnpm contract:generate` and commit the result';
    yield { rule: 'generated-stale', message: `Generated files are stale: ${stale.join(', ')}.`, fix };
  }
  if (declared === undefined || compareBumps(declared, required) >= 0) return;
  const reason = declared === 'none' ? 'no changeset declares one' : `the changesets say ${declared}`;
  const message = `The change requires a ${required} version of \`${sdk}\`, but ${reason}.`;
  const fix = `declare \`${required}\` in a changeset, as at the end of this report`;
  yield { rule: `changeset-${declared === 'none' ? 'missing' : 'too-small'}`, message, fix };
}

/** No change is silent, also one that is none. */
function* unratedNote(places: readonly Place[]): Generator<string> {
  const shown = places.slice(0, 5).map(({ pointer }) => `\`${pointer}\``);
  const more = places.length > shown.length ? ` and ${places.length - shown.length} more` : '';
  if (places.length > 0) yield `Changed without a rating of their own: ${shown.join(', ')}${more}.`;
}

const UNRELEASED =
  'No contract was released yet. After the first release, only compatible changes and announced removals are allowed within `/v1`.';

function* notesOn(changes: readonly Change[], required: Bump, declared: Bump = 'none'): Generator<string> {
  if (compareBumps(declared, required) > 0)
    yield `The changesets say ${declared}; this change of the contract alone requires ${bumpText(required)}.`;
  if (changes.some(({ operations }) => operations.some(({ mayBreak }) => mayBreak)))
    for (const [level, may] of Object.entries(STABILITIES)) yield `\`${level}\` operations ${may}.`;
}

/** The reason of the version bump, for users of the SDK. */
function summary(changes: readonly Change[], bump: Bump): string {
  const messages = new Set(changes.filter(({ impact }) => impact === bump).map(({ message }) => message));
  return messages.size === 1 ? [...messages].join() : [...messages].map((message) => `- ${message}`).join('\n');
}
