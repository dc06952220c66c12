import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { markdown, type Part, type Result, summary } from './report.ts';

/** What the last run of each part found, and the pages that show all of them. */

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'results');

/** Beside the page that shows it. */
export const PLOT_FILE = path.join(root, 'soak.png');

/** Where the summary is shown, between these lines. */
const README = path.join(root, '../server/README.md');
const SHOWN = /(?<=<!-- proof: .*-->\n)[\s\S]*(?=<!-- \/proof -->)/;

/** Keeps what a part found, instead of what it found before, and writes `REPORT.md` and the summary anew. */
export function writeReport(name: string, part: Part, command: string): void {
  const server = JSON.parse(readFileSync(path.join(root, '../server/package.json'), 'utf8'));
  const result: Result = {
    date: new Date().toISOString().slice(0, 10),
    version: server.version,
    commit: commit(),
    command,
    machine: `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node.js ${process.versions.node}`,
    part,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  const order = ['contract', 'protocol', 'faults', 'soak'].map((each) => `${each}.json`);
  const files = order.filter((file) => readdirSync(folder).includes(file));
  const results = files.map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Result);
  writeFileSync(path.join(root, 'REPORT.md'), markdown(results));
  const readme = readFileSync(README, 'utf8');
  writeFileSync(
    README,
    readme.replace(SHOWN, () => `\n${summary(results)}\n\n`),
  );
}

/** The commit that runs, in short; `-dirty` with changes, other than what these runs write. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const written = ['apps/proof/results', 'apps/proof/REPORT.md', 'apps/proof/soak.png', 'apps/server/README.md'];
  const changes = git('status', '--porcelain', '--', ':/', ...written.map((file) => `:(top,exclude)${file}`));
  return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '-dirty'}`;
}
