import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

/** A row of the table. */
export interface Row {
  /** Name of the check. */
  what: string;
  /** Number of trials. */
  tried: number;
  /** One line each. */
  failures: string[];
  /** Acknowledged writes that are missing, one line each. Absent for checks without writes. */
  losses?: string[];
  /** Further figures. */
  note?: string;
}

/** A part of the proof. */
export interface Part {
  name: string;
  rows: Row[];
  /** Markdown below the table. */
  appendix?: string;
}

/** The stored result of a part. */
export interface Result {
  /** Date, version, machine and command. */
  run: string;
  part: Part;
}

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'results');

/** The losses and failures of all parts, one line each. */
export function problems(parts: Part[]): string[] {
  return parts.flatMap(({ rows }) =>
    rows.flatMap(({ what, failures, losses = [] }) => [...losses, ...failures].map((line) => `${what}: ${line}`)),
  );
}

/** Renders the table in Markdown. */
export function table(parts: Part[]): string {
  const count = (number: number) => number.toLocaleString('en-US');
  const rows = parts.flatMap(({ name, rows }) =>
    rows.map(({ what, tried, failures, losses, note = '' }) => {
      const lost = losses ? count(losses.length) : '–';
      return `| ${name} | ${what} | ${count(tried)} | ${count(failures.length)} | ${lost} | ${note} |`;
    }),
  );
  return ['| Part | Check | Trials | Failed | Lost | Figures |', '|---|---|--:|--:|--:|---|', ...rows].join('\n');
}

/** Renders `REPORT.md`. */
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
 * Replaces the stored result of a part and rewrites `REPORT.md`.
 *
 * @param order - names of all parts, in the order of the page
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

/** The short commit hash, with `-dirty` for local changes other than the report itself. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const written = ['apps/proof/results', 'apps/proof/REPORT.md'];
  const changes = git('status', '--porcelain', '--', ':/', ...written.map((file) => `:(top,exclude)${file}`));
  return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '-dirty'}`;
}
