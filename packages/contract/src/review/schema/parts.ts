import { type Effect, type Finding, finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../place.ts';
import type { Pair, Schemas } from './schema.ts';
import { canonical, type Shape } from './shape.ts';

type Places = readonly Place[];

export const pair = (base: Places, head: Places, as?: Effect): Pair => ({ base, head, as });

/** Whether two schemas allow the same values. */
export const isSame = (schemas: Schemas, base: Places, head: Places) =>
  schemas.findings(base, head).every(({ effect }) => effect === 'words');

// A property more is a limit on it, too, where any property went before: neither version has all values of the other.
const isOtherProperty = ({ rule }: Finding) => rule.startsWith('property-added');

const within = (one: Finding) => !isOtherProperty(one) && /^(wider|compatible|words)$/.test(one.effect);
const covering = (one: Finding) => !isOtherProperty(one) && /^(narrower|guarantee|compatible|words)$/.test(one.effect);

/** Whether all values of `base` are allowed by `head`. */
export const isWithin = (schemas: Schemas, base: Places, head: Places) => schemas.findings(base, head).every(within);

/** Whether `base` allows all values of `head`. */
export const covers = (schemas: Schemas, base: Places, head: Places) => schemas.findings(base, head).every(covering);

/** All that differs in a schema, as one finding. */
export function compareWhole(
  schemas: Schemas,
  stem: string,
  subject: string,
  base: Places,
  head: Places,
  verb: 'added' | 'removed' = head.length === 0 ? 'removed' : 'added',
): Finding[] {
  const place = head[0] ?? base[0];
  if (place === undefined || isSame(schemas, base, head)) return [];
  const effect = isWithin(schemas, base, head) ? 'wider' : covers(schemas, base, head) ? 'narrower' : 'changed';
  const words = effect === 'changed' ? 'different' : effect;
  return [finding(`${stem}-${verb}`, effect, place, `${subject} in ${describe(place.parent)} is ${words}.`)];
}

/** Who leaves a value out gets the default: another one changes what was asked for, unless it must not be left out. */
export function compareDefault(schemas: Schemas, base: Shape, head: Shape, isRequired: boolean): Finding[] {
  const [old, now] = [base.having('default')[0], head.having('default')[0]];
  const place = now ?? old;
  if (place === undefined || canonical(old?.value) === canonical(now?.value)) return [];
  const verb = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
  const effect = isRequired ? 'words' : schemas.direction === 'request' ? 'changed' : 'guarantee';
  const words = (at: Place | undefined) => (at ? `\`${JSON.stringify(at.value)}\`` : 'nothing');
  const message = `${describe(place.parent)}: left out, it means ${words(now)}; it was ${words(old)}.`;
  return [finding(`default-value-${verb}`, effect, place, message)];
}
