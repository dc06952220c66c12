/** Writes the reports of the benchmarks and the reliability tests. Each names the commit that it measured, and how to repeat it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

/** The files that the runs themselves write. */
const REPORTS = ['apps/bench/results', 'apps/proof/REPORT.md'];
const ROOT = path.join(import.meta.dirname, '../../..');

export interface Evidence {
  /** A line that names the commit, the time, the machine and the command. */
  source: string;
  /** Writes a report. Paths are from the root. */
  write(file: string, text: string): void;
}

/**
 * Begins a report. It must be called before the measurements.
 *
 * @throws Error when files differ from the commit, because nobody could repeat the run
 */
export function beginEvidence(command: string, root = ROOT): Evidence {
  const commit = cleanCommit(root);
  const { version } = JSON.parse(readFileSync(path.join(root, 'apps/server/package.json'), 'utf8'));
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node.js ${process.versions.node}`;
  const source = `\`${command}\`, ${date}, server ${version}, commit ${commit.slice(0, 12)}, ${machine}`;
  const write = (file: string, text: string) => {
    if (cleanCommit(root) !== commit) throw new Error(`HEAD has moved since this run of ${command} began.`);
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  return { source, write };
}

function cleanCommit(root: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const others = REPORTS.map((file) => `:(top,exclude)${file}`);
  const changes = git('status', '--porcelain', '--', ':/', ...others);
  if (changes)
    throw new Error(`Commit these changes first, as a report names the commit that it measured:\n${changes}`);
  return git('rev-parse', 'HEAD');
}
