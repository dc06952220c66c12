import type { Change } from './changes.ts';
import { count, few, headline } from './headline.ts';
import type { Report } from './review.ts';

/** By which the pull request's one comment is found again. */
const MARKER = '<!-- petstore-contract-review -->';

/** Characters that a section may have. A comment on GitHub has at most 65,536; all sections together stay below 60,000. */
const ROOM = {
  violations: 8_000,
  majors: 16_000,
  others: 8_000,
  list: 3_000,
  client: 9_000,
  server: 5_000,
  changeset: 4_000,
};

/** The report as the reviewer reads it: the verdict, what breaks, and the rest folded. */
export function toMarkdown(report: Report): string {
  const { changes, violations, notes, deprecations, overrides, surface, changeset } = report;
  const [majors, others] = [changes.filter(isMajor), changes.filter((change) => !isMajor(change))];
  const compatible = `compatible changes: ${count(others)}`;
  const otherRows = fit(table(others, report), ROOM.others);
  const points = violations.map(({ rule, message }) => `- ${message} (\`${rule}\`)`);
  const exceptions = overrides.map(({ rule, operation, pointer, impact, reason, expires, expired }) => {
    const effect = expired ? '**expired**' : impact ? `counts as ${impact}` : 'lifted';
    return `- \`${rule}\` for \`${operation ?? pointer}\` ${effect}, until ${expires}: ${reason}`;
  });
  const sections = [
    [MARKER, headline(report)[0]].join('\n\n'),
    ...headline(report).slice(1),
    section('To mend', fit(points, ROOM.violations)),
    section('Breaks clients', fit(table(majors, report), ROOM.majors)),
    majors.length > 0 ? fold(compatible, otherRows) : section(capital(compatible), otherRows),
    notes.map((note) => `> ${note}`).join('\n>\n'),
    section('Overrides in force', fit(exceptions, ROOM.list)),
    section('Deprecations', fit(deadlines(deprecations), ROOM.list)),
    code('What the SDK exports', 'diff', cut(surface.client, ROOM.client)),
    fold('what the server’s handlers implement', [code('', 'diff', cut(surface.server, ROOM.server))]),
    changeset
      ? code('A changeset to paste into `.changeset/<name>.md`', 'md', cut(changeset.trimEnd(), ROOM.changeset))
      : '',
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

const isMajor = ({ impact }: Change) => impact === 'major';

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
  return few(parts, '<br>');
}

function deadlines(deprecations: Report['deprecations']): string[] {
  if (deprecations.length === 0) return [];
  return [
    ...rows(['Operation', 'Goes on', 'Days left', 'Instead']),
    ...deprecations.map(({ operation, sunset, daysLeft, replacement }) => {
      const days = Number.isNaN(daysLeft) ? '**no date**' : daysLeft > 0 ? String(daysLeft) : '**may be removed**';
      return row([`\`${operation}\``, sunset, days, replacement && `\`${replacement}\``]);
    }),
  ];
}

function rows(titles: string[]): string[] {
  return [row(titles), row(titles.map(() => '---'))];
}

/** A table's row: a cell is one line, and a bar in it is text. */
function row(cells: string[]): string {
  return `| ${cells.map((cell) => clip(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

const clip = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}…` : text);

/** As many lines as there is room for, and how many more there are. */
function fit(lines: readonly string[], room: number): string[] {
  const kept: string[] = [];
  let left = room;
  for (const line of lines) {
    const shown = line.startsWith('|') ? line : clip(line);
    left -= shown.length + 1;
    if (left < 0) return [...kept, '', `… and ${lines.length - kept.length} more.`];
    kept.push(shown);
  }
  return kept;
}

const cut = (text: string, room: number) => fit(text.split('\n'), room).join('\n');

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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
