import { isDeepStrictEqual } from 'node:util';
import { finding, LIMIT, ruled, told } from '../finding.ts';
import type { Place } from '../place.ts';
import { describe, kebab } from '../words.ts';
import type { Difference, SchemaComparison } from './schema.ts';
import { alternativesOf, Shape } from './shape.ts';

/** An alternative, after the places of the keywords beside its choice. */
type Alternative = readonly Place[];

/** The place of a choice and its alternatives, or of the schema that replaces it. */
type Choice = readonly [place: Place, alternatives: readonly Alternative[]];

/** Compares `oneOf` and `anyOf`. `instead`: only one version is a choice; other keywords need no comparison. */
export function compareChoices(
  schemas: SchemaComparison,
  base: Shape,
  head: Shape,
): { differences: Difference[]; instead: boolean } {
  const [old, now] = [base.choices, head.choices];
  const differences: Difference[] = [];
  for (let index = 0; index < Math.max(old.length, now.length); index++) {
    const [before, after] = [old[index], now[index]];
    if (before && after) {
      const alone = (place: Place): Choice => [place, alternativesOf(place).map((one) => [one])];
      differences.push(...compareAlternatives(schemas, alone(before), alone(after)));
      continue;
    }
    if (isSameList(base, head)) return { differences: [], instead: true };
    const [place, owner, other] = after ? [after, head, base] : [before as Place, base, head];
    const [alternatives, sole] = [alternativesIn(owner, place), soleOf(other)];
    // Beside other keywords, a choice may only narrow them.
    const isBeside = alternatives.some(({ length }) => length > 1);
    const isLimit = isBeside && alternatives.every((one) => schemas.effectOf(sole, one) === 'narrower');
    if (!isLimit && other.parts.length > 0) {
      const [from, to] = after ? [[sole], alternatives] : [alternatives, [sole]];
      return { differences: compareAlternatives(schemas, [place, from], [place, to]), instead: true };
    }
    differences.push(...told(kebab(keywordOf(place)), `The choice of ${describe(place)}`, before, after, LIMIT));
  }
  return { differences, instead: false };
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
    isAny && isCovered(a, before) && isCovered(b, after) && !schemas.isSame(a, b);
  match((a, b) => nameOf(a) !== undefined && nameOf(a) === nameOf(b));
  match((a, b) => schemas.isSame(a, b));
  // The others are matched by a property with a single value, or by position.
  if (old.size === now.size && before.length === after.length) {
    const isInline = (a: Alternative, b: Alternative) => nameOf(a) === undefined && nameOf(b) === undefined;
    match((a, b) => isInline(a, b) && tagOf(a) !== '' && tagOf(a) === tagOf(b));
    match(isInline);
  }
  const report = (one: Alternative, isAdded: boolean) => {
    const [place, keyword] = isAdded ? [newPlace, newKeyword] : [oldPlace, oldKeyword];
    const [verb, words, usual] = isAdded
      ? (['added', 'also', 'wider'] as const)
      : (['removed', 'no longer', 'narrower'] as const);
    const effects = isAdded
      ? before.map((other) => schemas.effectOf(other, one))
      : after.map((other) => schemas.effectOf(one, other));
    // An alternative that another one covers has no effect in `anyOf`; in `oneOf`, a value must match exactly one.
    if (newKeyword === 'anyOf' && effects.some((effect) => effect !== 'changed' && effect !== usual)) return;
    const effect = keyword === 'oneOf' && effects.some((effect) => effect !== 'changed') ? 'changed' : usual;
    const message = `${describe(place)} can ${words} be ${titleOf(one)}.`;
    differences.push(finding(`${kebab(keyword)}-${verb}`, effect, lastOf(one), message));
  };
  for (const one of old) report(one, false);
  for (const one of now) report(one, true);
  if (oldKeyword !== newKeyword)
    differences.push(ruled(newKeyword === 'oneOf' ? 'any-of-became-one-of' : 'one-of-became-any-of', newPlace));
  return differences;
}

const CHOICES = ['oneOf', 'anyOf'];

const keywordOf = (choice: Place) => (choice.at('oneOf').exists ? 'oneOf' : 'anyOf');

const lastOf = (alternative: Alternative) => alternative.at(-1) as Place;

/** The schema itself, or the single alternative of a choice. */
function soleOf({ origin }: Shape): Alternative {
  const place = origin?.follow();
  const alternatives = place && isSilent(place.without(...CHOICES)) ? alternativesOf(place) : [];
  return alternatives.length === 1 ? alternatives : origin ? [origin] : [];
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

const SILENT =
  /^(title|description|examples?|default|deprecated|readOnly|writeOnly|discriminator|externalDocs|xml|\$comment|x-.*)$/;

/** Whether a place has no constraints of its own. */
const isSilent = ({ value }: Place) => Object.keys(value ?? {}).every((keyword) => SILENT.test(keyword));

/** Whether a choice and a list of types or values are equivalent. */
function isSameList(base: Shape, head: Shape): boolean {
  const [before, after] = [listOf(base), listOf(head)];
  return before !== undefined && isDeepStrictEqual([before, base.types], [after, head.types]);
}

/** The types or values that a schema lists; undefined if it has other constraints. */
function listOf(shape: Shape): Set<string> | undefined {
  const { choices } = shape;
  const isList = shape.parts.every((part) => isSilent(part.without('type', 'enum', 'const', '$ref', ...CHOICES)));
  if (!isList || choices.length > 1) return undefined;
  if (choices.length === 0) return shape.values ?? shape.types;
  const lists = choices.flatMap(alternativesOf).map((alternative) => listOf(new Shape([alternative])));
  return lists.reduce((all, one) => one && all?.union(one), new Set<string>());
}
