import { type Finding, finding } from '../finding.ts';
import { describe } from '../label.ts';
import { type Place, paired } from '../place.ts';
import type { Shape } from './shape.ts';

export function compareDiscriminators(base: Shape, head: Shape): Finding[] {
  const [old, now] = [base.having('discriminator')[0], head.having('discriminator')[0]];
  const place = now ?? old;
  if (place === undefined) return [];
  const subject = describe(place.parent);
  const [was, is] = [old?.value.propertyName, now?.value.propertyName];
  if (old === undefined)
    return [finding('discriminator-added', 'compatible', place, `${subject} is told apart by \`${is}\`.`)];
  // Who sends one may go on naming its kind; who receives one can no longer rely on that.
  if (now === undefined)
    return [finding('discriminator-removed', 'wider', place, `${subject} is no longer told apart by \`${was}\`.`)];
  if (was !== is) {
    const message = `${subject} is told apart by \`${is}\`; it was by \`${was}\`.`;
    return [finding('discriminator-property-name-changed', 'changed', place, message)];
  }
  const mappingOf = (one: Place) => new Map(one.at('mapping').entries());
  return paired(mappingOf(old), mappingOf(now)).flatMap(([name, before, after]) => {
    if (before?.value === after?.value) return [];
    const verb = !before ? 'added' : !after ? 'removed' : 'changed';
    const effect = verb === 'added' ? 'compatible' : 'changed';
    const message = `\`${name}\` as a kind of ${subject} was ${verb}.`;
    return [finding(`discriminator-mapping-${verb}`, effect, after ?? before ?? now, message)];
  });
}
