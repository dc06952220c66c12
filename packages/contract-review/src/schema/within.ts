/** Compares JSON Schema keywords with nested schemas, except alternatives. */

import { type Place, type Places, paired } from '@petstore-platform/openapi';
import { describe, kebab } from '../describe.ts';
import { type Finding, finding } from '../finding.ts';
import { pairedWithRenames, rename } from '../renames.ts';
import { compareWhole } from '../rest.ts';
import { written } from '../version.ts';
import { code, setOf } from '../words.ts';
import { type Pair, type Schemas, Shape } from './shape.ts';
import { compareDefault } from './values.ts';

/** Keywords with nested schemas. If an entry is missing, the first of the other keywords that is there applies to its values. */
const REST: Record<string, readonly string[]> = {
  prefixItems: ['items', 'unevaluatedItems'],
  items: ['unevaluatedItems'],
  unevaluatedItems: ['items'],
  patternProperties: ['additionalProperties', 'unevaluatedProperties'],
  additionalProperties: ['unevaluatedProperties'],
  unevaluatedProperties: ['additionalProperties'],
  propertyNames: [],
  dependentSchemas: [],
};

/** Keywords that have no effect on the types of the SDK. Any change of their schemas is breaking. */
const UNTYPED = setOf('contains contentSchema else if not then');

export function compareWithin(schemas: Schemas, base: Shape, head: Shape): (Finding | Pair)[] {
  return [...Object.keys(REST), ...UNTYPED].flatMap((keyword) =>
    paired(entriesOf(base, keyword), entriesOf(head, keyword)).flatMap(([entry, old, now]): (Finding | Pair)[] => {
      const rest = REST[keyword];
      if (old && now) return [{ base: old, head: now, as: rest === undefined ? 'changed' : undefined }];
      if (rest === undefined) return compareWhole('schema', keyword, base.parts, head.parts);
      const instead = (shape: Shape) => rest.map((other) => shape.having(other)).find(({ length }) => length > 0) ?? [];
      const effect = schemas.effectOf(old ?? instead(base), now ?? instead(head));
      if (effect === undefined) return [];
      const isClosed = (places?: Places) => places?.some(({ value }) => value === false);
      const widened = effect === 'narrower' ? 'narrowed' : 'widened';
      const openness = isClosed(now) ? 'disallowed' : isClosed(old) ? 'allowed' : widened;
      const verb = /^(additional|unevaluated)P/.test(keyword) ? openness : old ? 'removed' : 'added';
      const place = (now ?? old)?.[0] as Place;
      const subject = `${code(`${keyword}${entry === '' ? '' : `: ${entry}`}`)} in ${describe(place.parent)}`;
      const rule = keyword === 'patternProperties' ? 'pattern-property' : kebab(keyword);
      return [finding(`${rule}-${verb}`, effect, place, `${subject} was ${verb}.`)];
    }),
  );
}

/** The schemas of a keyword, by name or position; '' for a single schema. */
function entriesOf(shape: Shape, keyword: string): Map<string, Place[]> {
  const places = shape.having(keyword);
  if (['dependentSchemas', 'patternProperties'].includes(keyword)) return shape.mapOf(keyword);
  if (keyword === 'prefixItems') return new Map(places[0]?.items().map((item, index) => [`${index + 1}`, [item]]));
  return new Map(places.length > 0 ? [['', places]] : []);
}

interface Property {
  /** The place of its schema, which may be the author's. */
  declared: Place | undefined;
  /** The schema; undefined if it is read-only in a request, or write-only in a response. */
  visible?: Shape | undefined;
  required?: Place | undefined;
}

function propertiesOf(owner: Shape): Map<string, Property> {
  const { required } = owner;
  const properties = owner.mapOf('properties');
  // The author's schema also has those of the other direction.
  const declared = new Map(owner.parts.flatMap((part) => written(part).at('properties').entries()));
  const names = [...new Set([...declared.keys(), ...properties.keys(), ...required.keys()])];
  const propertyOf = (name: string) => {
    // In the view of an open object, a property of the other direction is false.
    const places = properties.get(name)?.filter((place) => place.value !== false || written(place).value === false);
    const visible = places?.length ? new Shape([...places, ...owner.patternsFor(name)]) : undefined;
    return { declared: places?.[0] ?? declared.get(name), visible, required: required.get(name) };
  };
  return new Map(names.map((name) => [name, propertyOf(name)]));
}

export function* compareProperties(schemas: Schemas, base: Shape, head: Shape): Generator<Finding | Pair> {
  // Any value may have the fields: its type says so.
  if (!base.types.union(head.types).has('object') || (head.isAny && base.ownTypes.size < head.ownTypes.size)) return;
  const [before, after] = [propertiesOf(base), propertiesOf(head)];
  const schemaIn = ({ visible }: Property) => visible?.places.map(({ value }) => value);
  for (const [name, old, now, isRenamed] of pairedWithRenames(before, after, schemaIn)) {
    const [place, newPlace] = [old?.visible?.places[0], now?.visible?.places[0]];
    if (isRenamed && place && newPlace) yield rename('property', place, newPlace, `${newPlace.keys.at(-1)}`);
    else yield* compareProperty(schemas, name, [base, head], old, now);
  }
}

type Owners = readonly [Shape, Shape];

function* compareProperty(schemas: Schemas, name: string, [owner, newOwner]: Owners, old?: Property, now?: Property) {
  const [was, is] = [old?.visible, now?.visible];
  const [wasRequired, isRequired] = [old?.required, now?.required];
  const declared = now?.declared ?? old?.declared;
  const place = declared ?? isRequired ?? wasRequired;
  if (place === undefined) return;
  const subject = declared ? describe(declared) : `${code(name)} in ${describe(place.parent)}`;
  const isNeeded = isRequired !== undefined && wasRequired === undefined;
  const isHidden = now?.declared !== undefined && is === undefined;
  if (was?.never && !is) {
    if (newOwner.applyingTo(name).never) return;
    yield finding('property-allowed', 'compatible', place, `${subject} is no longer refused.`);
    return;
  }
  if (was && !is) {
    const [flag, end] =
      schemas.direction === 'request' ? ['read', 'can no longer be sent'] : ['write', 'is no longer returned'];
    const [rule, predicate] = isHidden ? [`became-${flag}-only`, end] : ['removed', 'was removed'];
    // A schema that allows any value allows the property.
    const effect = newOwner.isAny ? 'wider' : 'changed';
    yield finding(`property-${rule}`, effect, place, `${subject} ${predicate}.`);
    return;
  }
  if (!was && is) {
    const before = owner.applyingTo(name);
    // In open objects, a value that no schema limited is one that nobody sent, but for one that is now refused.
    const [wasOpen, wasRefused] = [before.isAny, before.never];
    if (is.never) {
      if (!wasRefused) yield finding('property-refused', 'narrower', place, `${subject} is no longer allowed.`);
      return;
    }
    const effect = isNeeded ? 'narrower' : 'compatible';
    const message = `${subject} was added${isNeeded ? ', required' : ''}.`;
    yield finding(`property-added${isNeeded ? '-required' : ''}`, effect, place, message);
    if (!wasOpen && !wasRefused) yield { base: before.places, head: is.places };
    return;
  }
  const isFreed = wasRequired !== undefined && isRequired === undefined && !isHidden;
  const at = isRequired ?? wasRequired ?? place;
  if (isNeeded) yield finding('property-became-required', 'narrower', at, `${subject} is now required.`);
  if (isFreed) yield finding('property-became-optional', 'wider', at, `${subject} is now optional.`);
  if (!was || !is) return;
  yield { base: was.places, head: is.places };
  yield* compareDefault(schemas.direction, was, is, wasRequired !== undefined && isRequired !== undefined);
}
