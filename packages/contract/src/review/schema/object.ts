import { type Effect, type Finding, finding } from '../finding.ts';
import { compareFlag } from '../flags.ts';
import { describe } from '../label.ts';
import type { Place } from '../place.ts';
import { compareDefault, pair } from './parts.ts';
import type { Difference, Schemas } from './schema.ts';
import { Shape } from './shape.ts';

export function compareObjects(schemas: Schemas, base: Shape, head: Shape): Difference[] {
  if (!base.types.union(head.types).has('object')) return [];
  return [
    ...compareProperties(schemas, base, head),
    ...compareOpenness('additional-properties', 'additionalProperties', base, head),
    ...compareOpenness('unevaluated-properties', 'unevaluatedProperties', base, head),
  ];
}

/** A property as one version has it for the direction looked at. */
interface Property {
  places: Place[] | undefined;
  shape: Shape;
  /** Only the other side sends it. */
  isHidden: boolean;
  isThere: boolean;
  /** Where it is required. */
  required: Place | undefined;
}

function propertiesOf(schemas: Schemas, owner: Shape): (name: string) => Property {
  const places = owner.mapOf('properties');
  const required = new Map(
    owner.having('required').flatMap((list) => list.items().map((place) => [String(place.value), place] as const)),
  );
  // A client never sends what is read-only, and never receives what is write-only.
  const flag = schemas.direction === 'request' ? 'readOnly' : 'writeOnly';
  return (name) => {
    const own = places.get(name);
    const shape = new Shape(own ?? []);
    const isHidden = shape.having(flag).some(({ value }) => value === true);
    const isThere = own !== undefined && !isHidden;
    return { places: own, shape, isHidden, isThere, required: isHidden ? undefined : required.get(name) };
  };
}

function compareProperties(schemas: Schemas, base: Shape, head: Shape): Difference[] {
  const namesOf = (shape: Shape) => [
    ...shape.mapOf('properties').keys(),
    ...shape.having('required').flatMap(({ value }) => (Array.isArray(value) ? value.map(String) : [])),
  ];
  const [before, after] = [propertiesOf(schemas, base), propertiesOf(schemas, head)];
  const names = new Set([...namesOf(base), ...namesOf(head)]);
  return [...names].flatMap((name) => compareProperty(schemas, name, before(name), after(name), base));
}

function compareProperty(schemas: Schemas, name: string, old: Property, now: Property, owner: Shape): Difference[] {
  const isRequest = schemas.direction === 'request';
  const place = now.places?.[0] ?? old.places?.[0] ?? now.required ?? old.required;
  if (place === undefined) return [];
  const subject = old.places || now.places ? describe(place) : `\`${name}\` in ${describe(place.parent)}`;
  if (old.isThere && !now.isThere) {
    if (!now.isHidden) return [finding('property-removed', 'changed', place, `${subject} was removed.`)];
    const [flag, end] = isRequest ? ['read', 'can no longer be sent'] : ['write', 'is no longer returned'];
    return [finding(`property-became-${flag}-only`, 'changed', place, `${subject} ${end}.`)];
  }
  const isNeeded = now.required !== undefined && old.required === undefined;
  if (!old.isThere && now.isThere) {
    const effect: Effect = !isRequest ? 'compatible' : isNeeded ? 'narrower' : 'wider';
    const rule = `property-added${isNeeded ? '-required' : ''}`;
    // Under that name, anything that was not listed could be there before.
    const unlisted = owner.having('additionalProperties');
    return [
      finding(rule, effect, place, `${subject} was added${now.required ? ', required' : ''}.`),
      ...(opennessOf(unlisted) === 'limited' ? [pair(unlisted, now.places ?? [])] : []),
    ];
  }
  const differences: Difference[] = [];
  if ((isNeeded || (old.required && !now.required)) && old.isHidden === now.isHidden) {
    const at = now.required ?? old.required ?? place;
    const message = `${subject} is ${isNeeded ? 'now' : 'no longer'} required.`;
    const rule = `property-became-${isNeeded ? 'required' : 'optional'}`;
    differences.push(finding(rule, isNeeded ? 'narrower' : 'wider', at, message));
  }
  if (old.isThere && now.isThere) {
    const isRequired = old.required !== undefined && now.required !== undefined;
    differences.push(
      pair(old.places ?? [], now.places ?? []),
      ...compareFlag('deprecated', old.shape.parts, now.shape.parts),
      ...compareDefault(schemas, old.shape, now.shape, isRequired),
    );
  }
  return differences;
}

function compareOpenness(stem: string, keyword: string, base: Shape, head: Shape): Difference[] {
  const [old, now] = [base.having(keyword), head.having(keyword)];
  const [before, after] = [opennessOf(old), opennessOf(now)];
  const place = now[0] ?? old[0];
  if (place === undefined) return [];
  const told = (verb: string, effect: Effect, message: string): Finding[] => [
    finding(`${stem}-${verb}`, effect, place, `${describe(place.parent)}${message}.`),
  ];
  if (before === after) return before === 'limited' ? [pair(old, now)] : [];
  if (after === 'closed') return told('disallowed', 'narrower', ' no longer takes properties that are not listed');
  if (before === 'closed') return told('allowed', 'wider', ' may have properties that are not listed');
  const effect = after === 'limited' ? 'narrower' : 'wider';
  const message = `: what properties that are not listed may hold is ${effect}`;
  return told(effect === 'wider' ? 'widened' : 'narrowed', effect, message);
}

function opennessOf(places: readonly Place[]): 'open' | 'limited' | 'closed' {
  if (places.some(({ value }) => value === false)) return 'closed';
  return places.some(({ value }) => value !== true && Object.keys(value ?? {}).length > 0) ? 'limited' : 'open';
}
