/** What a part of the proof did, as one line of the table. */
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

/** A part with what somebody needs to repeat it. */
export interface Result {
  date: string;
  /** The server's. */
  version: string;
  /** In short; `-dirty` for one with changes. */
  commit: string;
  /** As it was typed. */
  command: string;
  /** As in `linux x64, 2 processors, Node.js 24.21.0`. */
  machine: string;
  part: Part;
}

const count = (number: number) => number.toLocaleString('en-US');

/** Whether nothing failed and nothing was lost. */
export function isClean(parts: Part[]): boolean {
  return parts.every(({ rows }) => rows.every(({ failures, losses = [] }) => failures.length + losses.length === 0));
}

/** The table, in Markdown that reads as well on a terminal. */
export function table(parts: Part[]): string {
  const lines = parts.flatMap(({ name, rows }) =>
    rows.map(({ what, tried, failures, losses, note = '' }) => [
      name,
      what,
      count(tried),
      count(failures.length),
      losses === undefined ? '–' : count(losses.length),
      note,
    ]),
  );
  const cells = [['Part', 'What was tried', 'How often', 'Failed', 'Lost', 'Figures'], ...lines];
  const numeric = [false, false, true, true, true, false];
  const widths = numeric.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  const [head = '', ...body] = cells.map((row) => `| ${row.map(pad).join(' | ')} |`);
  const rule = widths.map((width, column) => `${'-'.repeat(width + 1)}${numeric[column] ? ':' : '-'}`);
  return [head, `|${rule.join('|')}|`, ...body].join('\n');
}

/** The table, with when, of what and how each part of it was found. */
export function summary(results: Result[]): string {
  const runs = results.map(
    ({ part, date, version, commit, command, machine }) =>
      `| ${part.name} | ${date} | ${version} (${commit}) | \`${command}\` | ${machine} |`,
  );
  const head = '| Part | Date | Server | Command | Machine |\n|---|---|---|---|---|';
  return `${table(results.map(({ part }) => part))}\n\n${head}\n${runs.join('\n')}`;
}

/** The page that is kept: the summary, whatever is not as it must be, and what a part has to add. */
export function markdown(results: Result[]): string {
  const problems = results.flatMap(({ part }) =>
    part.rows.flatMap(({ what, failures, losses = [] }) =>
      [...losses, ...failures].map((line) => `- ${what}: ${line}`),
    ),
  );
  const sections = [
    '# Proof',
    'The server fuzzed, abused, broken and loaded. Each run writes its part of this page; do not edit it.',
    summary(results),
    problems.length === 0 ? 'Nothing failed, nothing was lost.' : `## Problems\n\n${problems.slice(0, 100).join('\n')}`,
    ...results.flatMap(({ part }) => part.appendix ?? []),
  ];
  return `${sections.join('\n\n')}\n`;
}
