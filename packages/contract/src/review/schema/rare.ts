/** The keywords of JSON Schema that OpenAPI documents hardly use. */
import { type Effect, finding } from '../finding.ts';
import { describe } from '../label.ts';
import { type Place, paired } from '../place.ts';
import { kebab } from '../words.ts';
import { covers, isSame, isWithin, pair } from './parts.ts';
import type { Difference, Schemas } from './schema.ts';
import type { Shape } from './shape.ts';

interface Keyword {
  /** One schema, or several by name, or lists of names. */
  holds: 'schema' | 'schemas' | 'names';
  /** `within`: what changes in it is a change of the whole. `reversed`: it says what is not allowed. */
  changed: 'within' | 'reversed' | 'differs';
  /** Without it, the keyword has no effect, and its change is told there. */
  needs?: string;
  /** Whether adding one allows more, by what else the schema says; removing one is the reverse. */
  isWider?: (owner: Shape) => boolean;
  rule?: string;
}

const KEYWORDS: Record<string, Keyword> = {
  contains: { holds: 'schema', changed: 'within' },
  propertyNames: { holds: 'schema', changed: 'within' },
  contentSchema: { holds: 'schema', changed: 'within' },
  not: { holds: 'schema', changed: 'reversed' },
  if: { holds: 'schema', changed: 'differs' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { holds: 'schema', changed: 'within', needs: 'if' },
  else: { holds: 'schema', changed: 'within', needs: 'if' },
  dependentSchemas: { holds: 'schemas', changed: 'within', rule: 'dependent-schema' },
  dependentRequired: { holds: 'names', changed: 'differs' },
  patternProperties: {
    holds: 'schemas',
    changed: 'within',
    rule: 'pattern-property',
    // In an open object a pattern limits what may be there; in a closed one it is what may be there.
    isWider: (owner) => owner.having('additionalProperties').some(({ value }) => value === false),
  },
};

export function compareRare(schemas: Schemas, base: Shape, head: Shape): Difference[] {
  return Object.entries(KEYWORDS).flatMap(([name, keyword]) => {
    const { needs, holds } = keyword;
    const isKept = (key: string) =>
      base.has(key) && head.has(key) && isSame(schemas, base.having(key), head.having(key));
    if (needs && !isKept(needs)) return [];
    const entriesOf = (shape: Shape) =>
      holds !== 'schema' ? shape.mapOf(name) : new Map(shape.has(name) ? [['', shape.having(name)]] : []);
    // With a most of matching items, one that comes to match may be one too many.
    const as = name === 'contains' && (base.has('maxContains') || head.has('maxContains')) ? 'changed' : undefined;
    return paired(entriesOf(base), entriesOf(head)).flatMap(([entry, old = [], now = []]): Difference[] => {
      if (keyword.changed === 'within' && old.length > 0 && now.length > 0) return [pair(old, now, as)];
      const place = (now[0] ?? old[0]) as Place;
      const subject = `\`${name}${entry === '' ? '' : `: ${entry}`}\` in ${describe(place.parent)}`;
      return compareEntry(schemas, keyword, old, now, now.length > 0 ? head : base).map(([verb, effect]) =>
        finding(`${keyword.rule ?? kebab(name)}-${verb}`, effect, place, `${subject} was ${verb}.`),
      );
    });
  });
}

type Verdict = [verb: 'added' | 'removed' | 'changed', effect: Effect];

function compareEntry(schemas: Schemas, keyword: Keyword, old: Place[], now: Place[], owner: Shape): Verdict[] {
  const { holds, changed, isWider } = keyword;
  if (holds === 'names') {
    const [before, after] = [old, now].map((lists) => new Set(lists.flatMap(({ value }) => value as string[])));
    const verdicts: Verdict[] = [];
    if (after && !after.isSubsetOf(before ?? after)) verdicts.push(['added', 'narrower']);
    if (before && !before.isSubsetOf(after ?? before)) verdicts.push(['removed', 'wider']);
    return verdicts;
  }
  // One that allows anything limits nothing.
  if ((changed !== 'reversed' || (old.length > 0 && now.length > 0)) && !isWider && isSame(schemas, old, now))
    return [];
  if (old.length === 0) return [['added', isWider?.(owner) ? 'wider' : 'narrower']];
  if (now.length === 0) return [['removed', isWider?.(owner) ? 'narrower' : 'wider']];
  if (changed !== 'reversed') return [['changed', 'changed']];
  // What is excluded grew: what is left shrank.
  return [['changed', isWithin(schemas, old, now) ? 'narrower' : covers(schemas, old, now) ? 'wider' : 'changed']];
}
