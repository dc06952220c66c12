import { type Effect, finding } from '../finding.ts';
import { compareFlag } from '../flags.ts';
import { describe } from '../label.ts';
import type { Place } from '../place.ts';
import type { Difference, SchemaComparison } from './schema.ts';
import { Shape } from './shape.ts';
import { compareDefault } from './values.ts';

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

function propertiesOf(schemas: SchemaComparison, owner: Shape): (name: string) => Property {
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

export function compareProperties(schemas: SchemaComparison, base: Shape, head: Shape): Difference[] {
  if (!base.types.union(head.types).has('object')) return [];
  const namesOf = (shape: Shape) => [
    ...shape.mapOf('properties').keys(),
    ...shape.having('required').flatMap((names) => [...names.values()].map(String)),
  ];
  const [before, after] = [propertiesOf(schemas, base), propertiesOf(schemas, head)];
  const names = new Set([...namesOf(base), ...namesOf(head)]);
  return [...names].flatMap((name) => [...compareProperty(schemas, name, before(name), after(name), base)]);
}

function* compareProperty(
  schemas: SchemaComparison,
  name: string,
  old: Property,
  now: Property,
  owner: Shape,
): Generator<Difference> {
  const isRequest = schemas.direction === 'request';
  const place = now.places?.[0] ?? old.places?.[0] ?? now.required ?? old.required;
  if (place === undefined) return;
  const subject = old.places || now.places ? describe(place) : `\`${name}\` in ${describe(place.parent)}`;
  const isNeeded = now.required !== undefined && old.required === undefined;
  if (old.isThere && !now.isThere) {
    const [flag, end] = isRequest ? ['read', 'can no longer be sent'] : ['write', 'is no longer returned'];
    const [rule, words] = now.isHidden ? [`became-${flag}-only`, end] : ['removed', 'was removed'];
    yield finding(`property-${rule}`, 'changed', place, `${subject} ${words}.`);
  } else if (!old.isThere && now.isThere) {
    const effect: Effect = !isRequest ? 'compatible' : isNeeded ? 'narrower' : 'wider';
    const rule = `property-added${isNeeded ? '-required' : ''}`;
    yield finding(rule, effect, place, `${subject} was added${now.required ? ', required' : ''}.`);
    // Under that name, anything that was not listed could be there before.
    const unlisted = owner.having('additionalProperties').filter(({ value }) => value !== true);
    if (unlisted.length > 0 && unlisted.every(({ value }) => value)) yield { base: unlisted, head: now.places ?? [] };
  } else {
    const rule = isNeeded ? 'required' : 'optional';
    const message = `${subject} is ${isNeeded ? 'now' : 'no longer'} required.`;
    const at = now.required ?? old.required ?? place;
    if (isNeeded || (old.required && !now.required && !now.isHidden))
      yield finding(`property-became-${rule}`, isNeeded ? 'narrower' : 'wider', at, message);
    if (!old.isThere) return;
    yield { base: old.places ?? [], head: now.places ?? [] };
    yield* compareFlag('deprecated', old.shape.parts, now.shape.parts);
    yield* compareDefault(schemas, old.shape, now.shape, old.required !== undefined && now.required !== undefined);
  }
}
