import type { Change } from './compare.ts';
import { type Bump, compareBumps } from './finding.ts';
import type { Report } from './review.ts';

/** By which the pull request's one comment is found again. */
const MARKER = '<!-- petstore-contract-review -->';

/** The report as the reviewer reads it: the verdict, what breaks, and the rest folded. */
export function toMarkdown(report: Report): string {
  const { changes, violations, notes, deprecations, overrides, surface, changeset } = report;
  const [majors, others] = [changes.filter(isMajor), changes.filter((change) => !isMajor(change))];
  const sections = [
    MARKER,
    `## Contract review: ${verdict(report)}`,
    changes.length === 0 ? 'Nothing changes for clients.' : '',
    section(
      'To mend',
      violations.map(({ rule, message }) => `- ${message} (\`${rule}\`)`),
    ),
    section('Breaks clients', table(majors, report)),
    majors.length > 0
      ? fold(count(others), table(others, report))
      : section(capital(count(others)), table(others, report)),
    notes.map((note) => `> ${note}`).join('\n>\n'),
    section(
      'Overrides in force',
      overrides.map(({ rule, operation, pointer, impact, reason, expires, expired }) => {
        const effect = expired ? '**expired**' : impact ? `counts as ${impact}` : 'lifted';
        return `- \`${rule}\` for \`${operation ?? pointer}\` ${effect}, until ${expires}: ${reason}`;
      }),
    ),
    section('Deprecations', deadlines(deprecations)),
    code('What the SDK exports', 'diff', surface.client),
    fold('what the server’s handlers implement', code('', 'diff', surface.server).split('\n')),
    code(changeset ? 'A changeset to paste into `.changeset/<name>.md`' : '', 'md', changeset?.trimEnd() ?? ''),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

const isMajor = ({ impact }: Change) => impact === 'major';

function verdict({ requiredBump, declaredBump, withoutChangesets, violations }: Report): string {
  const needs = requiredBump === 'none' ? 'requires no release' : `requires ${requiredBump}`;
  if (withoutChangesets) return `${needs} ${violations.length === 0 ? '✓' : '✗'}`;
  const says =
    declaredBump === 'none' ? (requiredBump === 'none' ? '' : ', no changeset') : `, changeset says ${declaredBump}`;
  const others = violations.filter(({ rule }) => !rule.startsWith('changeset-')).length;
  const fits = compareBumps(declaredBump, requiredBump) >= 0;
  // The mark at the end is for the whole review; a changeset that fits must not look like a pass of the rest.
  return `${needs}${says} ${fits && others === 0 ? '✓' : '✗'}${fits && others > 0 ? ` (${others} to mend)` : ''}`;
}

function table(changes: readonly Change[], { where }: Report): string[] {
  if (changes.length === 0) return [];
  return [
    ...rows(['Impact', 'Operation', 'What changed', 'Rule', 'Where']),
    ...changes.map(({ impact, operations, message, rule, place }) =>
      row([
        impact === 'major' ? '**major**' : impact,
        reached(operations) || 'all',
        message,
        `\`${rule}\``,
        `\`${where(place)}\``,
      ]),
    ),
  ];
}

/** `listPets (request)`, `listPets (response)` → `listPets` (request, response) */
function reached(operations: readonly string[]): string {
  const directions = new Map<string, string[]>();
  for (const operation of operations) {
    const [, name = operation, direction] = /^(.*) \((\w+)\)$/.exec(operation) ?? [];
    directions.set(name, [...(directions.get(name) ?? []), ...(direction ? [direction] : [])]);
  }
  const parts = [...directions].map(([name, ways]) => `\`${name}\`${ways.length > 0 ? ` (${ways.join(', ')})` : ''}`);
  return parts.join('<br>');
}

function deadlines(deprecations: Report['deprecations']): string[] {
  if (deprecations.length === 0) return [];
  return [
    ...rows(['Operation', 'Goes on', 'Days left', 'Instead']),
    ...deprecations.map(({ operation, sunset, daysLeft, replacement }) => {
      const days = daysLeft > 0 ? String(daysLeft) : '**may be removed**';
      return row([`\`${operation}\``, sunset, days, replacement && `\`${replacement}\``]);
    }),
  ];
}

function rows(titles: string[]): string[] {
  return [row(titles), row(titles.map(() => '---'))];
}

/** A table's row: a cell is one line, and a bar in it is text. */
function row(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function section(title: string, lines: string[]): string {
  return lines.length === 0 ? '' : `### ${title}\n\n${lines.join('\n')}`;
}

function fold(title: string, lines: string[]): string {
  return lines.join('') === ''
    ? ''
    : `<details><summary>${capital(title)}</summary>\n\n${lines.join('\n')}\n\n</details>`;
}

function code(title: string, language: string, text: string): string {
  if (text === '') return '';
  // A fence is longer than any that the text has in it.
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${title === '' ? '' : `### ${title}\n\n`}${fence}${language}\n${text}\n${fence}`;
}

function count(changes: readonly Change[]): string {
  const kinds: Bump[] = ['minor', 'patch'];
  const parts = kinds.flatMap((kind) => {
    const number = changes.filter(({ impact }) => impact === kind).length;
    return number === 0 ? [] : [`${number} ${kind}`];
  });
  return `compatible changes: ${parts.join(', ')}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Workflow commands that show each change and violation at its line in the pull request's diff. */
export function toAnnotations({ changes, violations, annotate }: Report): string {
  const encode = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => encode(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const line = (level: string, rule: string, message: string, at?: { file: string; line: number }) =>
    `::${level} ${at ? `file=${property(at.file)},line=${at.line},` : ''}title=${property(rule)}::${encode(message)}`;
  return [
    ...violations.map(({ rule, message, place }) => line('error', rule, message, place && annotate(place))),
    ...changes.map(({ impact, rule, message, place }) => {
      return line(impact === 'major' ? 'warning' : 'notice', rule, `${impact}: ${message}`, annotate(place));
    }),
  ].join('\n');
}
