/** Compares JSON Schema keywords that set limits, such as `maxLength`. One limit may imply another. */
import { describe, kebab } from '../describe.ts';
import { type Effect, type Finding, finding } from '../finding.ts';
import type { Place } from '../source.ts';
import type { Shape } from './shape.ts';

/** `isOpen`: the limit is exclusive. */
type Limit = { value: unknown; isOpen?: boolean; place: Place };

interface Keyword {
  types: readonly string[];
  /** A keyword without which this one has no effect. */
  needs?: string;
  /** The effect of a tighter limit. Default: `guarantee`, which keeps the SDK's types. */
  effect?: Effect;
  /** The limits that a schema sets. The first one is the tightest. */
  limits(shape: Shape): Limit[];
  /** Whether a limit allows any value. */
  isIdle?(limit: Limit, shape: Shape): boolean;
  /** Whether every value within a limit is within another one. */
  implies?(limit: Limit, other: Limit): boolean;
  rule(old: Limit[], now: Limit[], isTighter: boolean): string;
  words(limits: Limit[]): string;
}

const NUMBER = ['number', 'integer'];

/** For a format, one that includes all its values. */
const WIDER_FORMATS: Record<string, string> = { int32: 'int64', float: 'double' };

const KEYWORDS: Keyword[] = [
  ...bounds('Length', ['string'], ' characters'),
  ...bounds('Items', ['array'], ' items'),
  ...bounds('Contains', ['array'], ' matching items').map((keyword) => ({ ...keyword, needs: 'contains' })),
  ...bounds('Properties', ['object'], ' properties'),
  ...bounds('imum', NUMBER, ''),
  mark('pattern', ['string'], { isIdle: ({ value }) => /^\^?(\.\*)?\$?$/.test(String(value)) }),
  mark('contentEncoding', ['string']),
  mark('contentMediaType', ['string']),
  mark('format', ['string', ...NUMBER], {
    implies: ({ value }, other) => WIDER_FORMATS[String(value)] === other.value,
  }),
  mark('multipleOf', NUMBER, {
    isIdle: ({ value }, shape) => value === 1 && !shape.types.has('number'),
    implies: ({ value }, other) => Number.isInteger(Number((Number(value) / Number(other.value)).toPrecision(12))),
  }),
  mark('uniqueItems', ['array'], { isIdle: ({ value }) => value !== true }),
  mark('dependentRequired', ['object'], {
    effect: 'narrower',
    limits: (shape) =>
      [...shape.mapOf('dependentRequired')].flatMap(([name, lists]) =>
        lists.flatMap((place) => place.items().map((item) => ({ value: `${name}: ${item.value}`, place }))),
      ),
  }),
];

export function compareLimits(base: Shape, head: Shape): Finding[] {
  const types = base.types.union(head.types);
  return KEYWORDS.flatMap((keyword) => {
    const { needs, effect = 'guarantee' } = keyword;
    if (!keyword.types.some((type) => types.has(type)) || (needs && !base.has(needs))) return [];
    const [old = [], now = []] = [base, head].map((shape) =>
      keyword.limits(shape).filter((limit) => !keyword.isIdle?.(limit, shape)),
    );
    const implies = (limit: Limit, other: Limit) =>
      (Object.is(limit.value, other.value) && limit.isOpen === other.isOpen) || keyword.implies?.(limit, other);
    const meet = (limits: Limit[], others: Limit[]) =>
      others.every((other) => limits.some((limit) => implies(limit, other)));
    const [isTighter, isLooser] = [meet(now, old), meet(old, now)];
    const place = (now[0] ?? old[0])?.place;
    if (place === undefined || (isTighter && isLooser)) return [];
    const message = `${describe(place.parent)}: ${keyword.words(now)}; it was ${keyword.words(old)}.`;
    const whole = isTighter ? effect : isLooser ? 'wider' : 'changed';
    return [finding(keyword.rule(old, now, isTighter), whole, place, message)];
  });
}

/** A keyword whose values are unordered, such as `pattern`. */
function mark(name: string, types: readonly string[], others: Partial<Keyword> = {}): Keyword {
  return {
    types,
    limits: (shape) => shape.having(name).map((place) => ({ value: place.value, place })),
    rule: (old, now) => `${kebab(name)}-${old.length === 0 ? 'added' : now.length === 0 ? 'removed' : 'changed'}`,
    words: (limits) => `\`${name}\` is ${limits.map(({ value }) => `\`${value}\``).join(' and ') || 'none'}`,
    ...others,
  };
}

/** The keywords with `max` and `min`. Treats `maximum` and `exclusiveMaximum` as one. */
function bounds(noun: string, types: readonly string[], unit: string): Keyword[] {
  return (['max', 'min'] as const).map((side) => {
    const [isUpper, name] = [side === 'max', side + noun];
    // Turns a lower bound into an upper one.
    const sign = isUpper ? 1 : -1;
    const implies = (limit: Limit, other: Limit) => {
      const distance = sign * (Number(limit.value) - Number(other.value));
      return distance < 0 || (distance === 0 && !other.isOpen);
    };
    return {
      types,
      limits(shape) {
        const exclusive = shape.having(`exclusive${isUpper ? 'Max' : 'Min'}${noun}`);
        const places = [...shape.having(name), ...exclusive.filter(({ value }) => typeof value === 'number')];
        const limits = places.map((place): Limit => {
          const value = Number(place.value);
          // In OpenAPI 3.0, `exclusiveMaximum` is a boolean beside `maximum`.
          const isOpen = exclusive.some((other) => other === place || other.value === true);
          // For integers, below 10 is at most 9.
          const isClosed = isOpen && !shape.types.has('number');
          return isClosed
            ? { place, value: sign * (Math.ceil(sign * value) - 1), isOpen: false }
            : { place, value, isOpen };
        });
        return limits.sort((a, b) => (implies(a, b) ? -1 : 1));
      },
      isIdle: ({ value }) => !isUpper && noun !== 'imum' && value === (noun === 'Contains' ? 1 : 0),
      implies,
      rule([before], [after], isTighter) {
        const stem = noun === 'imum' ? side : kebab(name);
        if (!before || !after) return `${stem}-${after ? 'set' : 'unset'}`;
        return `${stem}-${isTighter === isUpper ? 'decreased' : 'increased'}`;
      },
      words([limit]) {
        const [open, closed] = isUpper ? ['less than', 'at most'] : ['more than', 'at least'];
        return limit ? `${limit.isOpen ? open : closed} ${limit.value}${unit}` : 'no limit';
      },
    };
  });
}
