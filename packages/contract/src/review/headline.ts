import type { Change } from './changes.ts';
import { type Bump, compareBumps } from './finding.ts';
import type { Report } from './review.ts';

/** What a reviewer needs to know first, a line each: the verdict, whom it breaks, and what to do. */
export function headline(report: Report): string[] {
  return [`## Contract review: ${verdict(report)}`, outcome(report), todo(report)];
}

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

function outcome({ changes, titles }: Report): string {
  if (changes.length === 0) return 'Nothing changes for clients.';
  const majors = changes.filter(({ impact }) => impact === 'major');
  const others = count(changes.filter(({ impact }) => impact !== 'major'));
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
  if (actions.length > 0) return `**To do:** ${few([...new Set(actions)])}.`;
  return requiredBump === 'major' ? '**To do:** agree that these clients have to change.' : '**To do:** nothing.';
}

/** `2 minor, 1 patch` */
export function count(changes: readonly Change[]): string {
  const kinds: Bump[] = ['minor', 'patch'];
  const parts = kinds.flatMap((kind) => {
    const number = changes.filter(({ impact }) => impact === kind).length;
    return number === 0 ? [] : [`${number} ${kind}`];
  });
  return parts.join(', ');
}

/** At most five of several things. */
export function few(things: readonly string[], separator = ', '): string {
  const more = things.length - 5;
  return [...things.slice(0, 5), ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
}

/** Worth knowing, but nothing to mend. */
export function notesOn(changes: readonly Change[], required: Bump, declared: Bump, withChangesets: boolean): string[] {
  const notes: string[] = [];
  if (withChangesets && compareBumps(declared, required) > 0) {
    const needed = required === 'none' ? 'no release' : required;
    notes.push(`The changesets say ${declared}; this change of the contract alone requires ${needed}.`);
  }
  // That a removal was announced in time is the policy's to check.
  if (changes.some(({ impact, rule }) => impact === 'major' && rule !== 'operation-removed')) {
    notes.push(
      'Within `/v1` only compatible changes are meant to happen, and removals that were announced. Anything else belongs under a new path segment.',
    );
  }
  return notes;
}
