/** Compares JSON Schema keywords with nested schemas, except alternatives. */
import { compareFlag, type Effect, finding, turned } from '../finding.ts';
import { Place, paired } from '../place.ts';
import { describe, kebab } from '../words.ts';
import type { Difference, SchemaComparison } from './schema.ts';
import { Shape } from './shape.ts';
import { compareDefault } from './values.ts';

interface Keyword {
  /** The prefix of its rules. Default: the keyword in kebab case. */
  rule?: string;
  /** Keywords that apply to missing entries; the first one present counts. */
  rest?: string[];
  /** A keyword without which this one has no effect. It reports the change. */
  needs?: string;
  /** The schema describes values that are not allowed. */
  isReversed?: true;
  /** Any change has both effects: narrower and wider. */
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
  return Object.entries(KEYWORDS).flatMap(([name, keyword]) => {
    if (!base.has(name) && !head.has(name)) return [];
    const { rule = kebab(name), rest = [], needs, isReversed, isCondition } = keyword;
    if (needs && !(base.has(needs) && head.has(needs) && schemas.isSame(base.having(needs), head.having(needs))))
      return [];
    return paired(entriesOf(base, name), entriesOf(head, name)).flatMap(([entry, old, now]): Difference[] => {
      const place = (now ?? old)?.[0] as Place;
      const isOpenness = /Properties$/.test(name) && entry === '';
      const [wasClosed, isClosed] = [old, now].map((places) => places?.some(({ value }) => value === false));
      if (old && now && !isReversed && !isCondition && !(isOpenness && (wasClosed || isClosed))) {
        // With `maxContains`, one more matching item may exceed the maximum.
        const isCounted = name === 'contains' && (base.has('maxContains') || head.has('maxContains'));
        return [{ base: old, head: now, as: isCounted ? 'changed' : undefined }];
      }
      // No `not` is equivalent to `not: false`.
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
  });
}

/** The schemas of a keyword, by name or position; '' for a single schema. */
function entriesOf(shape: Shape, keyword: string): Map<string, Place[]> {
  const places = shape.having(keyword);
  if (/^(dependentSchemas|patternProperties)$/.test(keyword)) return shape.mapOf(keyword);
  if (keyword === 'prefixItems') return new Map(places[0]?.items().map((item, index) => [`${index + 1}`, [item]]));
  // A schema that allows any value counts as absent.
  const isIdle = /Properties$/.test(keyword) && places.every(({ value }) => value === true || isEmpty(value));
  return new Map(places.length > 0 && !isIdle ? [['', places]] : []);
}

const isEmpty = (value: unknown) => value !== false && Object.keys(value ?? {}).length === 0;

/** A property in one version, for one direction. */
interface Property {
  shape: Shape;
  /** Read-only in a request or write-only in a response. */
  isHidden: boolean;
  isThere: boolean;
  /** Its entry in `required`. */
  required: Place | undefined;
}

const ABSENT: Property = { shape: new Shape([]), isHidden: false, isThere: false, required: undefined };

/** The properties that a schema describes or requires. */
function propertiesOf(schemas: SchemaComparison, owner: Shape): Map<string, Property> {
  const places = owner.mapOf('properties');
  const lists = owner.having('required').flatMap((list) => list.items());
  const required = new Map(lists.map((place) => [String(place.value), place]));
  // Clients never send read-only properties and never receive write-only ones.
  const flag = schemas.direction === 'request' ? 'readOnly' : 'writeOnly';
  const properties = [...new Set([...places.keys(), ...required.keys()])].map((name): [string, Property] => {
    const shape = new Shape(places.get(name) ?? []);
    const isHidden = shape.having(flag).some(({ value }) => value === true);
    const isThere = places.has(name) && !isHidden;
    return [name, { shape, isHidden, isThere, required: isHidden ? undefined : required.get(name) }];
  });
  return new Map(properties);
}

export function compareProperties(schemas: SchemaComparison, base: Shape, head: Shape): Difference[] {
  if (!base.types.union(head.types).has('object')) return [];
  const pairs = paired(propertiesOf(schemas, base), propertiesOf(schemas, head));
  return pairs.flatMap(([name, old = ABSENT, now = ABSENT]) => [...compareProperty(schemas, name, old, now, base)]);
}

function* compareProperty(
  schemas: SchemaComparison,
  name: string,
  old: Property,
  now: Property,
  owner: Shape,
): Generator<Difference> {
  const declared = now.shape.origin ?? old.shape.origin;
  const place = declared ?? now.required ?? old.required;
  if (place === undefined) return;
  const subject = declared ? describe(declared) : `\`${name}\` in ${describe(place.parent)}`;
  const isNeeded = now.required !== undefined && old.required === undefined;
  if (old.isThere && !now.isThere) {
    const [flag, end] =
      schemas.direction === 'request' ? ['read', 'can no longer be sent'] : ['write', 'is no longer returned'];
    const [rule, words] = now.isHidden ? [`became-${flag}-only`, end] : ['removed', 'was removed'];
    yield finding(`property-${rule}`, 'changed', place, `${subject} ${words}.`);
  } else if (!old.isThere && now.isThere) {
    const [rule, effect, end] = isNeeded
      ? (['-required', 'narrower', ', required'] as const)
      : (['', 'compatible', ''] as const);
    yield finding(`property-added${rule}`, effect, place, `${subject} was added${end}.`);
    // Before, `additionalProperties` applied to that name.
    const unlisted = owner.having('additionalProperties').filter(({ value }) => value !== true);
    if (unlisted.length > 0 && unlisted.every(({ value }) => value)) yield { base: unlisted, head: now.shape.places };
  } else {
    const isFreed = old.required !== undefined && now.required === undefined && !now.isHidden;
    const at = now.required ?? old.required ?? place;
    if (isNeeded || isFreed) yield turned('required', isNeeded, at, subject, 'property-');
    if (!old.isThere) return;
    yield { base: old.shape.places, head: now.shape.places };
    yield* compareFlag('deprecated', old.shape.parts, now.shape.parts);
    yield* compareDefault(schemas, old.shape, now.shape, old.required !== undefined && now.required !== undefined);
  }
}
