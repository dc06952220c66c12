import type { Place } from '@petstore-platform/openapi';
import { idOf } from './finding.ts';
import type { Report } from './report.ts';

export function toJson(report: Report): string {
  const { policy, requiredBump, declaredBump, changes, violations, unclassified } = report;
  const at = (place: Place | undefined) => place && report.where(place);
  const content = {
    policy,
    requiredBump,
    declaredBump,
    changes: changes.map((change) => {
      const { impact, rule, operations, place, message } = change;
      const reached = operations.map(({ name, message: part }) => (part ? `${name} (${part})` : name));
      return { impact, rule, operations: reached, ...at(place), message, change: idOf(change) };
    }),
    violations: violations.map(({ rule, message, fix, place }) => ({ rule, message, fix, ...at(place) })),
    unclassified: unclassified.map(at),
  };
  return JSON.stringify(content, null, 2);
}

/** GitHub workflow commands that annotate each change and violation in the pull request's diff. */
export function toAnnotations(report: Report): string {
  const { violations, changes, unclassified } = report;
  const encode = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => encode(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const line = (command: string, rule: string, place: Place | undefined, message: string) => {
    const where = place && report.annotate(place);
    const location = where ? `file=${property(where.file)},line=${where.line},` : '';
    return `::${command} ${location}title=${property(rule)}::${encode(message)}`;
  };
  return [
    ...violations.map(({ rule, place, message, fix }) => line('error', rule, place, `${message} To do: ${fix}.`)),
    ...changes.map(({ impact, rule, place, message }) =>
      line(impact === 'major' ? 'warning' : 'notice', rule, place, `${impact}: ${message}`),
    ),
    ...unclassified.map((place) => line('notice', 'unclassified', place, 'Changed without a rating of its own.')),
  ].join('\n');
}
