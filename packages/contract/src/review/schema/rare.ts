/** The keywords of JSON Schema that OpenAPI documents hardly use. */
import { type Effect, type Finding, finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../place.ts';
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
  /** What adding one means; removing one is the reverse. */
  added?: (owner: Shape) => Effect;
  rule?: string;
}

const limits = () => 'narrower' as const;

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
  // In an open object a pattern limits what may be there; in a closed one it is what may be there.
  patternProperties: {
    holds: 'schemas',
    changed: 'within',
    rule: 'pattern-property',
    added: (owner) =>
      owner.having('additionalProperties').some(({ value }) => value === false) ? 'wider' : 'narrower',
  },
};

export function compareRare(schemas: Schemas, base: Shape, head: Shape): Difference[] {
  return Object.entries(KEYWORDS).flatMap(([name, keyword]) => {
    const { needs, holds } = keyword;
    if (!base.has(name) && !head.has(name)) return [];
    if (needs && !(base.has(needs) && head.has(needs) && isSame(schemas, base.having(needs), head.having(needs))))
      return [];
    const [old, now] =
      holds === 'schema' ? [single(base, name), single(head, name)] : [base.mapOf(name), head.mapOf(name)];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((entry) =>
      compareEntry(schemas, { name, keyword, entry, base, head }, old.get(entry) ?? [], now.get(entry) ?? []),
    );
  });
}

function single(shape: Shape, name: string): Map<string, Place[]> {
  return new Map(shape.has(name) ? [['', shape.having(name)]] : []);
}

interface Entry {
  name: string;
  keyword: Keyword;
  entry: string;
  base: Shape;
  head: Shape;
}

function compareEntry(schemas: Schemas, at: Entry, old: Place[], now: Place[]): Difference[] {
  const { name, keyword, entry, base, head } = at;
  const stem = keyword.rule ?? kebab(name);
  const place = (now[0] ?? old[0]) as Place;
  const told = (verb: string, effect: Effect): Finding[] => {
    const subject = `\`${name}${entry === '' ? '' : `: ${entry}`}\``;
    return [finding(`${stem}-${verb}`, effect, place, `${subject} in ${describe(place.parent)} was ${verb}.`)];
  };
  if (keyword.holds === 'names') {
    const names = (places: Place[]) => new Set(places.flatMap(({ value }) => value as string[]));
    const [gained, lost] = [names(now).difference(names(old)), names(old).difference(names(now))];
    return [...(gained.size > 0 ? told('added', 'narrower') : []), ...(lost.size > 0 ? told('removed', 'wider') : [])];
  }
  const isReversed = keyword.changed === 'reversed';
  if (old.length === 0 || now.length === 0) {
    const limit = (keyword.added ?? limits)(old.length === 0 ? head : base);
    const effect = old.length === 0 ? limit : limit === 'narrower' ? 'wider' : 'narrower';
    // One that allows anything limits nothing.
    const isIdle = keyword.changed === 'within' && !keyword.added && isSame(schemas, old, now);
    return isIdle ? [] : told(old.length === 0 ? 'added' : 'removed', effect);
  }
  if (keyword.changed === 'within') {
    // With a most of matching items, one that comes to match may be one too many.
    const isCounted = name === 'contains' && (base.has('maxContains') || head.has('maxContains'));
    return [pair(old, now, isCounted ? 'changed' : undefined)];
  }
  if (isSame(schemas, old, now)) return [];
  // What is excluded grew: what is left shrank.
  const excluded = isWithin(schemas, old, now) ? 'narrower' : covers(schemas, old, now) ? 'wider' : 'changed';
  return told('changed', isReversed ? excluded : 'changed');
}
