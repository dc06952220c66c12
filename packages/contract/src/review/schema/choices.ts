import type { Effect, Finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../source.ts';
import { covers, isWithin, type Schemas } from './parts.ts';
import { alternativesOf, isChoice, type Shape, shapeOf, typesOf, valuesOf } from './shape.ts';

/** `oneOf` and `anyOf`. `instead`: one side is a choice and the other is not, which tells all there is. */
export function compareChoices(schemas: Schemas, base: Shape, head: Shape): { findings: Finding[]; instead: boolean } {
  const [old, now] = [base.parts.filter(isChoice), head.parts.filter(isChoice)];
  const findings: Finding[] = [];
  for (let index = 0; index < Math.max(old.length, now.length); index++) {
    const [before, after] = [old[index], now[index]];
    if (before && after) {
      findings.push(...compareAlternatives(schemas, before, alternativesOf(before), after, alternativesOf(after)));
    } else if (isListOfValues(schemas, base, head)) {
      return { findings: [], instead: true };
    } else if (after && head.parts.every(isOnlyChoice) && base.parts.length > 0) {
      return {
        findings: compareAlternatives(schemas, after, [soleOf(base)], after, alternativesOf(after)),
        instead: true,
      };
    } else if (before && base.parts.every(isOnlyChoice) && head.parts.length > 0) {
      return {
        findings: compareAlternatives(schemas, before, alternativesOf(before), before, [soleOf(head)]),
        instead: true,
      };
    } else {
      const place = (after ?? before) as Place;
      const rule = `${choiceName(place)}-${after ? 'added' : 'removed'}`;
      findings.push({
        rule,
        effect: after ? 'narrower' : 'wider',
        place,
        message: `${describe(place)} ${after ? 'is now' : 'is no longer'} a choice.`,
      });
    }
  }
  return { findings, instead: false };
}

/** Whether one side says by a choice what the other says by a list: of types, or of values. */
export function isListOfValues(_schemas: Schemas, base: Shape, head: Shape): boolean {
  const listed = (shape: Shape) => ({ types: typesOf(shape), values: listedValues(shape) });
  const [before, after] = [listed(base), listed(head)];
  if (before.values === 'other' || after.values === 'other') return false;
  const same = (a: Set<string> | undefined, b: Set<string> | undefined) =>
    a?.size === b?.size && (!a || !b || a.isSubsetOf(b));
  return same(before.types, after.types) && same(before.values, after.values);
}

export function compareAlternatives(
  schemas: Schemas,
  oldChoice: Place,
  before: Place[],
  newChoice: Place,
  after: Place[],
): Finding[] {
  const findings: Finding[] = [];
  const [old, now] = [new Set(before), new Set(after)];
  const pair = (matches: (a: Place, b: Place) => boolean, onMatch: (a: Place, b: Place) => void) => {
    for (const a of old) {
      const b = [...now].find((candidate) => matches(a, candidate));
      if (b === undefined) continue;
      old.delete(a);
      now.delete(b);
      onMatch(a, b);
    }
  };
  pair(
    (a, b) => schemas.compare([a], [b]).length === 0,
    () => {},
  );
  // Known values beside any string: what another alternative covers before and after refuses and brings nothing.
  const isCovered = (place: Place, all: Place[]) =>
    all.some((other) => other !== place && isWithin(schemas.compare([place], [other])));
  const isOpen = [oldChoice, newChoice].every((choice) => choiceName(choice) === 'any-of');
  const compared = (a: Place, b: Place) => {
    const harmless = isOpen && isCovered(a, before) && isCovered(b, after);
    for (const finding of schemas.compare([a], [b]))
      findings.push(harmless ? { ...finding, effect: 'compatible' } : finding);
  };
  pair((a, b) => nameOf(a) !== undefined && nameOf(a) === nameOf(b), compared);
  // What is left is told apart by a property with one value, or else by its order.
  if (old.size === now.size && before.length === after.length) {
    const inline = (a: Place, b: Place) => nameOf(a) === undefined && nameOf(b) === undefined;
    pair((a, b) => inline(a, b) && tagOf(a) !== '' && tagOf(a) === tagOf(b), compared);
    pair(inline, compared);
  }
  // An alternative that another one covers makes no difference to `anyOf`; with `oneOf`, a value must match only one.
  for (const place of old) {
    const covered = after.some((other) => isWithin(schemas.compare([place], [other])));
    if (covered && choiceName(newChoice) === 'any-of') continue;
    const overlaps =
      choiceName(oldChoice) === 'one-of' &&
      (covered || after.some((other) => covers(schemas.compare([place], [other]))));
    findings.push({
      rule: `${choiceName(oldChoice)}-removed`,
      effect: overlaps ? 'changed' : 'narrower',
      place,
      message: `${describe(oldChoice)} can no longer be ${titleOf(place)}.`,
    });
  }
  for (const place of now) {
    const covered = before.some((other) => covers(schemas.compare([other], [place])));
    if (covered && choiceName(newChoice) === 'any-of') continue;
    const overlaps =
      choiceName(newChoice) === 'one-of' &&
      (covered || before.some((other) => isWithin(schemas.compare([other], [place]))));
    findings.push({
      rule: `${choiceName(newChoice)}-added`,
      effect: overlaps ? 'changed' : 'wider',
      place,
      message: `${describe(newChoice)} can also be ${titleOf(place)}.`,
    });
  }
  if (choiceName(oldChoice) !== choiceName(newChoice)) {
    const effect: Effect = choiceName(newChoice) === 'any-of' ? 'wider' : 'narrower';
    findings.push({
      rule: `${choiceName(oldChoice)}-became-${choiceName(newChoice)}`,
      effect,
      place: newChoice,
      message: `${describe(newChoice)} may match ${effect === 'wider' ? 'several alternatives' : 'only one alternative'}.`,
    });
  }
  return findings;
}

/** A schema that is no choice; of `oneOf` with one alternative, that one. */
function soleOf({ origin }: Shape): Place {
  const place = (origin as Place).follow();
  const [sole, ...others] = alternativesOf(place);
  return sole && others.length === 0 && isOnlyChoice(place) ? sole : (origin as Place);
}

const choiceName = (place: Place) => (place.at('oneOf').exists ? 'one-of' : 'any-of');

/** The name of the component or file that an alternative refers to. */
function nameOf(place: Place): string | undefined {
  return typeof place.value?.$ref === 'string' ? place.value.$ref.split('/').at(-1) : place.value?.title;
}

function titleOf(place: Place): string {
  const name = nameOf(place) ?? place.value?.type;
  return name ? `\`${name}\`` : 'another alternative';
}

/** Whether a place has no keyword of its own beside the choice that could refuse a value. */
function isOnlyChoice({ value }: Place): boolean {
  const silent = /^(oneOf|anyOf|title|description|examples?|deprecated|discriminator|externalDocs|\$comment|x-.*)$/;
  return Object.keys(value).every((keyword) => silent.test(keyword));
}

/** The values that a schema lists; 'other' when it says anything else than types and values. */
function listedValues(shape: Shape): Set<string> | undefined | 'other' {
  const silent = /^(type|enum|const|oneOf|anyOf|title|description|examples?|deprecated|\$comment|x-.*)$/;
  if (!shape.parts.every(({ value }) => Object.keys(value).every((keyword) => silent.test(keyword)))) return 'other';
  const choices = shape.parts.filter(isChoice);
  if (choices.length === 0) return valuesOf(shape);
  const lists = choices.flatMap(alternativesOf).map((alternative) => listedValues(shapeOf([alternative])));
  if (choices.length > 1 || lists.includes('other')) return 'other';
  if (lists.every((list) => list === undefined)) return undefined;
  if (lists.includes(undefined)) return 'other';
  return new Set(lists.flatMap((list) => [...(list as Set<string>)]));
}

/** The properties of an alternative that have only one value, by which people tell it from the others. */
function tagOf(place: Place): string {
  const properties = place.at('properties').entries();
  const tags = properties.map(([name, property]) => {
    const values = valuesOf(shapeOf([property]));
    return values?.size === 1 ? `${name}=${[...values].join()}` : '';
  });
  return tags.filter(Boolean).sort().join();
}
