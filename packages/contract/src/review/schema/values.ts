/** What a schema says of the value itself: its type, the values it may have, what leaving it out means. */
import { type Finding, finding, KEPT, lostAndGained, told } from '../finding.ts';
import { type Place, pairedEntries } from '../place.ts';
import { describe } from '../words.ts';
import type { SchemaComparison } from './schema.ts';
import { canonical, type Shape } from './shape.ts';

export function compareTypes(base: Shape, head: Shape, origin: Place): Finding[] {
  // What a choice allows is told by its alternatives.
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

/** `enum` and `const`. A closed list in place of an open one, and the reverse, is told by that. */
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
  const end = schemas.direction === 'response' ? ': who handles every value meets one more' : '';
  return lostAndGained('enum-value', subject, place, [before, after], { removed: 'narrower', added: 'wider' }, end);
}

/** `x-extensible-enum`: the SDK types it as these values or any string, so a client is ready for one more. */
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
  if (!old || !now) return told('extensible-enum', `The list of values known of ${subject}`, old, now, verdicts);
  return lostAndGained('extensible-enum-value', subject, place, [old.values(), now.values()], verdicts);
}

/** Who leaves a value out gets the default: another one changes what was asked for, unless it must not be left out. */
export function compareDefault(schemas: SchemaComparison, base: Shape, head: Shape, isRequired: boolean): Finding[] {
  const [old, now] = [base.having('default')[0], head.having('default')[0]];
  const place = now ?? old;
  if (place === undefined || canonical(old?.value) === canonical(now?.value)) return [];
  const effect = isRequired ? 'words' : schemas.direction === 'request' ? 'changed' : 'guarantee';
  const words = (at: Place | undefined) => (at ? `\`${JSON.stringify(at.value)}\`` : 'nothing');
  const message = `${describe(place.parent)}: left out, it means ${words(now)}; it was ${words(old)}.`;
  return told('default-value', '', old, now, { added: effect, removed: effect, changed: effect }, message);
}

export function compareDiscriminators(base: Shape, head: Shape): Finding[] {
  const [old, now] = [base.having('discriminator')[0], head.having('discriminator')[0]];
  const place = now ?? old;
  if (place === undefined) return [];
  const subject = describe(place.parent);
  // Who sends one may go on naming its kind; who receives one can no longer rely on that.
  if (!old || !now)
    return told('discriminator', `What tells ${subject} apart`, old, now, { added: 'compatible', removed: 'wider' });
  const [was, is] = [old.at('propertyName'), now.at('propertyName')];
  const text = `${subject} is told apart by \`${is.value}\`; it was by \`${was.value}\`.`;
  const renamed = told('discriminator-property-name', '', was, is, KEPT, text);
  if (renamed.length > 0) return renamed;
  return pairedEntries(old.at('mapping'), now.at('mapping')).flatMap(([name, before, after]) =>
    told('discriminator-mapping', `\`${name}\` as a kind of ${subject}`, before, after, KEPT),
  );
}
