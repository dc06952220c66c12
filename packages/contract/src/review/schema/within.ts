/** The keywords of JSON Schema that hold schemas, but for properties and alternatives. */
import { type Effect, finding } from '../finding.ts';
import { describe } from '../label.ts';
import { Place, paired } from '../place.ts';
import { kebab } from '../words.ts';
import type { Difference, SchemaComparison } from './schema.ts';
import type { Shape } from './shape.ts';

interface Keyword {
  /** What the rules are called by. */
  rule?: string;
  /** The keywords of which the first says what goes where this one has no entry. */
  rest?: string[];
  /** Without it, the keyword has no effect, and its change is told there. */
  needs?: string;
  /** It says what is not allowed. */
  isReversed?: true;
  /** Another one is another condition. */
  isCondition?: true;
}

const KEYWORDS: Record<string, Keyword> = {
  prefixItems: { rest: ['items', 'unevaluatedItems'] },
  items: {},
  unevaluatedItems: {},
  contains: {},
  propertyNames: {},
  contentSchema: {},
  not: { isReversed: true },
  if: { isCondition: true },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { needs: 'if' },
  else: { needs: 'if' },
  dependentSchemas: { rule: 'dependent-schema' },
  patternProperties: { rule: 'pattern-property', rest: ['additionalProperties'] },
  additionalProperties: {},
  unevaluatedProperties: {},
};

const OPPOSITES: Partial<Record<Effect, Effect>> = { wider: 'narrower', narrower: 'wider' };

export function compareWithin(schemas: SchemaComparison, base: Shape, head: Shape): Difference[] {
  return Object.entries(KEYWORDS).flatMap(
    ([name, { rule = kebab(name), rest = [], needs, isReversed, isCondition }]) => {
      if (needs && !(base.has(needs) && head.has(needs) && schemas.isSame(base.having(needs), head.having(needs))))
        return [];
      return paired(entriesOf(base, name), entriesOf(head, name)).flatMap(([entry, old, now]): Difference[] => {
        const place = (now ?? old)?.[0] as Place;
        const isOpenness = /Properties$/.test(name) && entry === '';
        const [wasClosed, isClosed] = [old, now].map((places) => places?.some(({ value }) => value === false));
        if (old && now && !isReversed && !isCondition && !(isOpenness && (wasClosed || isClosed))) {
          // With a most of matching items, one that comes to match may be one too many.
          const isCounted = name === 'contains' && (base.has('maxContains') || head.has('maxContains'));
          return [{ base: old, head: now, as: isCounted ? 'changed' : undefined }];
        }
        // What is not excluded is as if nothing was.
        const none = isReversed ? [new Place(place.source, place.file, place.keys, false, `${place.id} nothing`)] : [];
        const restOf = (shape: Shape) =>
          rest.map((other) => shape.having(other)).find(({ length }) => length > 0) ?? none;
        const whole = schemas.effectOf(old ?? restOf(base), now ?? restOf(head));
        if (whole === undefined) return [];
        const effect = (isReversed && OPPOSITES[whole]) || (isCondition && old && now ? 'changed' : whole);
        const open = isClosed ? 'disallowed' : wasClosed ? 'allowed' : whole === 'narrower' ? 'narrowed' : 'widened';
        const verb = isOpenness ? open : !old ? 'added' : !now ? 'removed' : 'changed';
        const subject = `\`${name}${entry === '' ? '' : `: ${entry}`}\` in ${describe(place.parent)}`;
        return [finding(`${rule}-${verb}`, effect, place, `${subject} was ${verb}.`)];
      });
    },
  );
}

/** The schemas that a keyword holds, by name or position; by '' the only one. */
function entriesOf(shape: Shape, keyword: string): Map<string, Place[]> {
  const places = shape.having(keyword);
  if (/^(dependentSchemas|patternProperties)$/.test(keyword)) return shape.mapOf(keyword);
  if (keyword === 'prefixItems') return new Map(places[0]?.items().map((item, index) => [`${index + 1}`, [item]]));
  // What anything goes for is as good as not there.
  const isIdle = /Properties$/.test(keyword) && places.every(({ value }) => value === true || isEmpty(value));
  return new Map(places.length > 0 && !isIdle ? [['', places]] : []);
}

const isEmpty = (value: unknown) => value !== false && Object.keys(value ?? {}).length === 0;
