/** Compares JSON Schema keywords that set limits, such as `maxLength`. One limit may imply another. */

import type { Place } from '@petstore-platform/openapi';
import { describe, kebab } from '../describe.ts';
import { type Finding, finding } from '../finding.ts';
import { code, counted } from '../words.ts';
import type { Shape } from './shape.ts';

/** A limit. `isOpen` means that it is exclusive. */
type Limit = { value: unknown; isOpen?: boolean; place: Place };

interface Keyword {
  types: readonly string[];
  /** The limits that a schema sets. The first one is the tightest. */
  limits(shape: Shape): Limit[];
  /** Whether every value within a limit is within another one. */
  implies?(limit: Limit, other: Limit): boolean;
  rule(old: Limit[], now: Limit[], isTighter: boolean): string;
  text(limits: Limit[]): string;
  name?: string;
}

const NUMBER = ['number', 'integer'];

const WIDER_FORMATS: Record<string, string> = {
  int32: 'int64',
  float: 'double',
  email: 'idn-email',
  hostname: 'idn-hostname',
  uri: 'uri-reference',
};

const KEYWORDS: Keyword[] = [
  ...bounds('Length', ['string'], 'characters'),
  ...bounds('Items', ['array'], 'items'),
  ...bounds('Properties', ['object'], 'properties'),
  ...bounds('imum', NUMBER, ''),
  unordered('pattern', ['string']),
  unordered('format', ['string', ...NUMBER], {
    implies: ({ value }, other) => WIDER_FORMATS[String(value)] === other.value,
  }),
  unordered('multipleOf', NUMBER, {
    implies: ({ value }, other) => Number.isInteger(Number((Number(value) / Number(other.value)).toPrecision(12))),
  }),
  unordered('uniqueItems', ['array']),
];

export function compareLimits(base: Shape, head: Shape): Finding[] {
  const types = base.types.union(head.types);
  return KEYWORDS.flatMap((keyword) => {
    if (!keyword.types.some((type) => types.has(type))) return [];
    const [old, now] = [keyword.limits(base), keyword.limits(head)];
    const implies = (limit: Limit, other: Limit) =>
      (Object.is(limit.value, other.value) && limit.isOpen === other.isOpen) || keyword.implies?.(limit, other);
    const meet = (limits: Limit[], others: Limit[]) =>
      others.every((other) => limits.some((limit) => implies(limit, other)));
    const [isTighter, isLooser] = [meet(now, old), meet(old, now)];
    const place = (now[0] ?? old[0])?.place;
    if (place === undefined || (isTighter && isLooser)) return [];
    const message = `${describe(place.parent)}: ${keyword.name ?? ''}${keyword.text(now)}; it was ${keyword.text(old)}.`;
    // A tighter limit keeps the SDK's types.
    const effect = isTighter ? 'guarantee' : isLooser ? 'wider' : 'changed';
    return [finding(keyword.rule(old, now, isTighter), effect, place, message)];
  });
}

function unordered(name: string, types: readonly string[], others: Partial<Keyword> = {}): Keyword {
  return {
    types,
    limits: (shape) => shape.having(name).map((place) => ({ value: place.value, place })),
    rule: (old, now) => `${kebab(name)}-${old.length === 0 ? 'added' : now.length === 0 ? 'removed' : 'changed'}`,
    name: `\`${name}\` is `,
    text: (limits) => limits.map(({ value }) => code(value)).join(' and ') || 'none',
    ...others,
  };
}

/** `exclusiveMaximum` is another form of `maximum`. */
function bounds(noun: string, types: readonly string[], unit: string): Keyword[] {
  return (['max', 'min'] as const).map((side) => {
    const [isUpper, name] = [side === 'max', side + noun];
    // With the sign, the rounding below serves upper and lower bounds.
    const sign = isUpper ? 1 : -1;
    const implies = (limit: Limit, other: Limit) => {
      const [least, most] = (isUpper ? [limit.value, other.value] : [other.value, limit.value]) as number[];
      return (least as number) < (most as number) || (String(least) === String(most) && !other.isOpen);
    };
    return {
      types,
      limits(shape) {
        const exclusive = shape.having(`exclusive${isUpper ? 'Max' : 'Min'}${noun}`);
        const places = [...shape.having(name), ...exclusive];
        const limits = places.map((place): Limit => {
          const value = typeof place.value === 'bigint' ? place.value : Number(place.value);
          const isOpen = exclusive.includes(place);
          // For integers, a limit below 10 equals one of at most 9.
          const isClosed = isOpen && typeof value === 'number' && !shape.types.has('number');
          return isClosed
            ? { place, value: sign * (Math.ceil(sign * value) - 1), isOpen: false }
            : { place, value, isOpen };
        });
        return limits.sort((a, b) => (implies(a, b) ? -1 : 1));
      },
      implies,
      rule([before], [after], isTighter) {
        const stem = noun === 'imum' ? side : kebab(name);
        if (!before || !after) return `${stem}-${after ? 'set' : 'unset'}`;
        return `${stem}-${isTighter === isUpper ? 'decreased' : 'increased'}`;
      },
      text([limit]) {
        const [open, closed] = isUpper ? ['less than', 'at most'] : ['more than', 'at least'];
        return limit ? `${limit.isOpen ? open : closed} ${counted(limit.value, unit)}` : 'no limit';
      },
    };
  });
}
