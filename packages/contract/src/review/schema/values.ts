import { type Finding, finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../place.ts';
import type { Schemas } from './schema.ts';
import type { Shape } from './shape.ts';

const list = (values: Iterable<unknown>) =>
  [...values].map((value) => `\`${String(value).replace(/^"(.*)"$/, '$1')}\``).join(', ');

export function compareValues(schemas: Schemas, base: Shape, head: Shape): Finding[] {
  const [place] = [head, base].flatMap((shape) => [...shape.having('enum'), ...shape.having('const')]);
  if (place === undefined) return [];
  const [before, after] = [base.values, head.values];
  const subject = describe(place.parent);
  // A closed list in place of an open one, and the reverse, is told by that.
  if (before === undefined) {
    if (after === undefined || base.has('x-extensible-enum')) return [];
    const rule = head.has('enum') ? 'became-enum' : 'const-added';
    return [finding(rule, 'narrower', place, `${subject} is limited to ${list(after)}.`)];
  }
  if (after === undefined) {
    if (head.has('x-extensible-enum')) return [];
    const rule = base.has('enum') ? 'enum-removed' : 'const-removed';
    return [finding(rule, 'wider', place, `${subject} is no longer limited to ${list(before)}.`)];
  }
  const [lost, gained] = [before.difference(after), after.difference(before)];
  if (head.has('const') && base.has('const') && lost.size > 0)
    return [finding('const-changed', 'changed', place, `${subject} is ${list(after)}; it was ${list(before)}.`)];
  const end = schemas.direction === 'response' ? ': who handles every value meets one more' : '';
  return [
    ...(lost.size > 0 ? [finding('enum-value-removed', 'narrower', place, `${subject} lost ${list(lost)}.`)] : []),
    ...(gained.size > 0
      ? [finding('enum-value-added', 'wider', place, `${subject} gained ${list(gained)}${end}.`)]
      : []),
  ];
}

/** `x-extensible-enum`: the SDK types it as these values or any string, so a client is ready for one more. */
export function compareKnownValues(base: Shape, head: Shape): Finding[] {
  const [before, after] = [base.having('x-extensible-enum')[0], head.having('x-extensible-enum')[0]];
  const place = after ?? before;
  if (place === undefined) return [];
  const subject = describe(place.parent);
  if (after === undefined)
    return head.values === undefined
      ? [finding('extensible-enum-removed', 'compatible', place, `${subject} no longer lists the values known.`)]
      : [finding('extensible-enum-became-closed', 'narrower', place, `${subject} is limited to the values listed.`)];
  if (before === undefined)
    return base.values === undefined
      ? [finding('extensible-enum-added', 'compatible', place, `${subject} lists the values known.`)]
      : [finding('enum-became-extensible', 'wider', place, `${subject} may have values that are not listed.`)];
  const values = ({ value }: Place) => new Set<unknown>(Array.isArray(value) ? value : []);
  const told = (verb: string, effect: 'narrower' | 'compatible', names: Set<unknown>) => {
    const message = `${subject} ${verb === 'added' ? 'gained' : 'lost'} the known value ${list(names)}.`;
    return names.size > 0 ? [finding(`extensible-enum-value-${verb}`, effect, place, message)] : [];
  };
  const [old, now] = [values(before), values(after)];
  return [...told('removed', 'narrower', old.difference(now)), ...told('added', 'compatible', now.difference(old))];
}
