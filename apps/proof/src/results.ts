import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { markdown, type Part, type Result } from './report.ts';

/** What the last run of each part found, and the page that shows all of them. */

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'results');

/** Beside the page that shows it. */
export const PLOT_FILE = path.join(root, 'soak.png');

/** Keeps what a part found, instead of what it found before, and writes `REPORT.md` anew. */
export async function writeReport(name: string, part: Part, command: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const server = JSON.parse(readFileSync(path.join(root, '../server/package.json'), 'utf8'));
  const result: Result = {
    date: new Date().toISOString().slice(0, 10),
    version: server.version,
    commit: execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
      cwd: root,
      encoding: 'utf8',
    }).trim(),
    command,
    machine: `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node.js ${process.versions.node}`,
    part,
  };
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  const order = ['contract', 'protocol', 'faults', 'soak'].map((each) => `${each}.json`);
  const files = order.filter((file) => readdirSync(folder).includes(file));
  const results = files.map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Result);
  writeFileSync(path.join(root, 'REPORT.md'), markdown(results));
}
