import type { Change } from './changes.ts';
import { type Bump, compareBumps } from './finding.ts';
import type { Report } from './review.ts';

/** The first lines of the report: the verdict, the clients that break, and the to-do list. */
export function headline(report: Report): string[] {
  return [`## Contract review: ${verdict(report)}`, outcome(report), todo(report)];
}

/** The bump in words: `no release`, `minor`. */
export const needOf = (bump: Bump) => (bump === 'none' ? 'no release' : bump);

function verdict({ requiredBump, declaredBump, violations }: Report): string {
  const needs = `requires ${needOf(requiredBump)}`;
  const others = violations.filter(({ rule }) => !rule.startsWith('changeset-')).length;
  // The mark is the verdict of the whole review: a sufficient changeset alone is no pass.
  if (!declaredBump) return `${needs} ${others === 0 ? '✓' : '✗'}`;
  const isSilent = declaredBump === 'none' && requiredBump === 'none';
  const says = declaredBump === 'none' ? 'no changeset' : `changeset says ${declaredBump}`;
  const fits = compareBumps(declaredBump, requiredBump) >= 0;
  const mark = fits && others === 0 ? '✓' : fits ? `✗ (${others} to fix)` : '✗';
  return `${needs}${isSilent ? '' : `, ${says}`} ${mark}`;
}

function outcome({ changes }: Report): string {
  if (changes.length === 0) return 'Nothing changes for clients.';
  const majors = changes.filter(({ impact }) => impact === 'major');
  const others = count(changes);
  if (majors.length === 0) return `**Breaks nobody.** Compatible changes: ${others}.`;
  const titles = new Map<string, string | undefined>();
  for (const { operations } of majors) for (const { name, title } of operations) titles.set(name, title);
  const called = [...titles].map(([name, title]) => `\`${name}\`${title ? ` (${title})` : ''}`);
  const whom = called.length === 0 ? 'all clients' : `clients of ${few(called)}`;
  const besides = others === '' ? '' : `; also ${others}`;
  return `**Breaks ${whom}**: ${majors.length} breaking change${majors.length === 1 ? '' : 's'}${besides}.`;
}

function todo({ requiredBump, violations }: Report): string {
  const actions = violations.map(({ rule }) => {
    if (rule.startsWith('changeset-'))
      return `declare \`${requiredBump}\` in a changeset, as at the end of this report`;
    if (rule === 'generated-stale') return 'run `pnpm contract:generate`';
    return rule === 'lint-elsewhere' ? 'run `pnpm contract:lint`' : `fix \`${rule}\``;
  });
  const agreement = requiredBump === 'major' ? 'confirm that these clients have to change' : 'nothing';
  return `**To do:** ${few([...new Set(actions)]) || agreement}.`;
}

/** `2 minor, 1 patch` */
export function count(changes: readonly Change[]): string {
  const numbers = (['minor', 'patch'] as const).map((kind) => {
    const { length } = changes.filter(({ impact }) => impact === kind);
    return length > 0 && `${length} ${kind}`;
  });
  return numbers.filter(Boolean).join(', ');
}

/** Joins the first five, with the number of the others. */
export function few(things: readonly string[], separator = ', '): string {
  const more = things.length > 5 ? [`and ${things.length - 5} more`] : [];
  return [...things.slice(0, 5), ...more].join(separator);
}
