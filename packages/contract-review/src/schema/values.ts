/** Compares keywords on the value itself: type, allowed values, default and discriminator. */
import { type Place, type Places, pairedEntries, schemaIn } from '@petstore-platform/openapi';
import { describe } from '../describe.ts';
import { compareEntry, type Direction, type Effect, type Finding, finding, list, lostAndGained } from '../finding.ts';
import { compareRest } from '../rest.ts';
import { componentNameOf } from '../version.ts';
import { code } from '../words.ts';
import { alternativesOf, type Schemas, Shape } from './shape.ts';

export function compareTypes(base: Shape, head: Shape, origin: Place): Finding[] {
  // compareChoices reports the types of alternatives.
  const [before, after] = [base.ownTypes, head.ownTypes];
  // A type that no alternative has was not allowed.
  const only = (some: Set<string>, others: Set<string>, shape: Shape) => {
    const rest = some.difference(others);
    return rest.size > 0 ? rest.intersection(shape.types) : rest;
  };
  const [lost, gained] = [only(before, after, base), only(after, before, head)];
  if (lost.size + gained.size === 0) return [];
  const owner = head.parts.find(({ value }) => value.type !== undefined);
  const [place, subject] = [owner?.at('type') ?? origin, describe(owner ?? origin)];
  const named = (types: Set<string>) => {
    const names = [...types].filter((type) => type !== 'integer' || !types.has('number'));
    return types.size === 7 ? 'any type' : names.join(' or ');
  };
  const message = `${subject} is ${named(after)}; it was ${named(before)}.`;
  const isNull = [...lost, ...gained].join() === 'null';
  if (gained.size === 0) return [finding(isNull ? 'became-not-nullable' : 'type-narrowed', 'narrower', place, message)];
  if (lost.size === 0) return [finding(isNull ? 'became-nullable' : 'type-widened', 'wider', place, message)];
  return [finding('type-changed', 'changed', place, message)];
}

/** Compares `enum` and `const`. compareKnownValues reports a change between closed and extensible lists. */
export function compareValues(direction: Direction, base: Shape, head: Shape): Finding[] {
  const [place] = [head, base].flatMap((shape) => [...shape.having('enum'), ...shape.having('const')]);
  const [before, after] = [base.values, head.values];
  const values = after ?? before;
  if (place === undefined || values === undefined) return [];
  const subject = describe(place.parent);
  if (!before || !after) {
    const isOpen = (shape: Shape) => shape.having('x-extensible-enum').length > 0;
    if (after ? isOpen(base) && !isOpen(head) : isOpen(head) && !isOpen(base)) return [];
    const verb = after ? 'is' : 'is no longer';
    const [rule, effect] = after ? (['became-enum', 'narrower'] as const) : (['enum-removed', 'wider'] as const);
    return [finding(rule, effect, place, `${subject} ${verb} limited to ${list(values)}.`)];
  }
  const end = direction === 'response' ? ': an exhaustive switch no longer covers all values' : '';
  return lostAndGained('enum-value', subject, place, [before, after], { removed: 'fewer', added: 'wider' }, end);
}

/** Compares `x-extensible-enum`. The SDK types it as these values or any string, so a new value is compatible. */
export function compareKnownValues(schemas: Schemas, base: Shape, head: Shape): Finding[] {
  const [old, now] = [base.having('x-extensible-enum')[0], head.having('x-extensible-enum')[0]];
  const place = now ?? old;
  if (place === undefined) return [];
  const subject = describe(place.parent);
  if (old && now && schemas.isImplied(old, now)) return [];
  if (old && now) {
    const verdicts = { added: 'compatible', removed: 'narrower' } as const;
    return lostAndGained('extensible-enum-value', subject, place, [old.values(), now.values()], verdicts);
  }
  if ((old ? head : base).values)
    return old
      ? [finding('extensible-enum-became-closed', 'narrower', place, `${subject} is limited to the values listed.`)]
      : [finding('enum-became-extensible', 'wider', place, `${subject} may have values that are not listed.`)];
  return compareEntry('extensible-enum', `The list of known values of ${subject}`, old, now, 'compatible');
}

/** A changed default changes the meaning of requests that omit the value. The default of a required value has no effect. */
export function compareDefault(direction: Direction, base: Shape, head: Shape, isRequired: boolean): Finding[] {
  const [old, now] = [base.having('default').at(-1), head.having('default').at(-1)];
  const place = now ?? old;
  if (place === undefined) return [];
  const effect = isRequired ? 'documentation' : direction === 'request' ? 'changed' : 'guarantee';
  return compareEntry('default-value', `The default of ${describe(place.parent)}`, old, now, effect);
}

/** Compares `x-read-only`, by which a request may have read-only fields. */
export function* compareReadOnly(old: Places, now: Places): Generator<Finding> {
  const placeOf = (places: Places) =>
    places.map((one) => one.at('x-read-only')).find(({ value }) => value === 'ignore');
  const [was, is] = [placeOf(old), placeOf(now)];
  if (is && !was) yield finding('read-only-dropped', 'compatible', is, 'Read-only fields of requests are now dropped.');
  if (was && !is) yield finding('read-only-refused', 'changed', was, 'Read-only fields of requests are now refused.');
}

export function* compareDiscriminators(base: Shape, head: Shape): Generator<Finding> {
  const [old, now] = [base.having('discriminator')[0], head.having('discriminator')[0]];
  const place = now ?? old;
  if (place === undefined) return;
  const subject = `of ${describe(place.parent)}`;
  // Its values become part of the types, unless the alternatives have them already. If it is removed, senders may keep the property,
  // but receivers can no longer rely on it.
  const name = place.value?.propertyName;
  const isTagged = alternativesOf(place.parent).every((one) => new Shape([one]).property(name).values);
  yield* compareEntry('discriminator', `The discriminator ${subject}`, old, now, {
    added: isTagged ? 'compatible' : 'narrower',
    removed: isTagged ? 'compatible' : 'wider',
  });
  if (!old || !now) return;
  yield* compareRest('discriminator', [old], [now]);
  const [was, is] = [old.at('propertyName'), now.at('propertyName')];
  yield* compareEntry('discriminator-property-name', `The discriminator ${subject}`, was, is);
  if (was.value !== is.value) return;
  for (const [name, before, after] of pairedEntries(old.at('mapping'), now.at('mapping'))) {
    const added = effectOf(after, old, 'wider', 'compatible');
    const verdicts = { added, removed: effectOf(before, now, 'narrower', 'changed'), changed: 'changed' } as const;
    const what = `The discriminator mapping ${code(name)} ${subject}`;
    yield* compareEntry('discriminator-mapping', what, before, after, verdicts);
  }
}

/**
 * The effect of a mapped value that one version lacks. Its schema has one value more, or another one if its name was its value.
 *
 * @param other - the discriminator of the version that lacks it
 * @param usual - the effect if the schema is no alternative there
 */
function effectOf(mapped: Place | undefined, other: Place, another: Effect, usual: Effect): Effect {
  const name = schemaIn(mapped?.value);
  const alternatives = alternativesOf(other.parent).filter(({ value }) => value?.$ref !== undefined);
  if (!alternatives.some((one) => componentNameOf(one.target()) === name)) return usual;
  const others = other.at('mapping').entries();
  return others.some(([, { value }]) => value === mapped?.value) ? another : 'changed';
}
