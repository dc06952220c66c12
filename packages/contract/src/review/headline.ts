import type { Change } from './changes.ts';
import { type Bump, compareBumps } from './finding.ts';
import type { Report } from './review.ts';

/** What a reviewer needs to know first, a line each: the verdict, whom it breaks, and what to do. */
export function headline(report: Report): string[] {
  return [`## Contract review: ${verdict(report)}`, outcome(report), todo(report)];
}

/** `no release`, `a minor release` → as the verdict and the notes say it. */
export const needOf = (bump: Bump) => (bump === 'none' ? 'no release' : bump);

function verdict({ requiredBump, declaredBump, withoutChangesets, violations }: Report): string {
  const needs = `requires ${needOf(requiredBump)}`;
  const others = violations.filter(({ rule }) => !rule.startsWith('changeset-')).length;
  // The mark at the end is for the whole review; a changeset that fits must not look like a pass of the rest.
  if (withoutChangesets) return `${needs} ${others === 0 ? '✓' : '✗'}`;
  const isSilent = declaredBump === 'none' && requiredBump === 'none';
  const says = declaredBump === 'none' ? 'no changeset' : `changeset says ${declaredBump}`;
  const fits = compareBumps(declaredBump, requiredBump) >= 0;
  const mark = fits && others === 0 ? '✓' : fits ? `✗ (${others} to mend)` : '✗';
  return `${needs}${isSilent ? '' : `, ${says}`} ${mark}`;
}

function outcome({ changes, titles }: Report): string {
  if (changes.length === 0) return 'Nothing changes for clients.';
  const majors = changes.filter(({ impact }) => impact === 'major');
  const others = count(changes);
  if (majors.length === 0) return `**Breaks nobody.** Compatible changes: ${others}.`;
  const names = majors.flatMap(({ operations }) => operations.map((operation) => operation.replace(/ \(\w+\)$/, '')));
  const called = [...new Set(names)].map((name) => `\`${name}\`${titles.has(name) ? ` (${titles.get(name)})` : ''}`);
  const whom = called.length === 0 ? 'everybody' : `clients of ${few(called)}`;
  const besides = others === '' ? '' : `; besides, ${others}`;
  return `**Breaks ${whom}**: ${majors.length} breaking change${majors.length === 1 ? '' : 's'}${besides}.`;
}

function todo({ requiredBump, violations }: Report): string {
  const actions = violations.map(({ rule }) => {
    if (rule.startsWith('changeset-'))
      return `declare \`${requiredBump}\` in a changeset, as at the end of this report`;
    if (rule === 'generated-stale') return 'run `pnpm contract:generate`';
    return rule === 'lint-elsewhere' ? 'run `pnpm contract:lint`' : `mend \`${rule}\``;
  });
  const agreement = requiredBump === 'major' ? 'agree that these clients have to change' : 'nothing';
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

/** At most five of several things. */
export function few(things: readonly string[], separator = ', '): string {
  const more = things.length > 5 ? [`and ${things.length - 5} more`] : [];
  return [...things.slice(0, 5), ...more].join(separator);
}
