import { idOf } from './finding.ts';
import type { Place } from './place.ts';
import type { Report } from './report.ts';
import { callsOf } from './usage.ts';

/** The `file`, `line` and `side` (base or head) of a place, with its pointer. */
const at = (report: Report, place: Place | undefined) => place && { ...report.where(place), pointer: place.pointer };

export function toJson(report: Report): string {
  const { requiredBump, declaredBump, changes, violations, unrated, usage } = report;
  return JSON.stringify(
    {
      requiredBump,
      declaredBump,
      changes: changes.map((change) => {
        const { impact, rule, operations, place, message } = change;
        const reached = operations.map(({ name, message: part }) => (part ? `${name} (${part})` : name));
        const calls = callsOf(change, usage);
        return { impact, rule, operations: reached, ...at(report, place), message, change: idOf(change), calls };
      }),
      violations: violations.map(({ rule, message, fix, place }) => ({ rule, message, fix, ...at(report, place) })),
      unrated: unrated.map((place) => at(report, place)),
    },
    null,
    2,
  );
}

const LEVELS = { major: 'error', minor: 'note', patch: 'note' } as const;

/** SARIF 2.1.0, for tools that show findings of analyses. */
export function toSarif(report: Report): string {
  const result = (ruleId: string, level: string, text: string, place: Place | undefined) => {
    const { file = '', line = 1, side = 'head' } = at(report, place) ?? {};
    const region = { artifactLocation: { uri: encodeURI(file) }, region: { startLine: line } };
    const locations = place && [{ physicalLocation: region, message: { text: `In the ${side}` } }];
    // In the text of a message, SARIF reads links as Markdown does.
    return {
      ruleId,
      level,
      message: { text: text.replaceAll('](', '] (') },
      ...(locations && { locations }),
      properties: { side },
    };
  };
  const results = [
    ...report.violations.map(({ rule, message, fix, place }) =>
      result(rule, 'error', `${message} To do: ${fix}.`, place),
    ),
    ...report.changes.map(({ impact, rule, message, place }) => result(rule, LEVELS[impact], message, place)),
    ...report.unrated.map((place) => result('unrated', 'note', 'Changed without a rating of its own.', place)),
  ];
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({ id }));
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  const runs = [{ tool: { driver: { name: 'contract-review', rules } }, results }];
  return JSON.stringify({ $schema, version: '2.1.0', runs }, null, 2);
}

/** GitHub workflow commands that annotate each change and violation in the pull request's diff. */
export function toAnnotations(report: Report): string {
  const encode = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => encode(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const line = (level: string, rule: string, message: string, place?: Place) => {
    const where = place && report.annotate(place);
    const location = where ? `file=${property(where.file)},line=${where.line},` : '';
    return `::${level} ${location}title=${property(rule)}::${encode(message)}`;
  };
  return [
    ...report.violations.map(({ rule, message, fix, place }) =>
      line('error', rule, `${message} To do: ${fix}.`, place),
    ),
    ...report.changes.map(({ impact, rule, message, place }) =>
      line(impact === 'major' ? 'warning' : 'notice', rule, `${impact}: ${message}`, place),
    ),
    ...report.unrated.map((place) => line('notice', 'unrated', 'Changed without a rating of its own.', place)),
  ].join('\n');
}
