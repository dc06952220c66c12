import { type Finding, finding } from '../finding.ts';
import type { Place } from '../place.ts';
import { describe } from '../words.ts';
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
      const [from, to] = [before, after].map((choice) => alternativesOf(choice).map((one) => [one]));
      differences.push(...compareAlternatives(schemas, before, from ?? [], after, to ?? []));
      continue;
    }
    if (isSameList(base, head)) return { differences: [], instead: true };
    const choice = (after ?? before) as Place;
    const [owner, other] = after ? [head, base] : [base, head];
    const [alternatives, sole] = [alternativesIn(owner, choice), soleOf(other)];
    const [verb, words, effect] = after
      ? (['added', 'is now', 'narrower'] as const)
      : (['removed', 'is no longer', 'wider'] as const);
    const isLimit =
      // Beside other keywords, a choice may only pick from what these allow.
      (owner.choices.length > 1 || alternatives.some(({ length }) => length > 1)) &&
      alternatives.every((one) => (after ? schemas.effectOf(sole, one) : schemas.effectOf(one, sole)) === effect);
    if (!isLimit && other.parts.length > 0) {
      const [from, to] = after ? [[sole], alternatives] : [alternatives, [sole]];
      return { differences: compareAlternatives(schemas, choice, from, choice, to), instead: true };
    }
    differences.push(finding(`${kindOf(choice)}-${verb}`, effect, choice, `${describe(choice)} ${words} a choice.`));
  }
  return { differences, instead: false };
}

/** The alternatives of a choice, each with the keywords beside the choice that could refuse a value. */
function alternativesIn(shape: Shape, choice: Place): Alternative[] {
  const beside = shape.parts.map((part) => part.without('$ref', 'allOf', ...(part === choice ? CHOICES : [])));
  const limits = beside.filter((part) => !isSilent(part));
  return alternativesOf(choice).map((alternative) => [...limits, alternative]);
}

function compareAlternatives(
  schemas: SchemaComparison,
  oldChoice: Place,
  before: Alternative[],
  newChoice: Place,
  after: Alternative[],
): Difference[] {
  const differences: Difference[] = [];
  const [oldKind, newKind] = [kindOf(oldChoice), kindOf(newChoice)];
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
    all.some((other) => other !== one && !/changed|narrower/.test(`${schemas.effectOf(one, other)}`));
  const isHarmless = (a: Alternative, b: Alternative) =>
    oldKind === 'any-of' && newKind === oldKind && isCovered(a, before) && isCovered(b, after) && !schemas.isSame(a, b);
  match((a, b) => nameOf(a) !== undefined && nameOf(a) === nameOf(b));
  match((a, b) => schemas.isSame(a, b));
  // What is left is told apart by a property with one value, or else by its order.
  if (old.size === now.size && before.length === after.length) {
    const isInline = (a: Alternative, b: Alternative) => nameOf(a) === undefined && nameOf(b) === undefined;
    match((a, b) => isInline(a, b) && tagOf(a) !== '' && tagOf(a) === tagOf(b));
    match(isInline);
  }
  const told = (verb: 'added' | 'removed', one: Alternative): Finding[] => {
    const [kind, choice] = verb === 'added' ? [newKind, newChoice] : [oldKind, oldChoice];
    const [usual, words] = verb === 'added' ? (['wider', 'also'] as const) : (['narrower', 'no longer'] as const);
    const effects =
      verb === 'added'
        ? before.map((other) => schemas.effectOf(other, one))
        : after.map((other) => schemas.effectOf(one, other));
    // An alternative that another one covers makes no difference to `anyOf`; with `oneOf`, a value must match only one.
    if (newKind === 'any-of' && effects.some((effect) => effect !== 'changed' && effect !== usual)) return [];
    const overlaps = kind === 'one-of' && effects.some((effect) => effect !== 'changed');
    const message = `${describe(choice)} can ${words} be ${titleOf(one)}.`;
    return [finding(`${kind}-${verb}`, overlaps ? 'changed' : usual, lastOf(one), message)];
  };
  differences.push(
    ...[...old].flatMap((one) => told('removed', one)),
    ...[...now].flatMap((one) => told('added', one)),
  );
  if (oldKind !== newKind) {
    const [effect, words] =
      newKind === 'any-of' ? (['wider', 'several'] as const) : (['narrower', 'only one'] as const);
    const message = `${describe(newChoice)} may match ${words} of its alternatives.`;
    differences.push(finding(`${oldKind}-became-${newKind}`, effect, newChoice, message));
  }
  return differences;
}

const CHOICES = ['oneOf', 'anyOf'];

const kindOf = (choice: Place) => (choice.at('oneOf').exists ? 'one-of' : 'any-of');

const lastOf = (alternative: Alternative) => alternative.at(-1) as Place;

/** A schema that is no choice; of `oneOf` with one alternative, that one. */
function soleOf({ origin }: Shape): Alternative {
  const place = origin?.follow();
  const alternatives = place && isSilent(place.without(...CHOICES)) ? alternativesOf(place) : [];
  return alternatives.length === 1 ? alternatives : origin ? [origin] : [];
}

/** The name of the component or file that an alternative refers to. */
function nameOf(alternative: Alternative): string | undefined {
  const { value } = lastOf(alternative);
  return typeof value?.$ref === 'string' ? value.$ref.split('/').at(-1) : value?.title;
}

function titleOf(alternative: Alternative): string {
  const name = nameOf(alternative) ?? lastOf(alternative).value?.type;
  return name ? `\`${name}\`` : 'another alternative';
}

/** The properties of an alternative that have only one value, by which people tell it from the others. */
function tagOf(alternative: Alternative): string {
  const properties = lastOf(alternative).at('properties').entries();
  const values = properties.map(([name, property]) => [name, ...(new Shape([property]).values ?? [])]);
  return values
    .flatMap(([name, ...all]) => (all.length === 1 ? [`${name}=${all}`] : []))
    .sort()
    .join();
}

const SILENT =
  /^(title|description|examples?|default|deprecated|readOnly|writeOnly|discriminator|externalDocs|xml|\$comment|x-.*)$/;

/** Whether none of a place's own keywords could refuse a value. */
const isSilent = ({ value }: Place) => Object.keys(value ?? {}).every((keyword) => SILENT.test(keyword));

/** Whether one side says by a choice what the other says by a list: of types, or of values. */
function isSameList(base: Shape, head: Shape): boolean {
  const [before, after] = [listOf(base), listOf(head)];
  return (
    before?.symmetricDifference(after ?? new Set()).size === 0 && base.types.symmetricDifference(head.types).size === 0
  );
}

/** The types or values that a schema lists; undefined when it says anything else. */
function listOf(shape: Shape): Set<string> | undefined {
  const { choices } = shape;
  const isList = shape.parts.every((part) => isSilent(part.without('type', 'enum', 'const', '$ref', ...CHOICES)));
  if (!isList || choices.length > 1) return undefined;
  if (choices.length === 0) return shape.values ?? shape.types;
  const lists = choices.flatMap(alternativesOf).map((alternative) => listOf(new Shape([alternative])));
  return lists.reduce((all, one) => one && all?.union(one), new Set<string>());
}
