import { adviceOn } from './advice.ts';
import { bumpText } from './bump.ts';
import type { Change } from './compare.ts';
import { grouped, type Row } from './grouping.ts';
import { isOpening, type Report } from './report.ts';
import { code, counted } from './words.ts';

const markerOf = (name: string) => `<!-- contract-review: ${name.replaceAll(/[^\w.-]/g, '-')} -->`;

/** A line, or a function that makes it on demand, because few lines of a large report fit. */
type Line = string | (() => string);

type Section = [title: string, lines: readonly Line[], form?: { isFolded?: boolean; language?: string }];

/**
 * The report as Markdown: the verdict, the breaking changes, and the rest in folded sections.
 *
 * @param room - the maximum number of characters, such as those of a comment. Default: no limit
 * @param most - the maximum number of lines in each section
 */
export function toMarkdown(report: Report, room = Infinity, most = Infinity): string {
  const { changes, violations, notes, override, overridesFile, surface, changeset } = report;
  const rows = grouped(changes);
  const [open, closed] = [rows.filter(isOpening), rows.filter((change) => !isOpening(change))];
  const [majors, others] = [closed.filter(isMajor), closed.filter((change) => !isMajor(change))];
  const exceptions = report.overrides.map(({ rule, operation, pointer, impact, reason, expires, expired }) => {
    const effect = expired ? '**expired**' : impact ? `counts as ${impact}` : 'lifted';
    return `- ${code(rule)} for ${code(operation ?? pointer)} ${effect}, until ${expires}: ${code(reason)}`;
  });
  // Breaking changes have rows of their own, and the headline gives the bump that changesets declare.
  const fixes = violations.filter(({ rule, change }) => !change && !rule.startsWith('changeset-'));
  const sections: Section[] = [
    ['Public now', changesTable(open, report)],
    ['To fix', fixes.map(({ rule, message }) => `- ${message} (\`${rule}\`)`)],
    ['Breaking changes', changesTable(majors, report)],
    [`Compatible changes: ${count(others)}`, changesTable(others, report), { isFolded: majors.length > 0 }],
    ['', [...notes, ...unclassifiedNote(report)].flatMap((note, index) => [...(index > 0 ? ['>'] : []), `> ${note}`])],
    ['Overrides in force', exceptions],
    ['Exports of the SDK', linesOf(surface), { language: 'diff' }],
    [`Overrides to paste into ${code(overridesFile)}`, override, { language: 'yaml' }],
    ['A changeset to paste into `.changeset/<name>.md`', linesOf(changeset.trimEnd()), { language: 'md' }],
  ];
  const title = `## Contract review of ${code(report.name)}: ${verdict(report)}`;
  const headline = [title, `Policy: ${report.policy}`, outcome(report), todo(report)];
  const blocks = sections.map((section) => render(section, most));
  const text = `${[markerOf(report.name), ...headline, ...blocks].filter(Boolean).join('\n\n')}\n`;
  return text.length <= room || most < 1 ? text : toMarkdown(report, room, Math.min(most, 400) / 2);
}

function verdict({ requiredBump, declaredBump, violations }: Report): string {
  const needs = `requires ${bumpText(requiredBump)}`;
  const others = violations.filter(({ rule }) => !rule.startsWith('changeset-')).length;
  // The sign is the verdict of the whole review, which a sufficient changeset alone does not pass.
  const toFix = declaredBump && others === violations.length ? ` (${others} to fix)` : '';
  // A break has no check mark, because a reader would take it for harmless.
  const sign = violations.length > 0 ? ` ✗${toFix}` : requiredBump === 'major' ? ', accepted' : ' ✓';
  const isSilent = !declaredBump || (declaredBump === 'none' && requiredBump === 'none');
  const says = declaredBump === 'none' ? 'no changeset' : `changeset says ${declaredBump}`;
  return `${needs}${isSilent ? '' : `, ${says}`}${sign}`;
}

function outcome({ changes, unclassified, operations: most }: Report): string {
  if (changes.length === 0)
    return unclassified.length === 0
      ? 'Nothing changes for clients.'
      : 'No change for clients was found: see the note.';
  const [majors, others] = [changes.filter(isMajor), count(changes)];
  if (majors.length === 0) return `**Breaks nobody.** Compatible changes: ${others}.`;
  const clients = new Map<string, string>();
  for (const { operations } of majors)
    for (const { name, stability, title } of operations)
      clients.set(name, [stability, title].filter(Boolean).map(code).join(', '));
  const called = [...clients].map(([name, note]) => `${code(name)}${note && ` (${note})`}`);
  // The removal of a type that no operation uses breaks only imports.
  const isOfAll = majors.some(
    ({ operations, rule }) => operations.length === 0 && !rule.startsWith('component-schema'),
  );
  const users = "users of the SDK's types";
  const isAll = called.length > 5 && called.length === most;
  const named = isAll ? `all ${most} operations` : few(called);
  const whom = isOfAll ? 'all clients' : called.length > 0 ? `clients of ${named}` : users;
  return `**Breaks ${whom}**: ${counted(majors.length, 'breaking changes')}${others && `; also ${others}`}.`;
}

/** The choice between a compatible contract and an agreed break, followed by the fixes that both need. */
function todo({ changes, violations, override, changeset }: Report): string {
  type Violation = Report['violations'][0];
  const fixesOf = (is: (one: Violation) => boolean) => [...new Set(violations.filter(is).map(({ fix }) => fix))];
  const refused = fixesOf(({ operations }) => operations !== undefined);
  const advice = changes.filter(isMajor).map(({ rule }) => adviceOn(rule));
  const instead = refused.length > 0 ? refused : [...new Set(advice)];
  // The required version depends on the choice, so a missing changeset is not a fix that both need.
  const isNeeded = ({ rule }: Violation) => instead.length === 0 || !rule.startsWith('changeset-');
  const needed = fixesOf((one) => one.operations === undefined && isNeeded(one));
  if (instead.length === 0) return `**To do:** ${few(needed, '; ') || 'nothing'}.`;
  const paste = [...(override.length > 0 ? ['the overrides'] : []), ...(changeset ? ['the changeset'] : [])];
  const agreed = paste.length > 0 ? `, with ${paste.join(' and ')} from the end of this report` : '';
  return [
    '**To do**, one of:',
    ...['', `- Break nobody: ${few(instead, '; ')}.`, `- Break these clients, if they agreed${agreed}.`],
    ...(needed.length > 0 ? ['', `In both cases: ${few(needed, '; ')}.`] : []),
  ].join('\n');
}

function unclassifiedNote({ unclassified, where }: Report): string[] {
  const shown = unclassified.map((place) => {
    const { file, pointer } = where(place);
    return code((file === where(place.source.root).file ? '' : file) + pointer);
  });
  return shown.length > 0 ? [`Changed without a rating of their own: ${few(shown)}.`] : [];
}

/** `2 minor, 1 patch` */
function count(changes: readonly Change[]): string {
  const byImpact = Map.groupBy(changes, ({ impact }) => impact);
  const kinds = (['minor', 'patch'] as const).filter((kind) => byImpact.has(kind));
  return kinds.map((kind) => `${byImpact.get(kind)?.length} ${kind}`).join(', ');
}

/** Joins the first five, with the number of the others. */
function few(things: readonly string[], separator = ', '): string {
  return [...things.slice(0, 5), ...(things.length > 5 ? [`and ${things.length - 5} more`] : [])].join(separator);
}

const isMajor = ({ impact }: Change) => impact === 'major';

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));

function render([title, lines, { isFolded, language } = {}]: Section, most: number): string {
  if (lines.length === 0) return '';
  const kept = lines.slice(0, most).map((line) => (typeof line === 'string' ? clip(line) : line()));
  // In YAML, the number of the others is a comment.
  const others = `${language === 'yaml' ? '# ' : ''}… and ${lines.length - kept.length} more.`;
  let text = [...kept, ...(kept.length < lines.length ? ['', others] : [])].join('\n');
  if (language) {
    // The fence must be longer than any in the text.
    const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    text = `${fence}${language}\n${text}\n${fence}`;
  }
  if (isFolded) return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
  return title ? `### ${title}\n\n${text}` : text;
}

/** Cuts a long line, but no code span. */
function clip(text: string): string {
  const [whole] = /^(?:[^`]|(`+)(?!`).*?(?<!`)\1(?!`))*/s.exec(text.slice(0, 600)) ?? [];
  return text.length > 600 ? `${whole}…` : text;
}

function changesTable(changes: readonly Row[], report: Report): Line[] {
  const cellsOf = (change: Row) => {
    const { impact, operations, message, rule, place, also = '' } = change;
    const { file, line, side } = report.where(place);
    return [
      impact === 'major' ? '**major**' : impact,
      reached(operations, report.operations) || 'all',
      message + also,
      code(rule),
      `${code(`${file}:${line}`)}${side === 'base' ? ' (base)' : ''}`,
    ];
  };
  return table(['Impact', 'Operation', 'Change', 'Rule', 'Location'], changes, cellsOf);
}

/** `` `listOrders` (beta, request, response) `` */
function reached(operations: Change['operations'], most: number): string {
  const byName = Map.groupBy(operations, ({ name }) => name);
  if (byName.size > 5 && byName.size === most) return `all ${most} operations`;
  const parts = [...byName].map(([name, all]) => {
    const notes = [all[0]?.stability && code(all[0].stability), ...all.map(({ message }) => message)].filter(Boolean);
    return `${code(name)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  });
  return few(parts, '<br>');
}

/** A Markdown table. Escapes line breaks and bars in cells. */
function table<Thing>(titles: string[], things: readonly Thing[], cellsOf: (thing: Thing) => string[]): Line[] {
  if (things.length === 0) return [];
  const escaped = (cell: string) => clip(cell).replaceAll('|', '\\|').replaceAll('\n', ' ');
  const row = (cells: string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return [row(titles), row(titles.map(() => '---')), ...things.map((thing) => () => row(cellsOf(thing)))];
}
