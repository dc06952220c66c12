import type { Finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../source.ts';
import { compareMaps, comparePart, overall, type Schemas } from './parts.ts';
import { having, type Shape } from './shape.ts';

export function compareNot(schemas: Schemas, base: Shape, head: Shape): Finding[] {
  const [old, now] = [having(base, 'not'), having(head, 'not')];
  const place = now[0] ?? old[0];
  if (place === undefined) return [];
  const rule = `not-${old.length === 0 ? 'added' : now.length === 0 ? 'removed' : 'changed'}`;
  const inner = old.length === 0 ? 'wider' : now.length === 0 ? 'narrower' : overall(schemas.compare(old, now));
  if (inner === undefined) return [];
  // What is excluded grew: what is left shrank.
  const effect = inner === 'wider' ? 'narrower' : inner === 'changed' || inner === 'compatible' ? 'changed' : 'wider';
  return [
    { rule, effect, place, message: `What ${describe(place.parent)} must not be was ${rule.slice('not-'.length)}.` },
  ];
}

export function compareConditions(schemas: Schemas, base: Shape, head: Shape): Finding[] {
  const [old, now] = [having(base, 'if'), having(head, 'if')];
  const place = now[0] ?? old[0];
  if (place === undefined) return [];
  const subject = `The condition in ${describe(place.parent)}`;
  if (old.length === 0) return [{ rule: 'if-added', effect: 'narrower', place, message: `${subject} was added.` }];
  if (now.length === 0) return [{ rule: 'if-removed', effect: 'wider', place, message: `${subject} was removed.` }];
  if (schemas.compare(old, now).length > 0) {
    return [{ rule: 'if-changed', effect: 'changed', place, message: `${subject} was changed.` }];
  }
  return ['then', 'else'].flatMap((keyword) => comparePart(schemas, keyword, base, head));
}

export function compareDiscriminators(base: Shape, head: Shape): Finding[] {
  const [old, now] = [having(base, 'discriminator')[0], having(head, 'discriminator')[0]];
  const place = now ?? old;
  if (place === undefined) return [];
  const subject = describe(place.parent);
  if (old === undefined) {
    return [
      {
        rule: 'discriminator-added',
        effect: 'compatible',
        place,
        message: `${subject} is told apart by \`${now?.value.propertyName}\`.`,
      },
    ];
  }
  if (now === undefined) {
    return [
      {
        rule: 'discriminator-removed',
        effect: 'changed',
        place,
        message: `${subject} is no longer told apart by \`${old.value.propertyName}\`.`,
      },
    ];
  }
  if (old.value.propertyName !== now.value.propertyName) {
    const message = `${subject} is told apart by \`${now.value.propertyName}\`; it was by \`${old.value.propertyName}\`.`;
    return [{ rule: 'discriminator-property-name-changed', effect: 'changed', place, message }];
  }
  const mapping = (at: Place) =>
    new Map(
      at
        .at('mapping')
        .entries()
        .map(([name, target]) => [name, [target]]),
    );
  return compareMaps(mapping(old), mapping(now), (name, before, after) => {
    const at = (after ?? before)?.[0] as Place;
    if (before?.[0]?.value === after?.[0]?.value) return [];
    const verb = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    const effect = verb === 'added' ? 'compatible' : 'changed';
    return [
      {
        rule: `discriminator-mapping-${verb}`,
        effect,
        place: at,
        message: `\`${name}\` as a kind of ${subject} was ${verb}.`,
      },
    ];
  });
}
