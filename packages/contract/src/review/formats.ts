import type { Report } from './review.ts';

export function toJson({ requiredBump, declaredBump = 'none', changes, violations }: Report): string {
  const report = {
    requiredBump,
    declaredBump,
    changes: changes.map(({ impact, rule, operations, place, message }) => {
      const reached = operations.map(({ name, message: part }) => (part ? `${name} (${part})` : name));
      return { impact, rule, operations: reached, pointer: place.pointer, line: place.line, message };
    }),
    violations: violations.map(({ rule, message, fix }) => ({ rule, message, fix })),
  };
  return JSON.stringify(report, null, 2);
}

/** GitHub workflow commands that annotate each change and violation in the pull request's diff. */
export function toAnnotations({ changes, violations, annotate }: Report): string {
  const encode = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => encode(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const line = (level: string, rule: string, message: string, at?: { file: string; line: number }) =>
    `::${level} ${at ? `file=${property(at.file)},line=${at.line},` : ''}title=${property(rule)}::${encode(message)}`;
  return [
    ...violations.map(({ rule, message, fix, place }) =>
      line('error', rule, `${message} To do: ${fix}.`, place && annotate(place)),
    ),
    ...changes.map(({ impact, rule, message, place }) =>
      line(impact === 'major' ? 'warning' : 'notice', rule, `${impact}: ${message}`, annotate(place)),
    ),
  ].join('\n');
}
