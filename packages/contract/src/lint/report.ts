/** The problems of a contract, as a terminal shows them. */
import type { Note } from '@petstore-platform/openapi';
import { counted } from '../contract.ts';

/** A note whose file is relative to the working directory. An error refuses the contract. */
export interface Problem extends Note {
  column: number;
}

/** The number of warnings of a rule that are shown. */
const MOST_SHOWN = 3;

export const isError = ({ level }: Problem) => level === 'error';

/**
 * Errors by place, then warnings by place, then a line that counts both. Of each rule, only the first warnings are shown.
 *
 * @param isAll - shows all warnings
 */
export function report(problems: readonly Problem[], isAll = false): string {
  const [errors, warnings] = [problems.filter(isError), problems.filter((one) => !isError(one))];
  const byRule = Map.groupBy(warnings, ({ rule }) => rule);
  const isShown = (one: Problem) => isAll || (byRule.get(one.rule)?.indexOf(one) ?? 0) < MOST_SHOWN;
  const lines = [...errors, ...warnings.filter(isShown)].map(
    // Editors and terminals turn `file:line:column` into a link.
    ({ file, line, column, level, rule, message }) => `${file}:${line}:${column} ${level} ${rule}  ${message}`,
  );
  const folded = [...byRule].map(([rule, { length }]) => [rule, isAll ? 0 : length - MOST_SHOWN] as const);
  const more = folded.filter(([, count]) => count > 0).map(([rule, count]) => `${count} more of ${rule}`);
  if (more.length > 0) lines.push(`Not shown: ${more.join(', ')}. \`--all\` shows them.`);
  const counts = [
    ...(errors.length > 0 || warnings.length === 0 ? [counted(errors.length, 'errors')] : []),
    ...(warnings.length > 0 ? [`${counted(warnings.length, 'warnings')}`] : []),
  ];
  const advice =
    warnings.length > 0 ? '. A warning refuses nothing; `x-lint: { <rule>: off }` at the root silences it.' : '';
  return `${[...lines, counts.join(', ') + advice].join('\n')}\n`;
}
