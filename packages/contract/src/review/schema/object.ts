import type { Effect, Finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../source.ts';
import { deprecation } from './deprecation.ts';
import { kebab } from './keywords.ts';
import { compareLimited, compareMaps, type Schemas } from './parts.ts';
import { having, type Shape, shapeOf, typesOf } from './shape.ts';

export function compareObjects(schemas: Schemas, base: Shape, head: Shape): Finding[] {
  const types = typesOf(base).union(typesOf(head));
  if (!types.has('object')) return [];
  return [
    ...compareProperties(schemas, base, head),
    ...compareAdditional(schemas, 'additionalProperties', base, head),
    ...compareAdditional(schemas, 'unevaluatedProperties', base, head),
    ...comparePatternProperties(schemas, base, head),
    ...compareDependentRequired(schemas, base, head),
    ...compareDependentSchemas(schemas, base, head),
  ];
}

export function compareProperties(schemas: Schemas, base: Shape, head: Shape): Finding[] {
  const findings: Finding[] = [];
  const [before, after] = [mapOf('properties', base), mapOf('properties', head)];
  const [neededBefore, neededAfter] = [requiredOf(base), requiredOf(head)];
  for (const name of new Set([...before.keys(), ...after.keys(), ...neededBefore.keys(), ...neededAfter.keys()])) {
    const [old, now] = [before.get(name), after.get(name)];
    const [hiddenBefore, hiddenAfter] = [isHidden(schemas, old), isHidden(schemas, now)];
    const [wasRequired, isRequired] = [neededBefore.has(name) && !hiddenBefore, neededAfter.has(name) && !hiddenAfter];
    const wasThere = old !== undefined && !hiddenBefore;
    const isThere = now !== undefined && !hiddenAfter;
    const place = now?.[0] ?? old?.[0] ?? neededAfter.get(name) ?? neededBefore.get(name);
    if (place === undefined) continue;
    const subject = old || now ? describe(place) : `\`${name}\` in ${describe(place.parent)}`;
    if (wasThere && !isThere) {
      const flag = schemas.direction === 'request' ? 'read-only' : 'write-only';
      const rule = hiddenAfter ? `property-became-${flag}` : 'property-removed';
      const end = schemas.direction === 'request' ? 'can no longer be sent' : 'is no longer returned';
      findings.push({ rule, effect: 'changed', place, message: `${subject} ${hiddenAfter ? end : 'was removed'}.` });
      continue;
    }
    if (!wasThere && isThere) {
      const effect: Effect =
        schemas.direction === 'response' ? 'compatible' : isRequired && !wasRequired ? 'narrower' : 'wider';
      const rule = isRequired && !wasRequired ? 'property-added-required' : 'property-added';
      findings.push({ rule, effect, place, message: `${subject} was added${isRequired ? ', required' : ''}.` });
      // Under that name, anything that was not listed could be there before.
      const unlisted = having(base, 'additionalProperties');
      if (opennessOf(unlisted) === 'limited') findings.push(...schemas.compare(unlisted, now));
      continue;
    }
    if (wasRequired !== isRequired && hiddenBefore === hiddenAfter) {
      const rule = `property-became-${isRequired ? 'required' : 'optional'}`;
      const at = neededAfter.get(name) ?? neededBefore.get(name) ?? place;
      const message = `${subject} is ${isRequired ? 'now required' : 'no longer required'}.`;
      findings.push({ rule, effect: isRequired ? 'narrower' : 'wider', place: at, message });
    }
    if (wasThere && isThere) {
      findings.push(...schemas.compare(old, now), ...deprecation(old, now));
    }
  }
  return findings;
}

/** A client never sends what is read-only, and never receives what is write-only. */
export function isHidden(schemas: Schemas, property: Place[] | undefined): boolean {
  if (property === undefined) return false;
  const flag = schemas.direction === 'request' ? 'readOnly' : 'writeOnly';
  return having(shapeOf(property), flag).some(({ value }) => value === true);
}

export function compareAdditional(schemas: Schemas, keyword: string, base: Shape, head: Shape): Finding[] {
  const [old, now] = [having(base, keyword), having(head, keyword)];
  const [before, after] = [opennessOf(old), opennessOf(now)];
  const place = now[0] ?? old[0];
  if (place === undefined) return [];
  const subject = describe(place.parent);
  const stem = kebab(keyword);
  if (after === 'closed' && before !== 'closed') {
    return [
      {
        rule: `${stem}-disallowed`,
        effect: 'narrower',
        place,
        message: `${subject} no longer takes properties that are not listed.`,
      },
    ];
  }
  if (before === 'closed' && after !== 'closed') {
    return [
      {
        rule: `${stem}-allowed`,
        effect: 'wider',
        place,
        message: `${subject} may have properties that are not listed.`,
      },
    ];
  }
  if (before === after) return before === 'limited' ? schemas.compare(old, now) : [];
  const effect = after === 'limited' ? 'narrower' : 'wider';
  return [
    {
      rule: `${stem}-${effect === 'wider' ? 'widened' : 'narrowed'}`,
      effect,
      place,
      message: `${subject}: what properties that are not listed may hold is ${effect}.`,
    },
  ];
}

export function comparePatternProperties(schemas: Schemas, base: Shape, head: Shape): Finding[] {
  const closed = (shape: Shape) => opennessOf(having(shape, 'additionalProperties')) === 'closed';
  return compareMaps(mapOf('patternProperties', base), mapOf('patternProperties', head), (name, old, now) => {
    if (old && now) return schemas.compare(old, now);
    // In an open object a pattern limits what may be there; in a closed one it is what may be there.
    const effect: Effect = (now === undefined) === closed(old ? base : head) ? 'narrower' : 'wider';
    const place = (now ?? old)?.[0] as Place;
    const rule = `pattern-property-${now ? 'added' : 'removed'}`;
    return [
      {
        rule,
        effect,
        place,
        message: `The rule for properties named like \`${name}\` was ${now ? 'added' : 'removed'}.`,
      },
    ];
  });
}

export function compareDependentRequired(_schemas: Schemas, base: Shape, head: Shape): Finding[] {
  return compareMaps(mapOf('dependentRequired', base), mapOf('dependentRequired', head), (name, old, now) => {
    const names = (places: Place[] | undefined) => new Set((places ?? []).flatMap(({ value }) => value as string[]));
    const [lost, gained] = [names(old).difference(names(now)), names(now).difference(names(old))];
    const place = (now ?? old)?.[0] as Place;
    const list = (properties: Set<string>) => [...properties].map((property) => `\`${property}\``).join(', ');
    const findings: Finding[] = [];
    if (gained.size > 0) {
      findings.push({
        rule: 'dependent-required-added',
        effect: 'narrower',
        place,
        message: `\`${name}\` now requires ${list(gained)}.`,
      });
    }
    if (lost.size > 0) {
      findings.push({
        rule: 'dependent-required-removed',
        effect: 'wider',
        place,
        message: `\`${name}\` no longer requires ${list(lost)}.`,
      });
    }
    return findings;
  });
}

export function compareDependentSchemas(schemas: Schemas, base: Shape, head: Shape): Finding[] {
  return compareMaps(mapOf('dependentSchemas', base), mapOf('dependentSchemas', head), (name, old, now) =>
    old && now
      ? schemas.compare(old, now)
      : compareLimited(schemas, 'dependent-schema', `What goes together with \`${name}\``, old ?? [], now ?? []),
  );
}

function opennessOf(places: readonly Place[]): 'open' | 'limited' | 'closed' {
  if (places.some(({ value }) => value === false)) return 'closed';
  return places.some(({ value }) => value !== true && Object.keys(value ?? {}).length > 0) ? 'limited' : 'open';
}

/** The entries of a keyword that maps names to schemas, joined over all parts. */
function mapOf(keyword: string, shape: Shape): Map<string, Place[]> {
  const entries = having(shape, keyword).flatMap((place) => place.entries());
  const map = new Map<string, Place[]>();
  for (const [name, place] of entries) map.set(name, [...(map.get(name) ?? []), place]);
  return map;
}

function requiredOf(shape: Shape): Map<string, Place> {
  const names = having(shape, 'required').flatMap((place) => place.items());
  return new Map(names.map((place) => [String(place.value), place]));
}
