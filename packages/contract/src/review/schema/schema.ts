import type { Direction, Finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../source.ts';
import { compareArrays } from './array.ts';
import { compareChoices } from './choices.ts';
import { compareConditions, compareDiscriminators, compareNot } from './conditions.ts';
import { compareKeywords } from './keywords.ts';
import { compareObjects } from './object.ts';
import { comparePart, type Schemas } from './parts.ts';
import { having, type Shape, shapeOf, typesOf } from './shape.ts';
import { compareKnownValues, compareValues } from './values.ts';

/** Keywords that hold one schema for a part of the value. Without the keyword, any such part goes. */
const PARTS = ['propertyNames', 'contains', 'contentSchema'];

/**
 * What changed between two versions of a schema, as the client sees it that sends or receives the value.
 *
 * The same schema may be compared from many places; each pair is compared once.
 */
export class SchemaComparison implements Schemas {
  readonly direction: Direction;
  readonly #known = new Map<string, Finding[]>();

  constructor(direction: Direction) {
    this.direction = direction;
  }

  /** @param base - the places that form the schema; none stands for a schema that allows anything. */
  compare(base: readonly Place[], head: readonly Place[]): Finding[] {
    const key = [base, head].map((places) => places.map(({ id }) => id).join(' ')).join(' | ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // A schema that contains itself: what is being compared counts as equal until a difference turns up.
    this.#known.set(key, []);
    const findings = this.#shapes(shapeOf(base), shapeOf(head));
    this.#known.set(key, findings);
    return findings;
  }

  #shapes(base: Shape, head: Shape): Finding[] {
    const origin = head.origin ?? base.origin;
    if (origin === undefined) return [];
    if (base.never !== head.never) {
      const rule = head.never ? 'schema-forbidden' : 'schema-allowed';
      const message = `${describe(origin)} is ${head.never ? 'no longer' : 'now'} allowed.`;
      return [{ rule, effect: head.never ? 'narrower' : 'wider', place: origin, message }];
    }
    const choice = compareChoices(this, base, head);
    if (choice.instead) return choice.findings;
    const types = this.#types(base, head, origin);
    if (types.some(({ rule }) => rule === 'type-changed')) return types;
    return [
      ...types,
      ...choice.findings,
      ...compareValues(this, base, head),
      ...compareKnownValues(base, head),
      ...compareKeywords(base, head),
      ...compareObjects(this, base, head),
      ...compareArrays(this, base, head),
      ...PARTS.flatMap((keyword) => comparePart(this, keyword, base, head)),
      ...compareNot(this, base, head),
      ...compareConditions(this, base, head),
      ...compareDiscriminators(base, head),
      ...this.#default(base, head),
    ];
  }

  #types(base: Shape, head: Shape, origin: Place): Finding[] {
    // What a choice allows is told by its alternatives.
    const [before, after] = [typesOf(base, false), typesOf(head, false)];
    const place = having(head, 'type')[0] ?? having(base, 'type')[0] ?? origin;
    const words = (types: Set<string>) =>
      types.size === 7
        ? 'any type'
        : [...types].filter((type) => type !== 'integer' || !types.has('number')).join(' or ');
    const subject = describe(place === origin ? origin : place.parent);
    const message = `${subject} is ${words(after)}; it was ${words(before)}.`;
    const [lost, gained] = [before.difference(after), after.difference(before)];
    if (lost.size === 0 && gained.size === 0) return [];
    if (gained.size === 0) {
      return [
        {
          rule: [...lost].join() === 'null' ? 'became-not-nullable' : 'type-narrowed',
          effect: 'narrower',
          place,
          message,
        },
      ];
    }
    if (lost.size === 0) {
      return [
        { rule: [...gained].join() === 'null' ? 'became-nullable' : 'type-widened', effect: 'wider', place, message },
      ];
    }
    return [{ rule: 'type-changed', effect: 'changed', place, message }];
  }

  /** A client that leaves a value out gets the default: another one changes what it asked for. */
  #default(base: Shape, head: Shape): Finding[] {
    const [old, now] = [having(base, 'default')[0], having(head, 'default')[0]];
    const place = now ?? old;
    if (place === undefined || JSON.stringify(old?.value) === JSON.stringify(now?.value)) return [];
    const verb = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    const effect = this.direction === 'request' ? 'changed' : 'guarantee';
    const words = (at: Place | undefined) => (at ? `\`${JSON.stringify(at.value)}\`` : 'nothing');
    const message = `${describe(place.parent)}: left out, it means ${words(now)}; it was ${words(old)}.`;
    return [{ rule: `default-value-${verb}`, effect, place, message }];
  }
}
