import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

/** One line of the table. */
export interface Row {
  /** What was tried. */
  what: string;
  /** How often. */
  tried: number;
  /** What was not as it must be, each in one line. */
  failures: string[];
  /** What was acknowledged and is gone, each in one line. Absent where nothing could be lost. */
  losses?: string[];
  /** A figure to go with it, as in `9,120 creates acknowledged`. */
  note?: string;
}

/** A part of the proof. */
export interface Part {
  name: string;
  rows: Row[];
  /** Markdown below the table. */
  appendix?: string;
}

/** A part as it was found. */
export interface Result {
  /** When, of which server, on what, by which command. */
  run: string;
  part: Part;
}

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'results');

/** The failures and losses of all parts, each in one line. */
export function problems(parts: Part[]): string[] {
  return parts.flatMap(({ rows }) =>
    rows.flatMap(({ what, failures, losses = [] }) => [...losses, ...failures].map((line) => `${what}: ${line}`)),
  );
}

/** The table, in Markdown. */
export function table(parts: Part[]): string {
  const count = (number: number) => number.toLocaleString('en-US');
  const rows = parts.flatMap(({ name, rows }) =>
    rows.map(({ what, tried, failures, losses, note = '' }) => {
      const lost = losses ? count(losses.length) : '–';
      return `| ${name} | ${what} | ${count(tried)} | ${count(failures.length)} | ${lost} | ${note} |`;
    }),
  );
  return ['| Part | Tried | How often | Failed | Lost | Figures |', '|---|---|--:|--:|--:|---|', ...rows].join('\n');
}

/** The page that is kept: the table, the problems, the runs, and the appendices. */
export function markdown(results: Result[]): string {
  const parts = results.map(({ part }) => part);
  const lines = problems(parts).slice(0, 100);
  const sections = [
    '# Proof',
    'The server fuzzed, abused, broken and loaded. Each run writes its part of this page; do not edit it.',
    table(parts),
    lines.length === 0
      ? 'Nothing failed, nothing was lost.'
      : `## Problems\n\n${lines.map((line) => `- ${line}`).join('\n')}`,
    ['## Runs\n', ...results.map(({ part, run }) => `- ${part.name}: ${run}`)].join('\n'),
    ...parts.flatMap(({ appendix }) => appendix ?? []),
  ];
  return `${sections.join('\n\n')}\n`;
}

/**
 * Keeps what a part found, instead of what it found before, and writes `REPORT.md` anew.
 *
 * @param order - the names of all parts, as they stand on the page
 */
export function writeReport(name: string, order: string[], part: Part, command: string): void {
  const { version } = JSON.parse(readFileSync(path.join(root, '../server/package.json'), 'utf8'));
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node.js ${process.versions.node}`;
  const date = new Date().toISOString().slice(0, 10);
  const result: Result = { run: `${date}, ${version} (${commit()}), ${machine}: \`${command}\``, part };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  const files = order.map((each) => `${each}.json`).filter((file) => readdirSync(folder).includes(file));
  const results = files.map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Result);
  writeFileSync(path.join(root, 'REPORT.md'), markdown(results));
}

/** The commit that runs, in short; `-dirty` with changes, other than what these runs write. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const written = ['apps/proof/results', 'apps/proof/REPORT.md'];
  const changes = git('status', '--porcelain', '--', ':/', ...written.map((file) => `:(top,exclude)${file}`));
  return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '-dirty'}`;
}
