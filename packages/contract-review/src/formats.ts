import type { Place } from '@petstore-platform/openapi';
import type { Impact } from './bump.ts';
import { idOf } from './finding.ts';
import type { Report } from './report.ts';
import { callsOf } from './usage.ts';

export function toJson(report: Report): string {
  const { policy, requiredBump, declaredBump, changes, violations, unclassified, usage } = report;
  const at = (place: Place | undefined) => place && report.where(place);
  const content = {
    policy,
    requiredBump,
    declaredBump,
    changes: changes.map((change) => {
      const { impact, rule, operations, place, message } = change;
      const reached = operations.map(({ name, message: part }) => (part ? `${name} (${part})` : name));
      const calls = callsOf(change, usage);
      return { impact, rule, operations: reached, ...at(place), message, change: idOf(change), calls };
    }),
    violations: violations.map(({ rule, message, fix, place }) => ({ rule, message, fix, ...at(place) })),
    unclassified: unclassified.map(at),
  };
  return JSON.stringify(content, null, 2);
}

/** All that the report says of places, for formats with a list of results. */
function resultsOf({ violations, changes, unclassified }: Report) {
  const result = (level: Impact | 'error' | 'none', rule: string, place: Place | undefined, message: string) => {
    return { level, rule, place, message };
  };
  return [
    ...violations.map(({ rule, place, message, fix }) => result('error', rule, place, `${message} To do: ${fix}.`)),
    ...changes.map(({ impact, rule, place, message }) => result(impact, rule, place, message)),
    ...unclassified.map((place) => result('none', 'unclassified', place, 'Changed without a rating of its own.')),
  ];
}

/** SARIF 2.1.0, for tools that show findings of analyses. */
export function toSarif(report: Report): string {
  const results = resultsOf(report).map(({ rule: ruleId, level, message, place }) => {
    const { file = '', line = 1, side = 'head' } = place ? report.where(place) : {};
    const region = { artifactLocation: { uri: encodeURI(file) }, region: { startLine: line } };
    return {
      ruleId,
      level: /error|major/.test(level) ? 'error' : 'note',
      // In the text of a message, SARIF reads links as Markdown does.
      message: { text: message.replaceAll('](', '] (') },
      ...(place && { locations: [{ physicalLocation: region, message: { text: `In the ${side}` } }] }),
      properties: { side },
    };
  });
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({ id }));
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  const runs = [{ tool: { driver: { name: 'contract-review', rules } }, results }];
  return JSON.stringify({ $schema, version: '2.1.0', runs }, null, 2);
}

/** GitHub workflow commands that annotate each change and violation in the pull request's diff. */
export function toAnnotations(report: Report): string {
  const encode = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => encode(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const lines = resultsOf(report).map(({ rule, level, message, place }) => {
    const where = place && report.annotate(place);
    const location = where ? `file=${property(where.file)},line=${where.line},` : '';
    const command = level === 'error' ? level : level === 'major' ? 'warning' : 'notice';
    const impact = /error|none/.test(level) ? '' : `${level}: `;
    return `::${command} ${location}title=${property(rule)}::${encode(impact + message)}`;
  });
  return lines.join('\n');
}
