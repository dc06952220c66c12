/** Compares `oneOf` and `anyOf`: each is a choice of alternatives. */
import { isDeepStrictEqual } from 'node:util';
import type { Place, Places } from '@petstore-platform/openapi';
import { describe, kebab } from '../describe.ts';
import { compareEntry, type Finding, finding, LIMIT } from '../finding.ts';
import { componentNameOf } from '../version.ts';
import { code } from '../words.ts';
import { alternativesOf, isSilent, type Pair, type Schemas, Shape } from './shape.ts';

/** The places of an alternative: the keywords beside its choice, then its own schema. */
type Alternative = Places;

/** A choice in base or head. A schema without `oneOf` or `anyOf` counts as one alternative: itself. */
type Choice = readonly [place: Place, alternatives: readonly Alternative[]];

export function compareChoices(schemas: Schemas, base: Shape, head: Shape): (Finding | Pair)[] {
  const alone = (place: Place): Choice => [place, alternativesOf(place).map((one) => [one])];
  return base.choices.flatMap((choice, index) =>
    compareAlternatives(schemas, alone(choice), alone(head.choices[index] as Place)),
  );
}

/** Compares two schemas, one of which has more choices. Its alternatives include the keywords beside the choice. */
export function compareFurtherChoice(schemas: Schemas, base: Shape, head: Shape): (Finding | Pair)[] {
  // The same types or values in another notation are no change.
  const [list, newList] = [listOf(base), listOf(head)];
  if (list && isDeepStrictEqual([list, base.types], [newList, head.types])) return [];
  const isAdded = base.choices.length < head.choices.length;
  const [owner, other] = isAdded ? [head, base] : [base, head];
  const place = owner.choices[other.choices.length] as Place;
  const [alternatives, others] = [withKeywordsBeside(owner, place), alternativesInstead(other)];
  // The choice narrows the schema that has none, such as by `required`.
  if (others.length === 0 || alternatives.every((one) => schemas.effectOf(other.places, one) === 'narrower')) {
    const [before, after] = isAdded ? [undefined, place] : [place, undefined];
    return compareEntry(kebab(keywordOf(place)), `The choice of ${describe(place)}`, before, after, LIMIT);
  }
  const [before, after] = isAdded ? [others, alternatives] : [alternatives, others];
  return compareAlternatives(schemas, [place, before], [place, after]);
}

function withKeywordsBeside(shape: Shape, choice: Place): Alternative[] {
  const beside = shape.parts.map((part) => part.without('$ref', 'allOf', ...(part === choice ? CHOICES : [])));
  const limits = beside.filter((part) => !isSilent(part));
  return alternativesOf(choice).map((alternative) => [...limits, alternative]);
}

/** The alternatives of the schema that lacks the choice: itself, or those of its only choice. None if it allows any value. */
function alternativesInstead({ places }: Shape): Alternative[] {
  const [place, ...others] = places.map((one) => one.follow());
  if (place === undefined) return [];
  const isBare = others.length === 0 && isSilent(place.without(...CHOICES));
  return isBare ? alternativesOf(place).map((one) => [one]) : [places];
}

function compareAlternatives(schemas: Schemas, [oldPlace, before]: Choice, [place, after]: Choice): (Finding | Pair)[] {
  const [oldKeyword, keyword] = [keywordOf(oldPlace), keywordOf(place)] as const;
  const { pairs, removed, added } = matched(schemas, before, after);
  // An alternative of `anyOf` has no effect if another one covers it, as any string covers known values.
  const isCovered = (one: Alternative, all: readonly Alternative[]) =>
    all.some((other) => other !== one && !/changed|narrower/.test(`${schemas.effectOf(one, other)}`));
  const isAny = oldKeyword === 'anyOf' && keyword === 'anyOf';
  const isOne = oldKeyword === 'oneOf' && keyword === 'oneOf';
  const isHarmless = (old: Alternative, now: Alternative) =>
    // `isCovered` comes first, because it is fast for most alternatives, whose types differ.
    isAny && isCovered(old, before) && isCovered(now, after) && schemas.effectOf(old, now) !== undefined;

  const report = (one: Alternative, isAdded: boolean): (Finding | Pair)[] => {
    const others = isAdded ? before : after;
    if (keyword === 'anyOf' && isCovered(one, others)) return [];
    const [owner, verb, can, usual] = isAdded
      ? ([place, 'added', 'can also be', 'wider'] as const)
      : ([oldPlace, 'removed', 'can no longer be', 'narrower'] as const);
    // In `oneOf`, a value must match exactly one.
    const isTagged = place.at('discriminator').exists;
    const isOverlapping = others.some(
      (other) => schemas.effectOf(one, other) !== 'changed' || (!isTagged && mayBeBoth(other, one)),
    );
    const effect = keywordOf(owner) === 'oneOf' && isOverlapping ? 'changed' : usual;
    const message = `${describe(owner)} ${can} ${titleOf(one)}.`;
    return [finding(`${kebab(keywordOf(owner))}-${verb}`, effect, schemaOf(one), message)];
  };

  const [rule, may, effect] = OTHER_KEYWORD[keyword];
  const message = `${describe(place)} may match ${may} of its alternatives.`;
  return [
    ...pairs.map(([base, head]) => ({ base, head, as: isHarmless(base, head) ? ('compatible' as const) : undefined })),
    ...removed.flatMap((one) => report(one, false)),
    ...added.flatMap((one) => report(one, true)),
    ...(isOne && removed.length + added.length === 0 && areDisjoint(before) && !areDisjoint(after)
      ? [finding('one-of-overlaps', 'narrower', place, `A value may match several alternatives of ${describe(place)}.`)]
      : []),
    // Disjoint alternatives never match several at once.
    ...(oldKeyword === keyword || (areDisjoint(before) && areDisjoint(after))
      ? []
      : [finding(rule, effect, place, message)]),
  ];
}

/** Finds for each alternative its other version: one of the same name, an equal one, or a wider or narrower one. */
function matched(schemas: Schemas, before: readonly Alternative[], after: readonly Alternative[]) {
  const [removed, added] = [new Set(before), new Set(after)];
  const pairs: [Alternative, Alternative][] = [];
  const match = (isPair: (old: Alternative, now: Alternative) => boolean) => {
    for (const old of removed) {
      const now = [...added].find((one) => isPair(old, one));
      if (now === undefined) continue;
      removed.delete(old);
      added.delete(now);
      pairs.push([old, now]);
    }
  };
  match((old, now) => ownNameOf(old) !== undefined && ownNameOf(old) === ownNameOf(now));
  match((old, now) => schemas.effectOf(old, now) === undefined);
  match((old, now) => schemas.effectOf(old, now) !== 'changed');
  // The rest match by position.
  if (before.length === after.length) match((old, now) => ownNameOf(old) === undefined && ownNameOf(now) === undefined);
  return { pairs, removed: [...removed], added: [...added] };
}

const CHOICES = ['oneOf', 'anyOf'];

const OTHER_KEYWORD = {
  oneOf: ['any-of-became-one-of', 'only one', 'narrower'],
  anyOf: ['one-of-became-any-of', 'several', 'wider'],
} as const;

const keywordOf = (choice: Place) => (choice.at('oneOf').exists ? 'oneOf' : 'anyOf');

const schemaOf = (alternative: Alternative) => alternative.at(-1) as Place;

function ownNameOf(alternative: Alternative): string | undefined {
  const place = schemaOf(alternative);
  return typeof place.value?.$ref === 'string' ? componentNameOf(place.target()) : place.value?.title;
}

function titleOf(alternative: Alternative): string {
  const name = ownNameOf(alternative) ?? schemaOf(alternative).value?.type;
  return name ? code(name) : 'another alternative';
}

/** Whether no value matches two alternatives: their types differ, or a required field with values of its own. */
function areDisjoint(alternatives: readonly Alternative[]): boolean {
  const shapes = alternatives.map((one) => new Shape(one));
  return shapes.every((one, index) => shapes.slice(index + 1).every((other) => areApart(one, other)));
}

function areApart(one: Shape, other: Shape): boolean {
  const types = [...one.types.intersection(other.types)].join();
  const required = types === 'object' ? [...one.required.keys()].filter((name) => other.required.has(name)) : [];
  const hasOwn = (name: string) => {
    const [values, theirs] = [one.property(name).values, other.property(name).values];
    return values !== undefined && theirs !== undefined && values.intersection(theirs).size === 0;
  };
  return types === '' || required.some(hasOwn);
}

/** Whether an object of an alternative, with the properties that it lists, may match another one, too. */
function mayBeBoth(first: Alternative, added: Alternative): boolean {
  const [one, other] = [new Shape(first), new Shape(added)];
  if (!one.types.has('object') || areApart(one, other) || one.choices.length + other.choices.length > 0) return false;
  const listed = one.mapOf('properties');
  const accepts = (name: string) => {
    const [ours, theirs] = [one.property(name), other.applyingTo(name)];
    return !theirs.never && ours.types.intersection(theirs.types).size > 0;
  };
  return [...other.required.keys()].every((name) => listed.has(name)) && [...one.required.keys()].every(accepts);
}

/** The types or values that a schema lists, itself or in one choice; undefined if it has other constraints. */
function listOf(shape: Shape, most = 1): Set<string> | undefined {
  const { choices } = shape;
  const isList = shape.parts.every((part) => isSilent(part.without('type', 'enum', 'const', '$ref', ...CHOICES)));
  if (!isList || choices.length > most) return undefined;
  if (choices.length === 0) return shape.values ?? shape.types;
  const lists = choices.flatMap(alternativesOf).map((alternative) => listOf(new Shape([alternative]), 0));
  return lists.reduce((all, one) => one && all?.union(one), new Set<string>());
}
