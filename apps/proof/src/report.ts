import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Evidence } from '@petstore-platform/testkit/evidence';

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

/** A part of the reliability tests. */
export interface Part {
  name: string;
  rows: Row[];
  /** Markdown below the table. */
  appendix?: string;
}

/** The stored result of a part. */
export interface Result {
  /** Command, date, version, commit and machine. */
  run: string;
  commit: string;
  part: Part;
}

const folder = path.join(import.meta.dirname, '../results');

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
    '# Reliability tests',
    'The server fuzzed, abused, broken and loaded. All parts are of one commit. Runs write this page; do not edit it.',
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
 * Replaces the stored result of a part and rewrites `REPORT.md`. Results of other commits leave it.
 *
 * @param order - names of all parts, in the order of the page
 */
export function writeReport(name: string, order: string[], part: Part, { source, commit, write }: Evidence): void {
  const result: Result = { run: source, commit, part };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  const results: Result[] = [];
  for (const file of order.map((each) => `${each}.json`).filter((file) => readdirSync(folder).includes(file))) {
    const stored = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Result;
    if (stored.commit === commit) results.push(stored);
    else rmSync(path.join(folder, file));
  }
  write('apps/proof/REPORT.md', markdown(results));
}
