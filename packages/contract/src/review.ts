/** Reviews the workspace's own contracts, with the platform's part, lint, generated code and changesets. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  commitOf,
  type Job,
  mergeBase,
  type Request,
  readTree,
  rootOf,
  type Version,
  type Violation,
  type Workspace,
} from '@petstore-platform/contract-review';
import { code } from '@petstore-platform/contract-review/words';
import { generateFiles, staleFiles } from './generate/generate.ts';
import { isError, type Problem } from './lint/report.ts';
import { PLATFORMS, platformIn } from './platform.ts';
import { platformOverlay, publishedIn } from './read.ts';
import { lint } from './redocly.ts';
import { surfaceDiff } from './surface.ts';
import { isManifest, isReleased, serviceNameOf, type Target, targetsOf } from './targets.ts';

/** The reviews that a request asks for: of the given contract, or of all contracts in base or head. */
export async function jobsFor(request: Request): Promise<Job[]> {
  const { cwd, base, contract } = request;
  if (statSync(path.resolve(cwd, base), { throwIfNoEntry: false })?.isFile()) return [[request]];
  const root = rootOf(cwd);
  const [current, before] = [targetsOf(root).filter(isReleased), await targetsAt(root, base)];
  const gone = before.filter(({ contract }) => !current.some((target) => target.contract === contract));
  // A contract that moved to another path still has the same server or SDK.
  const formerOf = ({ client, server }: Target) =>
    gone.find((old) => (client && old.client === client) || (server && old.server === server));
  const former = new Map(current.map((target) => [target, formerOf(target)]));
  const removed = gone.filter((target) => ![...former.values()].includes(target));
  const isMeant = (target: Target) => !contract || [target.contract, serviceNameOf(target.contract)].includes(contract);
  const jobs = [
    ...current.filter(isMeant).map((target): Job => {
      const old = former.get(target);
      const from = old && !base.includes(':') ? `${base}:${old.contract}` : base;
      return [
        { ...request, base: from, contract: target.contract, package: target.sdk?.package },
        workspaceOf(root, target),
      ];
    }),
    ...removed.filter(isMeant).map((target): Job => {
      return [
        { ...request, contract: target.contract },
        { ...OVERLAID, inspect: async () => unnamed(root, target) },
      ];
    }),
  ];
  if (jobs.length > 0) return jobs;
  if (contract === undefined) throw new Error('no package.json names a contract; give one by --contract');
  if (!/\.(ya?ml|json)$/.test(contract)) {
    const names = current.map((target) => serviceNameOf(target.contract)).join(', ') || 'none';
    throw new Error(`there is no contract ${contract}; known are: ${names}`);
  }
  // No package names this contract.
  return [[request]];
}

/** The contracts that packages named at the merge base. Head no longer names a removed one. */
async function targetsAt(root: string, base: string): Promise<Target[]> {
  const commit = commitOf(root, base.split(':')[0] ?? '');
  if (commit === undefined) return [];
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-base-'));
  try {
    const tree = readTree(root, mergeBase(root, commit, 'HEAD'), folder);
    tree.load(...[...tree.files].filter(isManifest));
    return targetsOf(folder).filter(isReleased);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The platform's part of the contracts of a workspace, or of one side of a review. */
export const overlayIn = (root: string) => platformOverlay(platformIn(root));

const OVERLAID: Workspace = { files: PLATFORMS, overlay: overlayIn };

const UNRELEASED =
  'No contract was released yet. After the first release, only compatible changes and announced removals are allowed within `/v1`.';

function workspaceOf(root: string, target: Target): Workspace {
  const { client } = target;
  return {
    ...OVERLAID,
    async inspect(base, compared, required) {
      // A contract that is gone has nothing to lint, and nothing to generate.
      const head = compared.file === base.file ? base : compared;
      const [problems, notes] = await newProblems(base, head);
      const before = required === 'none' ? undefined : generate(base, target);
      const after = generate(head, target);
      const stale = after.files ? staleFiles(root, after.files) : [];
      const message = `Generated files are stale: ${stale.map(code).join(', ')}.`;
      const fix = 'generate, and commit the result';
      return {
        violations: [
          ...problems,
          ...(after.failure ? [after.failure] : []),
          ...(stale.length > 0 ? [{ rule: 'generated-stale', message, fix }] : []),
        ],
        notes,
        // A new type that no operation uses changes nothing for clients, so there is no difference to show.
        surface: client && before?.files && after.files ? surfaceDiff(before.files, after.files, client) : '',
        unreleased: UNRELEASED,
      };
    },
  };
}

function unnamed(root: string, { contract }: Target) {
  const isThere = statSync(path.join(root, contract), { throwIfNoEntry: false }) !== undefined;
  const message = `No package names the contract ${code(contract)} any more: it has no server and no SDK.`;
  const fix = `name ${code(contract)} in a package.json, or remove its operations as any other`;
  return { violations: isThere ? [{ rule: 'contract-unnamed', message, fix }] : [], notes: [], surface: '' };
}

/** Generates the code of a version. A failure becomes a violation, because lint problems must not prevent the report. */
function generate({ reading }: Version, target: Target) {
  try {
    return { files: generateFiles(publishedIn(reading), target) };
  } catch (error) {
    const message = `Generation failed: ${code((error as Error).message)}`;
    const fix = 'change the parts of the contract that the generators cannot read';
    return { failure: { rule: 'generation-failed', message, fix } };
  }
}

/** The lint errors of head that base does not have at any line, and notes on the other problems. */
async function newProblems(base: Version, head: Version): Promise<[Violation[], notes: string[]]> {
  const all = await lint(head.reading, head.folder);
  // The key omits positions in arrays, because a new item moves the items behind it.
  const keyOf = (one: Problem) => `${one.rule} ${one.message} ${one.pointer.replace(/\/\d{1,2}\b/g, '')}`;
  const older = all.length > 0 ? (await lint(base.reading, base.folder)).map(keyOf) : [];
  const added = all.filter((problem) => {
    const index = older.indexOf(keyOf(problem));
    return index < 0 || !older.splice(index, 1);
  });
  const violations = added.filter(isError).map(({ rule, file, line, message, pointer }) => {
    const place = head.written.source.find(path.resolve(file), pointer);
    const fix = 'solve the lint problems, each at its line';
    return { rule, message: `${code(`${head.nameOf(place.file)}:${line}`)} ${code(message)}`, fix, place };
  });
  const [errors, warnings] = [all.filter(isError).length - violations.length, added.length - violations.length];
  const notes = [
    ...(errors > 0 ? [`Lint errors that the base has, too: ${errors}.`] : []),
    ...(warnings > 0 ? [`New lint warnings, which the lint shows: ${warnings}.`] : []),
  ];
  return [violations, notes];
}
