import { lintFiles, type Problem } from '../redocly.ts';

/**
 * Lints a contract and returns its problems in reading order.
 *
 * @throws Error with a one-line message when the contract cannot be read or parsed, or when Redocly fails.
 */
export async function lint(file: string): Promise<Problem[]> {
  const problems = await lintFiles([file]);
  return problems.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}

/** One line for each problem, in the form that editors and terminals link, then a line that counts them. */
export function formatProblems(problems: readonly Problem[]): string {
  const lines = problems.map(
    ({ file, line, column, severity, rule, message }) => `${file}:${line}:${column} ${severity} ${rule}  ${message}`,
  );
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return [...lines, `${count(errors, 'error')}, ${count(problems.length - errors, 'warning')}`].join('\n');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
