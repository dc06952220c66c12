import type { Direction, Effect, Finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../source.ts';
import { kebab } from './keywords.ts';
import { having, type Shape } from './shape.ts';

/** What the comparison of one keyword needs to compare the schemas within. */
export interface Schemas {
  direction: Direction;
  compare(base: readonly Place[], head: readonly Place[]): Finding[];
}

export function comparePart(schemas: Schemas, keyword: string, base: Shape, head: Shape): Finding[] {
  const [old, now] = [having(base, keyword), having(head, keyword)];
  if (old.length > 0 && now.length > 0) {
    const findings = schemas.compare(old, now);
    const counted = keyword === 'contains' && [base, head].some((shape) => having(shape, 'maxContains').length > 0);
    // With a most of matching items, one that comes to match may be one too many.
    return counted ? findings.map((finding) => ({ ...finding, effect: 'changed' })) : findings;
  }
  return compareLimited(schemas, kebab(keyword), `\`${keyword}\``, old, now);
}

/** A schema that was added where there was none, or the reverse, as one finding. */
export function compareLimited(
  schemas: Schemas,
  stem: string,
  subject: string,
  base: readonly Place[],
  head: readonly Place[],
  removed = head.length === 0,
): Finding[] {
  const effect = overall(schemas.compare(base, head));
  const place = head[0] ?? base[0];
  if (effect === undefined || place === undefined) return [];
  const words = {
    narrower: 'narrower',
    wider: 'wider',
    changed: 'different',
    compatible: 'different',
    guarantee: 'narrower',
  }[effect];
  return [
    {
      rule: `${stem}-${removed ? 'removed' : 'added'}`,
      effect,
      place,
      message: `${subject} in ${describe(place.parent)} is ${words}.`,
    },
  ];
}

export const isWithin = (findings: Finding[]) =>
  !hasOtherProperties(findings) && findings.every(({ effect }) => effect === 'wider' || effect === 'compatible');

export const covers = (findings: Finding[]) =>
  !hasOtherProperties(findings) &&
  findings.every(({ effect }) => effect === 'narrower' || effect === 'guarantee' || effect === 'compatible');

/** The effect of all findings taken together. */
export function overall(findings: Finding[]): Effect | undefined {
  if (findings.length === 0) return undefined;
  if (isWithin(findings)) return 'wider';
  return covers(findings) ? 'narrower' : 'changed';
}

export function compareMaps(
  base: Map<string, Place[]>,
  head: Map<string, Place[]>,
  compare: (name: string, old: Place[] | undefined, now: Place[] | undefined) => Finding[],
): Finding[] {
  return [...new Set([...base.keys(), ...head.keys()])].flatMap((name) =>
    compare(name, base.get(name), head.get(name)),
  );
}

// A property more is a limit on it, too, where any property went before: neither version has all values of the other.
const hasOtherProperties = (findings: Finding[]) => findings.some(({ rule }) => rule.startsWith('property-added'));
