import { isDeepStrictEqual } from 'node:util';
import { describe, kebab } from '../describe.ts';
import { compareEntry, finding, fixedFinding, LIMIT } from '../finding.ts';
import type { Place } from '../source.ts';
import type { Difference, SchemaComparison } from './schema.ts';
import { alternativesOf, isSilent, Shape } from './shape.ts';

/** An alternative, after the places of the keywords beside its choice. */
type Alternative = readonly Place[];

/** The place of a choice and its alternatives, or of the schema that replaces it. */
type Choice = readonly [place: Place, alternatives: readonly Alternative[]];

/** Compares `oneOf` and `anyOf` of as many choices. */
export function compareChoices(schemas: SchemaComparison, base: Shape, head: Shape): Difference[] {
  const alone = (choice: Place): Choice => [choice, alternativesOf(choice).map((one) => [one])];
  return base.choices.flatMap((choice, index) =>
    compareAlternatives(schemas, alone(choice), alone(head.choices[index] as Place)),
  );
}

/** Compares schemas of which one has a further choice. Their other keywords need no comparison. */
export function compareWithChoice(schemas: SchemaComparison, base: Shape, head: Shape): Difference[] {
  // Another notation of the same types or values is no change.
  const [list, newList] = [listOf(base), listOf(head)];
  if (list && isDeepStrictEqual([list, base.types], [newList, head.types])) return [];
  const isAdded = base.choices.length < head.choices.length;
  const [owner, other] = isAdded ? [head, base] : [base, head];
  const place = owner.choices[other.choices.length] as Place;
  const [alternatives, others] = [alternativesIn(owner, place), alternativesInstead(other)];
  if (others.length === 0 || alternatives.every((one) => schemas.effectOf(other.places, one) === 'narrower')) {
    const [before, after] = isAdded ? [undefined, place] : [place, undefined];
    return compareEntry(kebab(keywordOf(place)), `The choice of ${describe(place)}`, before, after, LIMIT);
  }
  const [before, after] = isAdded ? [others, alternatives] : [alternatives, others];
  return compareAlternatives(schemas, [place, before], [place, after]);
}

/** The alternatives of a choice, each with the constraints beside the choice. */
function alternativesIn(shape: Shape, choice: Place): Alternative[] {
  const beside = shape.parts.map((part) => part.without('$ref', 'allOf', ...(part === choice ? CHOICES : [])));
  const limits = beside.filter((part) => !isSilent(part));
  return alternativesOf(choice).map((alternative) => [...limits, alternative]);
}

function compareAlternatives(schemas: SchemaComparison, base: Choice, head: Choice): Difference[] {
  const differences: Difference[] = [];
  const [[oldPlace, before], [newPlace, after]] = [base, head];
  const [oldKeyword, newKeyword] = [keywordOf(oldPlace), keywordOf(newPlace)];
  const [old, now] = [new Set(before), new Set(after)];
  const match = (matches: (a: Alternative, b: Alternative) => boolean) => {
    for (const a of old) {
      const b = [...now].find((candidate) => matches(a, candidate));
      if (b === undefined) continue;
      old.delete(a);
      now.delete(b);
      differences.push({ base: a, head: b, as: isHarmless(a, b) ? 'compatible' : undefined });
    }
  };
  // Such as known values beside any string: an alternative that another one covers in both versions has no effect.
  const isCovered = (one: Alternative, all: readonly Alternative[]) =>
    all.some((other) => other !== one && !/changed|narrower/.test(`${schemas.effectOf(one, other)}`));
  const isAny = oldKeyword === 'anyOf' && newKeyword === 'anyOf';
  const isHarmless = (a: Alternative, b: Alternative) =>
    isAny && !schemas.isSame(a, b) && isCovered(a, before) && isCovered(b, after);
  match((a, b) => nameOf(a) !== undefined && nameOf(a) === nameOf(b));
  match((a, b) => schemas.isSame(a, b));
  match((a, b) => schemas.effectOf(a, b) !== 'changed');
  // The others are matched by a property with a single value, or by position.
  if (old.size === now.size && before.length === after.length) {
    const isInline = (a: Alternative, b: Alternative) => nameOf(a) === undefined && nameOf(b) === undefined;
    match((a, b) => isInline(a, b) && tagOf(a) !== '' && tagOf(a) === tagOf(b));
    match(isInline);
  }
  const report = (one: Alternative, isAdded: boolean) => {
    const [place, keyword, others] = isAdded ? [newPlace, newKeyword, before] : [oldPlace, oldKeyword, after];
    const [verb, words, usual] = isAdded
      ? (['added', 'also', 'wider'] as const)
      : (['removed', 'no longer', 'narrower'] as const);
    // An alternative that another one covers has no effect in `anyOf`; in `oneOf`, a value must match exactly one.
    if (newKeyword === 'anyOf' && isCovered(one, others)) return;
    const isOverlapping = others.some((other) => schemas.effectOf(one, other) !== 'changed');
    const effect = keyword === 'oneOf' && isOverlapping ? 'changed' : usual;
    const message = `${describe(place)} can ${words} be ${titleOf(one)}.`;
    differences.push(finding(`${kebab(keyword)}-${verb}`, effect, lastOf(one), message));
  };
  for (const one of old) report(one, false);
  for (const one of now) report(one, true);
  if (oldKeyword !== newKeyword)
    differences.push(fixedFinding(newKeyword === 'oneOf' ? 'any-of-became-one-of' : 'one-of-became-any-of', newPlace));
  return differences;
}

const CHOICES = ['oneOf', 'anyOf'];

const keywordOf = (choice: Place) => (choice.at('oneOf').exists ? 'oneOf' : 'anyOf');

const lastOf = (alternative: Alternative) => alternative.at(-1) as Place;

/** The alternatives of a schema that is no choice: itself, or one and null. None if it allows any value. */
function alternativesInstead({ places }: Shape): Alternative[] {
  const [place, ...others] = places.map((one) => one.follow());
  if (place === undefined) return [];
  const isBare = others.length === 0 && isSilent(place.without(...CHOICES));
  return isBare ? alternativesOf(place).map((one) => [one]) : [places];
}

/** The referenced component or file of an alternative, or its title. */
function nameOf(alternative: Alternative): string | undefined {
  const { value } = lastOf(alternative);
  return typeof value?.$ref === 'string' ? value.$ref.split('/').at(-1) : value?.title;
}

function titleOf(alternative: Alternative): string {
  const name = nameOf(alternative) ?? lastOf(alternative).value?.type;
  return name ? `\`${name}\`` : 'another alternative';
}

/** The properties with a single value, which identify an alternative. */
function tagOf(alternative: Alternative): string {
  const properties = lastOf(alternative).at('properties').entries();
  const tags = properties.flatMap(([name, property]) => {
    const { values } = new Shape([property]);
    return values?.size === 1 ? [`${name}=${[...values]}`] : [];
  });
  return tags.sort().join();
}

/** The types or values that a schema lists, by at most one choice; undefined if it has other constraints. */
function listOf(shape: Shape, most = 1): Set<string> | undefined {
  const { choices } = shape;
  const isList = shape.parts.every((part) => isSilent(part.without('type', 'enum', 'const', '$ref', ...CHOICES)));
  if (!isList || choices.length > most) return undefined;
  if (choices.length === 0) return shape.values ?? shape.types;
  const lists = choices.flatMap(alternativesOf).map((alternative) => listOf(new Shape([alternative]), 0));
  return lists.reduce((all, one) => one && all?.union(one), new Set<string>());
}
