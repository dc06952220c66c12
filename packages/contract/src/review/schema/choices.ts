import { type Effect, type Finding, finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../place.ts';
import type { Difference, SchemaComparison } from './schema.ts';
import { alternativesOf, Shape } from './shape.ts';

/** An alternative, with what stands beside the choice; the alternative itself comes last. */
type Alternative = readonly Place[];

/** `oneOf` and `anyOf`. `instead`: one side is a choice and the other is not, which tells all there is. */
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
      differences.push(...compareAlternatives(schemas, before, plain(before), after, plain(after)));
      continue;
    }
    if (isListOfValues(base, head)) return { differences: [], instead: true };
    const choice = (after ?? before) as Place;
    const [owner, other] = after ? [head, base] : [base, head];
    const alternatives = alternativesIn(owner, choice);
    const sole = soleOf(other);
    const isLimit =
      // Beside other keywords, a choice may only pick from what these allow.
      (owner.choices.length > 1 || alternatives.some(({ length }) => length > 1)) &&
      alternatives.every((one) => isOnlyPart(schemas, sole, one, after !== undefined));
    if (isLimit || other.parts.length === 0) {
      const [verb, words] = after ? (['added', 'is now'] as const) : (['removed', 'is no longer'] as const);
      const message = `${describe(choice)} ${words} a choice.`;
      const effect = after ? 'narrower' : 'wider';
      differences.push(finding(`${choiceName(choice)}-${verb}`, effect, choice, message));
      continue;
    }
    const [from, to] = after ? [[sole], alternatives] : [alternatives, [sole]];
    return { differences: compareAlternatives(schemas, choice, from, choice, to), instead: true };
  }
  return { differences, instead: false };
}

function isOnlyPart(schemas: SchemaComparison, whole: Alternative, part: Alternative, isAdded: boolean): boolean {
  const fits = isAdded ? schemas.covers(whole, part) : schemas.isWithin(part, whole);
  return fits && !(isAdded ? schemas.isSame(whole, part) : schemas.isSame(part, whole));
}

const plain = (choice: Place): Alternative[] => alternativesOf(choice).map((alternative) => [alternative]);

/** The alternatives of a choice, each with the keywords beside the choice that could refuse a value. */
function alternativesIn(shape: Shape, choice: Place): Alternative[] {
  const beside = shape.parts
    .map((part) => part.without('$ref', 'allOf', ...(part === choice ? ['oneOf', 'anyOf'] : [])))
    .filter(({ value }) => !Object.keys(value).every((keyword) => SILENT.test(keyword)));
  return alternativesOf(choice).map((alternative) => [...beside, alternative]);
}

/** Whether one side says by a choice what the other says by a list: of types, or of values. */
function isListOfValues(base: Shape, head: Shape): boolean {
  const [before, after] = [listedValues(base), listedValues(head)];
  if (before === 'other' || after === 'other') return false;
  const same = (a: Set<string> | undefined, b: Set<string> | undefined) =>
    a?.size === b?.size && (!a || !b || a.isSubsetOf(b));
  return same(base.types, head.types) && same(before, after);
}

function compareAlternatives(
  schemas: SchemaComparison,
  oldChoice: Place,
  before: Alternative[],
  newChoice: Place,
  after: Alternative[],
): Difference[] {
  const differences: Difference[] = [];
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
  // Known values beside any string: what another alternative covers before and after refuses and brings nothing.
  const isCovered = (one: Alternative, all: Alternative[]) =>
    all.some((other) => other !== one && schemas.isWithin(one, other));
  const isOpen = [oldChoice, newChoice].every((choice) => choiceName(choice) === 'any-of');
  const isHarmless = (a: Alternative, b: Alternative) =>
    isOpen && isCovered(a, before) && isCovered(b, after) && !schemas.isSame(a, b);
  match((a, b) => nameOf(a) !== undefined && nameOf(a) === nameOf(b));
  match((a, b) => schemas.isSame(a, b));
  // What is left is told apart by a property with one value, or else by its order.
  if (old.size === now.size && before.length === after.length) {
    const isInline = (a: Alternative, b: Alternative) => nameOf(a) === undefined && nameOf(b) === undefined;
    match((a, b) => isInline(a, b) && tagOf(a) !== '' && tagOf(a) === tagOf(b));
    match(isInline);
  }
  // An alternative that another one covers makes no difference to `anyOf`; with `oneOf`, a value must match only one.
  const told = (verb: 'added' | 'removed', one: Alternative, isKnown: boolean, isPart: () => boolean): Finding[] => {
    const choice = verb === 'added' ? newChoice : oldChoice;
    if (isKnown && choiceName(newChoice) === 'any-of') return [];
    const overlaps = choiceName(choice) === 'one-of' && (isKnown || isPart());
    const [usual, words] = verb === 'added' ? (['wider', 'also'] as const) : (['narrower', 'no longer'] as const);
    const message = `${describe(choice)} can ${words} be ${titleOf(one)}.`;
    return [finding(`${choiceName(choice)}-${verb}`, overlaps ? 'changed' : usual, lastOf(one), message)];
  };
  for (const one of old) {
    const isKnown = after.some((other) => schemas.isWithin(one, other));
    differences.push(...told('removed', one, isKnown, () => after.some((other) => schemas.covers(one, other))));
  }
  for (const one of now) {
    const isKnown = before.some((other) => schemas.covers(other, one));
    differences.push(...told('added', one, isKnown, () => before.some((other) => schemas.isWithin(other, one))));
  }
  if (choiceName(oldChoice) !== choiceName(newChoice)) {
    const effect: Effect = choiceName(newChoice) === 'any-of' ? 'wider' : 'narrower';
    const words = effect === 'wider' ? 'several alternatives' : 'only one alternative';
    const rule = `${choiceName(oldChoice)}-became-${choiceName(newChoice)}`;
    differences.push(finding(rule, effect, newChoice, `${describe(newChoice)} may match ${words}.`));
  }
  return differences;
}

/** A schema that is no choice; of `oneOf` with one alternative, that one. */
function soleOf({ origin }: Shape): Alternative {
  if (origin === undefined) return [];
  const place = origin.follow();
  const [sole, ...others] = alternativesOf(place);
  return [sole && others.length === 0 && isOnlyChoice(place) ? sole : origin];
}

const choiceName = (place: Place) => (place.at('oneOf').exists ? 'one-of' : 'any-of');

const lastOf = (alternative: Alternative) => alternative.at(-1) as Place;

/** The name of the component or file that an alternative refers to. */
function nameOf(alternative: Alternative): string | undefined {
  const { value } = lastOf(alternative);
  return typeof value?.$ref === 'string' ? value.$ref.split('/').at(-1) : value?.title;
}

function titleOf(alternative: Alternative): string {
  const name = nameOf(alternative) ?? lastOf(alternative).value?.type;
  return name ? `\`${name}\`` : 'another alternative';
}

/** Keywords that refuse no value. */
const SILENT =
  /^(title|description|examples?|default|deprecated|readOnly|writeOnly|discriminator|externalDocs|xml|\$comment|x-.*)$/;

/** Whether a place has no keyword of its own beside the choice that could refuse a value. */
function isOnlyChoice({ value }: Place): boolean {
  return Object.keys(value).every((keyword) => /^(oneOf|anyOf)$/.test(keyword) || SILENT.test(keyword));
}

/** The values that a schema lists; 'other' when it says anything else than types and values. */
function listedValues(shape: Shape): Set<string> | undefined | 'other' {
  const isTold = (keyword: string) => /^(type|enum|const|oneOf|anyOf|\$ref)$/.test(keyword) || SILENT.test(keyword);
  if (!shape.parts.every(({ value }) => Object.keys(value).every(isTold))) return 'other';
  const { choices } = shape;
  if (choices.length === 0) return shape.values;
  const lists = choices.flatMap(alternativesOf).map((alternative) => listedValues(new Shape([alternative])));
  if (choices.length > 1 || lists.includes('other')) return 'other';
  if (lists.every((list) => list === undefined)) return undefined;
  if (lists.includes(undefined)) return 'other';
  return new Set(lists.flatMap((list) => [...(list as Set<string>)]));
}

/** The properties of an alternative that have only one value, by which people tell it from the others. */
function tagOf(alternative: Alternative): string {
  const properties = lastOf(alternative).at('properties').entries();
  const tags = properties.map(([name, property]) => {
    const { values } = new Shape([property]);
    return values?.size === 1 ? `${name}=${[...values].join()}` : '';
  });
  return tags.filter(Boolean).sort().join();
}
