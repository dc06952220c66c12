/** Compares JSON Schema keywords with nested schemas, except alternatives. */

import { type Place, type Places, paired } from '@petstore-platform/openapi';
import { describe, kebab } from '../describe.ts';
import { type Finding, finding } from '../finding.ts';
import { pairedWithRenames, rename } from '../renames.ts';
import { compareWhole } from '../rest.ts';
import { written } from '../version.ts';
import { code, setOf, union } from '../words.ts';
import { type Pair, type Schemas, Shape } from './shape.ts';
import { compareDefault } from './values.ts';

/** Keywords with nested schemas. If an entry is missing, the other keyword applies. */
const REST: Record<string, string> = {
  prefixItems: 'items',
  items: '',
  patternProperties: 'additionalProperties',
  additionalProperties: '',
};

/** Keywords that have no effect on the types of the SDK. Any change of their schemas is breaking. */
const UNTYPED = setOf(
  'contains contentSchema dependentSchemas else if not propertyNames then unevaluatedItems unevaluatedProperties',
);

export function compareWithin(schemas: Schemas, base: Shape, head: Shape): (Finding | Pair)[] {
  return [...Object.keys(REST), ...UNTYPED].flatMap((keyword) =>
    paired(entriesOf(base, keyword), entriesOf(head, keyword)).flatMap(([entry, old, now]): (Finding | Pair)[] => {
      const rest = REST[keyword];
      if (old && now) return [{ base: old, head: now, as: rest === undefined ? 'changed' : undefined }];
      if (rest === undefined) return compareWhole(keyword, base.parts, head.parts);
      const effect = schemas.effectOf(old ?? base.having(rest), now ?? head.having(rest));
      if (effect === undefined) return [];
      const isClosed = (places?: Places) => places?.some(({ value }) => value === false);
      const widened = effect === 'narrower' ? 'narrowed' : 'widened';
      const openness = isClosed(now) ? 'disallowed' : isClosed(old) ? 'allowed' : widened;
      const verb = keyword === 'additionalProperties' ? openness : old ? 'removed' : 'added';
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
  /** The entry of `required` for a visible property. */
  required?: Place | undefined;
}

function propertiesOf(owner: Shape): Map<string, Property> {
  const { required } = owner;
  const properties = owner.mapOf('properties');
  // The author's schema also has those of the other direction.
  const declared = new Map(owner.parts.flatMap((part) => written(part).at('properties').entries()));
  const names = [...new Set([...declared.keys(), ...properties.keys(), ...required.keys()])];
  const propertyOf = (name: string) => {
    const places = properties.get(name);
    const visible = places && new Shape(places);
    return { declared: places?.[0] ?? declared.get(name), visible, required: required.get(name) };
  };
  return new Map(names.map((name) => [name, propertyOf(name)]));
}

export function* compareProperties(schemas: Schemas, base: Shape, head: Shape): Generator<Finding | Pair> {
  if (!union(base.types, head.types).has('object')) return;
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
    const effect = isNeeded ? 'narrower' : 'compatible';
    const message = `${subject} was added${isNeeded ? ', required' : ''}.`;
    yield finding(`property-added${isNeeded ? '-required' : ''}`, effect, place, message);
    // Until then, `additionalProperties` applied to that name.
    const unlisted = owner.having('additionalProperties').filter(({ value }) => value !== true);
    if (unlisted.length > 0 && unlisted.every(({ value }) => value)) yield { base: unlisted, head: is.places };
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
