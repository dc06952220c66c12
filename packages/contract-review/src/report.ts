/** Rates a change by the policy, and collects what its author needs to know. */
import path from 'node:path';
import type { Place } from '@petstore-platform/openapi';
import { type Bump, bumpText, compareBumps, largestBump } from './bump.ts';
import { changeset, declaredBump } from './changesets.ts';
import type { Change } from './compare.ts';
import { diffContracts } from './compare.ts';
import { operationsIn } from './operations.ts';
import { Overrides, overridesFor } from './overrides.ts';
import { checkDeprecations, checkVersion, type Violation, violationBy } from './policy.ts';
import { unclassified } from './unclassified.ts';
import { type Options, type Version, written } from './version.ts';
import { code, STABILITIES } from './words.ts';

export interface Request {
  /** A file, a git ref, or `ref:path`. */
  base: string;
  /** A file, a git ref, or `ref:path`. Default: the contract of the work tree. */
  head?: string | undefined;
  /** The contract's path from the root of the repository. Default: the only document in `openapi/` or the root. */
  contract?: string | undefined;
  /** The released contract, and the overrides. Default: `.released/<name>` and `.overrides/<name>` beside the contract. */
  released?: string | undefined;
  overrides?: string | undefined;
  package?: string | undefined;
  /** The impact from which on a change is refused. Default: the policy decides. */
  failOn?: 'major' | 'minor' | 'never' | undefined;
  cwd: string;
  now: Date;
}

/** The checks that a workspace adds for its own contracts. The review judges any contract without them. */
export interface Workspace {
  /** Files besides the contract that {@link overlay} needs of the base. */
  files?: readonly string[];
  /** @param root - the folder of one side */
  overlay?(root: string): Options['overlay'];
  /** Checks what belongs to a change of the contract, such as its lint and generated code. */
  inspect?(base: Version, head: Version, requiredBump: Bump): Promise<Inspection>;
}

export interface Inspection {
  violations: Violation[];
  notes: string[];
  surface: string;
  /** The policy of a workspace that has not released its contract yet. */
  unreleased?: string;
}

const STRICT =
  'strict. No released contract was found, so the base counts as released; `--fail-on never` reports only.';

export type Report = Awaited<ReturnType<typeof reportOn>>;

/** @param repository - undefined for two files */
export async function reportOn(
  request: Request,
  { base, head, released }: { base: Version; head: Version; released?: Version | undefined },
  overridesFile = '',
  repository?: { root: string; changesets: readonly string[]; workspace: Workspace },
) {
  const { now, cwd, failOn, package: name } = request;
  const overrides = new Overrides(overridesFile && path.resolve(repository?.root ?? cwd, overridesFile), now);
  const diff = (from: Version, to: Version) => overrides.rate(diffContracts(from, to));
  const changes = diff(base, head).sort(byRank);
  const requiredBump = largestBump(changes.map(({ impact }) => impact));
  const limit = failOn === 'never' ? undefined : failOn;
  const declared = repository && name ? declaredBump(repository.root, name, repository.changesets) : undefined;
  const missing = declared && compareBumps(declared, requiredBump) < 0 ? { declared, name: `${name}` } : undefined;
  const extras = await repository?.workspace.inspect?.(base, head, requiredBump);
  const unreleased = released ? undefined : extras?.unreleased;
  const broken = () => {
    if (unreleased || changes.length === 0) return [];
    const [all, older] = released ? [diff(released, head), diff(released, base)] : [changes, []];
    return checkVersion(all, older, declared !== undefined);
  };
  const policy = limit
    ? changes
        .filter(({ impact }) => compareBumps(impact, limit) >= 0)
        .map((one) => violationBy(one, `fail-on-${limit}`))
    : [...broken(), ...checkDeprecations(released ?? base, head, now)];
  const others = limit
    ? []
    : [...(extras?.violations ?? []), ...(missing ? [missingChangeset(requiredBump, missing)] : [])];
  const violations: Violation[] = [...overrides.lift(policy), ...others];
  const isBase = ({ source }: Place) => source !== head && source !== head.written.source;
  return {
    name: path.basename(head.file).replace(/\.\w+$/, ''),
    policy: failOn
      ? `${code(`--fail-on ${failOn}`)} ${limit ? `refuses each change that is ${limit} or more` : 'reports only'}.`
      : (unreleased ?? (released ? `measured against ${code(released.nameOf(released.file))}, as released.` : STRICT)),
    isRefused: failOn !== 'never' && violations.length > 0,
    requiredBump,
    /** The bump that changesets declare; undefined without a package. */
    declaredBump: declared,
    changes,
    violations,
    notes: [...notesOn(changes, requiredBump, declared), ...(extras?.notes ?? [])],
    /** The places that differ without a change, because they mean the same or have no rating. */
    unclassified: unclassified(base, head, changes),
    overrides: overrides.all,
    override: overridesFile ? overridesFor(violations, now) : [],
    overridesFile,
    surface: extras?.surface ?? '',
    changeset: missing ? changeset(missing.name, requiredBump, summary(changes, requiredBump)) : '',
    operations: new Set([base, head].flatMap(({ root }) => [...operationsIn(root).values()].map(({ name }) => name)))
      .size,
    /** The file, line, side and pointer of a place, as its author wrote it. */
    where(place: Place) {
      const [{ file, line, pointer }, side] = [written(place), isBase(place) ? ('base' as const) : ('head' as const)];
      return { file: (side === 'base' ? base : head).nameOf(file), line, side, pointer };
    },
    /** The place at which to annotate the new contract; the closest line if it was removed. */
    annotate(place: Place) {
      return this.where(isBase(place) ? head.written.at(...written(place).keys) : place);
    },
  };
}

export const isOpening = ({ rule }: Change) => rule === 'security-removed';

/** Sorts what is public now first, then by impact, then operations before requests, responses and types, then by affected operations. */
function byRank(a: Change, b: Change): number {
  const starts = ['operation', 'request', 'response', ''];
  const rank = ({ rule }: Change) =>
    rule.startsWith('component-schema') ? starts.length : starts.findIndex((start) => rule.startsWith(start));
  return (
    Number(isOpening(b)) - Number(isOpening(a)) ||
    compareBumps(b.impact, a.impact) ||
    rank(a) - rank(b) ||
    b.operations.length - a.operations.length
  );
}

function missingChangeset(required: Bump, { declared, name }: { declared: Bump; name: string }): Violation {
  const [suffix, reason] =
    declared === 'none' ? ['missing', 'no changeset declares one'] : ['too-small', `the changesets say ${declared}`];
  const message = `The change requires a ${required} version of ${code(name)}, but ${reason}.`;
  const fix = `declare \`${required}\` in a changeset, as at the end of this report`;
  return { rule: `changeset-${suffix}`, message, fix };
}

function* notesOn(changes: readonly Change[], required: Bump, declared: Bump = 'none'): Generator<string> {
  if (compareBumps(declared, required) > 0)
    yield `The changesets say ${declared}; this change of the contract alone requires ${bumpText(required)}.`;
  if (changes.some(({ operations }) => operations.some(({ mayBreak }) => mayBreak)))
    for (const [level, may] of Object.entries(STABILITIES)) yield `\`${level}\` operations ${may}.`;
}

function summary(changes: readonly Change[], bump: Bump): string {
  const messages = new Set(changes.filter(({ impact }) => impact === bump).map(({ message }) => message));
  return messages.size === 1 ? [...messages].join() : [...messages].map((message) => `- ${message}`).join('\n');
}
