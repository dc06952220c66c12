/** The verdicts of `redocly diff` on the corpus. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CASES, type Case, type CorpusFiles, documentOf, PLAIN } from '../corpus.ts';

const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
const config = fileURLToPath(new URL('redocly-diff.yaml', import.meta.url));

interface Change {
  impact: 'major' | 'minor' | 'patch';
  base?: { pointer: string };
  revision?: { pointer: string };
}

/** The cases that differ in one path only. They share a pair of documents, because the start of Redocly dominates the run time. */
const TOGETHER = CASES.filter(isOnePath);

/** The names of those that break clients by Redocly's verdict. */
export async function casesThatBreak(corpus: CorpusFiles): Promise<string[]> {
  const paths = (side: 'base' | 'head') =>
    Object.fromEntries(TOGETHER.map((one) => [`/${one.name}/orders`, documentOf(one, side).paths['/orders']]));
  const [base, head] = (['base', 'head'] as const).map((side) =>
    corpus.write(`together/${side}.json`, { ...PLAIN, paths: paths(side) }),
  ) as [string, string];
  const names = (await majors(base, head)).map(({ base: before, revision }) => {
    return /^#\/paths\/~1([^/]+)~1orders/.exec((revision ?? before)?.pointer ?? '')?.[1] ?? '';
  });
  return [...new Set(names)].sort();
}

async function majors(base: string, head: string): Promise<Change[]> {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NODE_NO_WARNINGS: '1' };
  const command = [cli, 'diff', base, head, '--format=json', '--fail-on=none', `--config=${config}`];
  const { stdout } = await promisify(execFile)(process.execPath, [...command, '--lint-config=error'], {
    env: { ...process.env, ...quiet, NO_COLOR: '1', FORCE_COLOR: undefined },
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const { reportVersion, changes } = JSON.parse(stdout);
  if (reportVersion !== '1') throw new Error(`\`redocly diff\` reports in version ${reportVersion}`);
  return changes.filter(({ impact }: Change) => impact === 'major');
}

function isOnePath(one: Case): boolean {
  const rest = ({ paths, ...others }: Record<string, unknown>) =>
    JSON.stringify([others, Object.keys(paths as object)]);
  const expected = JSON.stringify([PLAIN, ['/orders']]);
  return one.files.size === 2 && (['base', 'head'] as const).every((side) => rest(documentOf(one, side)) === expected);
}
