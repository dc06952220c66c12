/** Compares keywords on the value itself: type, allowed values, default and discriminator. */
import { type Finding, finding, KEPT, lostAndGained, told } from '../finding.ts';
import { type Place, pairedEntries } from '../place.ts';
import { describe } from '../words.ts';
import type { SchemaComparison } from './schema.ts';
import { canonical, type Shape } from './shape.ts';

export function compareTypes(base: Shape, head: Shape, origin: Place): Finding[] {
  // compareChoices reports the types of alternatives.
  const [before, after] = [base.ownTypes, head.ownTypes];
  const [lost, gained] = [before.difference(after), after.difference(before)];
  if (lost.size === 0 && gained.size === 0) return [];
  const owner = [...head.parts, ...base.parts].find(({ value }) => value.type !== undefined);
  const words = (types: Set<string>) =>
    types.size === 7
      ? 'any type'
      : [...types].filter((type) => type !== 'integer' || !types.has('number')).join(' or ');
  const message = `${describe(owner ?? origin)} is ${words(after)}; it was ${words(before)}.`;
  const isNull = (types: Set<string>) => [...types].join() === 'null';
  const [rule, effect] =
    gained.size === 0
      ? ([isNull(lost) ? 'became-not-nullable' : 'type-narrowed', 'narrower'] as const)
      : lost.size === 0
        ? ([isNull(gained) ? 'became-nullable' : 'type-widened', 'wider'] as const)
        : (['type-changed', 'changed'] as const);
  return [finding(rule, effect, owner?.at('type') ?? origin, message)];
}

const list = (values: Iterable<unknown>) =>
  [...values].map((value) => `\`${String(value).replace(/^"(.*)"$/, '$1')}\``).join(', ');

/** Compares `enum` and `const`. compareKnownValues reports a change between closed and extensible lists. */
export function compareValues(schemas: SchemaComparison, base: Shape, head: Shape): Finding[] {
  const [place] = [head, base].flatMap((shape) => [...shape.having('enum'), ...shape.having('const')]);
  const [before, after] = [base.values, head.values];
  if (place === undefined) return [];
  const subject = describe(place.parent);
  if (!before || !after) {
    if ((after ? base : head).has('x-extensible-enum')) return [];
    const [rule, effect, words] = after
      ? ([head.has('enum') ? 'became-enum' : 'const-added', 'narrower', 'limited'] as const)
      : ([base.has('enum') ? 'enum-removed' : 'const-removed', 'wider', 'no longer limited'] as const);
    const values = after ?? before;
    return values ? [finding(rule, effect, place, `${subject} is ${words} to ${list(values)}.`)] : [];
  }
  if (head.has('const') && base.has('const') && !before.isSubsetOf(after))
    return [finding('const-changed', 'changed', place, `${subject} is ${list(after)}; it was ${list(before)}.`)];
  const end = schemas.direction === 'response' ? ': an exhaustive switch no longer covers all values' : '';
  return lostAndGained('enum-value', subject, place, [before, after], { removed: 'narrower', added: 'wider' }, end);
}

/** Compares `x-extensible-enum`. The SDK types it as these values or any string, so a new value is compatible. */
export function compareKnownValues(base: Shape, head: Shape): Finding[] {
  const [old, now] = [base.having('x-extensible-enum')[0], head.having('x-extensible-enum')[0]];
  const place = now ?? old;
  if (place === undefined) return [];
  const subject = describe(place.parent);
  if (!now && head.values)
    return [finding('extensible-enum-became-closed', 'narrower', place, `${subject} is limited to the values listed.`)];
  if (!old && base.values)
    return [finding('enum-became-extensible', 'wider', place, `${subject} may have values that are not listed.`)];
  const verdicts = { added: 'compatible', removed: old && now ? 'narrower' : 'compatible' } as const;
  if (!old || !now) return told('extensible-enum', `The list of known values of ${subject}`, old, now, verdicts);
  return lostAndGained('extensible-enum-value', subject, place, [old.values(), now.values()], verdicts);
}

/** A changed default changes the meaning of requests that omit the value. That of a required value has no effect. */
export function compareDefault(schemas: SchemaComparison, base: Shape, head: Shape, isRequired: boolean): Finding[] {
  const [old, now] = [base.having('default')[0], head.having('default')[0]];
  const place = now ?? old;
  if (place === undefined || canonical(old?.value) === canonical(now?.value)) return [];
  const effect = isRequired ? 'words' : schemas.direction === 'request' ? 'changed' : 'guarantee';
  const words = (at: Place | undefined) => (at ? `\`${JSON.stringify(at.value)}\`` : 'none');
  const message = `The default of ${describe(place.parent)} is ${words(now)}; it was ${words(old)}.`;
  return told('default-value', '', old, now, { added: effect, removed: effect, changed: effect }, message);
}

export function compareDiscriminators(base: Shape, head: Shape): Finding[] {
  const [old, now] = [base.having('discriminator')[0], head.having('discriminator')[0]];
  const place = now ?? old;
  if (place === undefined) return [];
  const subject = describe(place.parent);
  // Without it, senders may keep the property, but receivers can no longer rely on it.
  if (!old || !now)
    return told('discriminator', `The discriminator of ${subject}`, old, now, {
      added: 'compatible',
      removed: 'wider',
    });
  const [was, is] = [old.at('propertyName'), now.at('propertyName')];
  const text = `The discriminator of ${subject} is \`${is.value}\`; it was \`${was.value}\`.`;
  const renamed = told('discriminator-property-name', '', was, is, KEPT, text);
  if (renamed.length > 0) return renamed;
  return pairedEntries(old.at('mapping'), now.at('mapping')).flatMap(([name, before, after]) =>
    told('discriminator-mapping', `The discriminator mapping \`${name}\` of ${subject}`, before, after, KEPT),
  );
}
