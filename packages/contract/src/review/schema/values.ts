import type { Finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../source.ts';
import type { Schemas } from './parts.ts';
import { having, type Shape, valuesOf } from './shape.ts';

export function compareValues(schemas: Schemas, base: Shape, head: Shape): Finding[] {
  const [before, after] = [valuesOf(base), valuesOf(head)];
  const place =
    having(head, 'enum')[0] ?? having(head, 'const')[0] ?? having(base, 'enum')[0] ?? having(base, 'const')[0];
  if (place === undefined) return [];
  const subject = describe(place.parent);
  const list = (values: Iterable<string>) =>
    [...values].map((value) => `\`${value.replace(/^"(.*)"$/, '$1')}\``).join(', ');
  if (before === undefined && after !== undefined) {
    // A closed list in place of an open one is told by that.
    if (having(base, 'x-extensible-enum').length > 0) return [];
    const message = `${subject} is limited to ${list(after)}.`;
    return [
      { rule: having(head, 'enum').length > 0 ? 'became-enum' : 'const-added', effect: 'narrower', place, message },
    ];
  }
  if (before !== undefined && after === undefined) {
    if (having(head, 'x-extensible-enum').length > 0) return [];
    const message = `${subject} is no longer limited to ${list(before)}.`;
    return [
      { rule: having(base, 'enum').length > 0 ? 'enum-removed' : 'const-removed', effect: 'wider', place, message },
    ];
  }
  if (before === undefined || after === undefined) return [];
  const [lost, gained] = [before.difference(after), after.difference(before)];
  const constant = having(head, 'const').length > 0 && having(base, 'const').length > 0;
  if (constant && lost.size > 0) {
    return [
      {
        rule: 'const-changed',
        effect: 'changed',
        place,
        message: `${subject} is ${list(after)}; it was ${list(before)}.`,
      },
    ];
  }
  const findings: Finding[] = [];
  if (lost.size > 0) {
    findings.push({
      rule: 'enum-value-removed',
      effect: 'narrower',
      place,
      message: `${subject} lost ${list(lost)}.`,
    });
  }
  if (gained.size > 0) {
    findings.push({
      rule: 'enum-value-added',
      effect: 'wider',
      place,
      message: `${subject} gained ${list(gained)}${schemas.direction === 'response' ? ': who handles every value meets one more' : ''}.`,
    });
  }
  return findings;
}

/** `x-extensible-enum`: the SDK types it as these values or any string, so a client is ready for one more. */
export function compareKnownValues(base: Shape, head: Shape): Finding[] {
  const [before, after] = [having(base, 'x-extensible-enum')[0], having(head, 'x-extensible-enum')[0]];
  const place = after ?? before;
  if (place === undefined) return [];
  const subject = describe(place.parent);
  if (after === undefined) {
    return valuesOf(head) === undefined
      ? [
          {
            rule: 'extensible-enum-removed',
            effect: 'compatible',
            place,
            message: `${subject} no longer lists the values known.`,
          },
        ]
      : [
          {
            rule: 'extensible-enum-became-closed',
            effect: 'narrower',
            place,
            message: `${subject} is limited to the values listed.`,
          },
        ];
  }
  if (before === undefined) {
    return valuesOf(base) === undefined
      ? [
          {
            rule: 'extensible-enum-added',
            effect: 'compatible',
            place,
            message: `${subject} lists the values known.`,
          },
        ]
      : [
          {
            rule: 'enum-became-extensible',
            effect: 'wider',
            place,
            message: `${subject} may have values that are not listed.`,
          },
        ];
  }
  const values = ({ value }: Place) => new Set<string>(Array.isArray(value) ? value : []);
  const lost = values(before).difference(values(after));
  const gained = values(after).difference(values(before));
  const list = (names: Set<string>) => [...names].map((name) => `\`${name}\``).join(', ');
  const findings: Finding[] = [];
  if (lost.size > 0) {
    findings.push({
      rule: 'extensible-enum-value-removed',
      effect: 'narrower',
      place,
      message: `${subject} lost the known value ${list(lost)}.`,
    });
  }
  if (gained.size > 0) {
    findings.push({
      rule: 'extensible-enum-value-added',
      effect: 'compatible',
      place,
      message: `${subject} gained the known value ${list(gained)}.`,
    });
  }
  return findings;
}
