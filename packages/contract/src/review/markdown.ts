import { counted } from '../contract.ts';
import { bumpText } from './bump.ts';
import type { Change } from './compare.ts';
import type { Report } from './review.ts';

/** Identifies the pull request comment to update. */
const markerOf = (name: string) => `<!-- contract-review: ${name} -->`;

/** Characters. A GitHub comment has at most 65,536. */
const ROOM = 55_000;

/** Made on demand: few of the lines of a large report fit. */
type Line = string | (() => string);

type Section = [title: string, lines: readonly Line[], form?: { isFolded?: boolean; language?: string }];

/** The report as Markdown: the verdict, breaking changes, and the rest collapsed. */
export function toMarkdown(report: Report): string {
  const { name, changes, violations, notes, deprecations, overrides, override, overridesFile, surface, changeset } =
    report;
  const [majors, others] = [changes.filter(isMajor), changes.filter((change) => !isMajor(change))];
  const exceptions = overrides.map(({ rule, operation, pointer, impact, reason, expires, expired }) => {
    const effect = expired ? '**expired**' : impact ? `counts as ${impact}` : 'lifted';
    return `- \`${rule}\` for \`${operation ?? pointer}\` ${effect}, until ${expires}: ${reason}`;
  });
  const sections: Section[] = [
    ['To fix', violations.map(({ rule, message }) => `- ${message} (\`${rule}\`)`)],
    ['Breaking changes', changesTable(majors, report)],
    [`Compatible changes: ${count(others)}`, changesTable(others, report), { isFolded: majors.length > 0 }],
    ['', notes.flatMap((note, index) => (index === 0 ? [`> ${note}`] : ['>', `> ${note}`]))],
    ['Overrides in force', exceptions],
    ['Deprecations', deadlines(deprecations)],
    ['Exports of the SDK', linesOf(surface), { language: 'diff' }],
    [`An override to paste into \`${overridesFile}\``, linesOf(override), { language: 'yaml' }],
    ['A changeset to paste into `.changeset/<name>.md`', linesOf(changeset.trimEnd()), { language: 'md' }],
  ];
  let left = ROOM;
  const blocks = sections.map((section) => {
    // Earlier sections are more important, but leave room for the rest.
    const block = render(section, left / 3);
    left -= block.length;
    return block;
  });
  const headline = [`## Contract review of ${name}: ${verdict(report)}`, outcome(report), todo(report)];
  return `${[markerOf(name), ...headline, ...blocks.filter(Boolean)].join('\n\n')}\n`;
}

function verdict({ requiredBump, declaredBump, violations }: Report): string {
  const needs = `requires ${bumpText(requiredBump)}`;
  const others = violations.filter(({ rule }) => !rule.startsWith('changeset-')).length;
  // The sign is the verdict of the whole review: a sufficient changeset alone is no pass.
  const toFix = declaredBump && others === violations.length ? ` (${others} to fix)` : '';
  const sign = violations.length === 0 ? '✓' : `✗${toFix}`;
  const isSilent = !declaredBump || (declaredBump === 'none' && requiredBump === 'none');
  const says = declaredBump === 'none' ? 'no changeset' : `changeset says ${declaredBump}`;
  return `${needs}${isSilent ? '' : `, ${says}`} ${sign}`;
}

function outcome({ changes }: Report): string {
  if (changes.length === 0) return 'Nothing changes for clients.';
  const [majors, others] = [changes.filter(isMajor), count(changes)];
  if (majors.length === 0) return `**Breaks nobody.** Compatible changes: ${others}.`;
  const notes = new Map<string, string>();
  for (const { operations } of majors)
    for (const { name, stability, title } of operations) notes.set(name, [stability, title].filter(Boolean).join(', '));
  const called = [...notes].map(([name, note]) => `\`${name}\`${note && ` (${note})`}`);
  const whom = majors.some(({ operations }) => operations.length === 0) ? 'all clients' : `clients of ${few(called)}`;
  return `**Breaks ${whom}**: ${counted(majors.length, 'breaking changes')}${others && `; also ${others}`}.`;
}

function todo({ requiredBump, violations, override }: Report): string {
  const fixes = [...new Set(violations.map(({ fix }) => fix))];
  const agreement = requiredBump === 'major' ? 'confirm that these clients have to change' : 'nothing';
  const exception = override === '' ? '' : '; or give the reason in the override at the end of this report';
  return `**To do:** ${few(fixes, '; ') || agreement}${exception}.`;
}

/** `2 minor, 1 patch` */
function count(changes: readonly Change[]): string {
  const lengthOf = (kind: string) => changes.filter(({ impact }) => impact === kind).length;
  const kinds = ['minor', 'patch'].filter((kind) => lengthOf(kind) > 0);
  return kinds.map((kind) => `${lengthOf(kind)} ${kind}`).join(', ');
}

/** Joins the first five, with the number of the others. */
function few(things: readonly string[], separator = ', '): string {
  return [...things.slice(0, 5), ...(things.length > 5 ? [`and ${things.length - 5} more`] : [])].join(separator);
}

const isMajor = ({ impact }: Change) => impact === 'major';

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));

function render([title, lines, { isFolded, language } = {}]: Section, room: number): string {
  if (lines.length === 0) return '';
  let text = fit(lines, room).join('\n');
  if (language) {
    // The fence must be longer than any in the text.
    const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    text = `${fence}${language}\n${text}\n${fence}`;
  }
  if (isFolded) return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
  return title ? `### ${title}\n\n${text}` : text;
}

/** The lines that fit, and the number of the others. */
function fit(lines: readonly Line[], room: number): string[] {
  const kept: string[] = [];
  let left = room;
  for (const line of lines) {
    const shown = typeof line === 'string' ? clip(line) : line();
    left -= shown.length + 1;
    if (left < 0) return [...kept, '', `… and ${lines.length - kept.length} more.`];
    kept.push(shown);
  }
  return kept;
}

const clip = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}…` : text);

function changesTable(changes: readonly Change[], { where }: Report): Line[] {
  const cellsOf = ({ impact, operations, message, rule, place }: Change) => [
    impact === 'major' ? '**major**' : impact,
    reached(operations) || 'all',
    message,
    `\`${rule}\``,
    `\`${where(place)}\``,
  ];
  return table(['Impact', 'Operation', 'Change', 'Rule', 'Location'], changes, cellsOf);
}

/** `` `listOrders` (beta, request, response) `` */
function reached(operations: Change['operations']): string {
  const byName = Map.groupBy(operations, ({ name }) => name);
  const parts = [...byName].map(([name, all]) => {
    const notes = [all[0]?.stability, ...all.map(({ message }) => message)].filter(Boolean);
    return `\`${name}\`${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  });
  return few(parts, '<br>');
}

function deadlines(deprecations: Report['deprecations']): Line[] {
  const cellsOf = ({ operation, sunset, daysLeft, replacement }: Report['deprecations'][0]) => {
    const days = Number.isNaN(daysLeft) ? '**no date**' : daysLeft > 0 ? String(daysLeft) : '**may be removed**';
    return [`\`${operation}\``, sunset, days, replacement && `\`${replacement}\``];
  };
  return table(['Operation', 'Sunset', 'Days left', 'Replacement'], deprecations, cellsOf);
}

/** A Markdown table. Escapes line breaks and bars in cells. */
function table<Thing>(titles: string[], things: readonly Thing[], cellsOf: (thing: Thing) => string[]): Line[] {
  if (things.length === 0) return [];
  const escaped = (cell: string) => clip(cell).replaceAll('|', '\\|').replaceAll('\n', ' ');
  const row = (cells: string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return [row(titles), row(titles.map(() => '---')), ...things.map((thing) => () => row(cellsOf(thing)))];
}
