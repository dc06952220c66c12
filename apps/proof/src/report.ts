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
}

/** The losses and failures of all parts, one line each. */
export function problems(parts: Part[]): string[] {
  return parts.flatMap(({ rows }) =>
    rows.flatMap(({ what, failures, losses = [] }) => [...losses, ...failures].map((line) => `${what}: ${line}`)),
  );
}

/** Renders the table in Markdown. */
function table(parts: Part[]): string {
  const count = (number: number) => number.toLocaleString('en-US');
  const rows = parts.flatMap(({ name, rows }) =>
    rows.map(({ what, tried, failures, losses, note = '' }) => {
      const lost = losses ? count(losses.length) : '–';
      return `| ${name} | ${what} | ${count(tried)} | ${count(failures.length)} | ${lost} | ${note} |`;
    }),
  );
  return ['| Part | Check | Trials | Failed | Lost | Figures |', '|---|---|--:|--:|--:|---|', ...rows].join('\n');
}

/** Renders the report. @param source - command, date, commit and machine */
export function markdown(parts: Part[], source: string): string {
  const lines = problems(parts).slice(0, 100);
  const sections = [
    '# Reliability tests',
    `The server fuzzed, abused, broken and loaded: ${source}.`,
    table(parts),
    lines.length === 0
      ? 'Nothing failed, nothing was lost.'
      : `## Problems\n\n${lines.map((line) => `- ${line}`).join('\n')}`,
  ];
  return `${sections.join('\n\n')}\n`;
}
