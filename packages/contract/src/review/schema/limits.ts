/** Compares JSON Schema keywords that set limits, such as `maxLength`. One limit may imply another. */
import { type Effect, type Finding, finding } from '../finding.ts';
import type { Place } from '../place.ts';
import { describe, kebab } from '../words.ts';
import type { Shape } from './shape.ts';

/** `isOpen`: the limit is exclusive. */
type Limit = { value: unknown; isOpen?: boolean; place: Place };

interface Keyword {
  types: readonly string[];
  /** A keyword without which this one has no effect. */
  needs?: string;
  /** The effect of a tighter limit. Default: `guarantee`, which keeps the SDK's types. */
  effect?: Effect;
  /** The limits that a schema sets, without those that allow any value. */
  limits(shape: Shape): Limit[];
  /** Whether every value within a limit is within the other. */
  implies(limit: Limit, other: Limit): boolean;
  rule(old: Limit[], now: Limit[], isTighter: boolean): string;
  words(limits: Limit[]): string;
}

const NUMBER = ['number', 'integer'];

/** For a format, one that includes all its values. */
const WIDER_FORMATS: Record<string, string> = { int32: 'int64', float: 'double' };

const KEYWORDS: Keyword[] = [
  ...bounds('Length', ['string'], ' characters'),
  ...bounds('Items', ['array'], ' items'),
  ...bounds('Contains', ['array'], ' matching items', 'contains'),
  ...bounds('Properties', ['object'], ' properties'),
  ...bounds('imum', NUMBER, ''),
  mark('pattern', ['string'], { isIdle: (value) => /^\^?(\.\*)?\$?$/.test(String(value)) }),
  mark('contentEncoding', ['string']),
  mark('contentMediaType', ['string']),
  mark('format', ['string', ...NUMBER], { implies: (value, other) => WIDER_FORMATS[String(value)] === other }),
  mark('multipleOf', NUMBER, {
    isIdle: (value, shape) => value === 1 && !shape.types.has('number'),
    implies: (value, other) => Number.isInteger(Number((Number(value) / Number(other)).toPrecision(12))),
  }),
  mark('uniqueItems', ['array'], { isIdle: (value) => value !== true }),
  {
    ...mark('dependentRequired', ['object']),
    effect: 'narrower',
    limits: (shape) =>
      [...shape.mapOf('dependentRequired')].flatMap(([name, lists]) =>
        lists.flatMap((place) => place.items().map((item) => ({ value: `${name}: ${item.value}`, place }))),
      ),
  },
];

export function compareLimits(base: Shape, head: Shape): Finding[] {
  const types = base.types.union(head.types);
  return KEYWORDS.flatMap((keyword) => {
    const { needs, effect = 'guarantee', implies } = keyword;
    if (!keyword.types.some((type) => types.has(type)) || (needs && !base.has(needs))) return [];
    const [old, now] = [keyword.limits(base), keyword.limits(head)];
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

interface Mark {
  /** Whether a limit allows any value. */
  isIdle?(value: unknown, shape: Shape): boolean;
  /** Whether a limit implies the other one. */
  implies?(value: unknown, other: unknown): boolean;
}

/** A keyword whose values are unordered, such as `pattern`. */
function mark(name: string, types: readonly string[], { isIdle, implies }: Mark = {}): Keyword {
  return {
    types,
    limits: (shape) =>
      shape
        .having(name)
        .filter(({ value }) => !isIdle?.(value, shape))
        .map((place) => ({ value: place.value, place })),
    implies: ({ value }, other) => value === other.value || implies?.(value, other.value) === true,
    rule: (old, now) => `${kebab(name)}-${old.length === 0 ? 'added' : now.length === 0 ? 'removed' : 'changed'}`,
    words: (limits) => `\`${name}\` is ${limits.map(({ value }) => `\`${value}\``).join(' and ') || 'none'}`,
  };
}

/** The keywords with `max` and `min`. Treats `maximum` and `exclusiveMaximum` as one. */
function bounds(noun: string, types: readonly string[], unit: string, needs = ''): Keyword[] {
  return ['max', 'min'].map((side): Keyword => {
    const [isUpper, name] = [side === 'max', side + noun];
    // The limit without the keyword.
    const usual = isUpper ? Infinity : noun === 'imum' ? -Infinity : noun === 'Contains' ? 1 : 0;
    return {
      types,
      needs,
      limits(shape) {
        const exclusive = shape.having(`exclusive${isUpper ? 'Max' : 'Min'}${noun}`);
        // In OpenAPI 3.0, a boolean beside the limit.
        const isOpen = exclusive.some(({ value }) => value === true);
        const numbers = exclusive.filter(({ value }) => typeof value === 'number');
        const limits = [
          ...shape.having(name).map((place) => ({ place, value: Number(place.value), isOpen })),
          ...numbers.map((place) => ({ place, value: Number(place.value), isOpen: true })),
        ].map((limit) => (limit.isOpen && !shape.types.has('number') ? { ...limit, ...closed(limit.value) } : limit));
        // Of several limits, the tightest applies.
        const tightest = limits.sort((a, b) => (isTighter(a, b) ? -1 : 1)).slice(0, 1);
        return tightest.filter(({ value }) => value !== usual);
      },
      implies: isTighter,
      rule([before], [after], isTight) {
        const stem = noun === 'imum' ? side : kebab(name);
        if (!before || !after) return `${stem}-${after ? 'set' : 'unset'}`;
        if (before.value === after.value) return `${stem}-became-${isTight ? 'exclusive' : 'inclusive'}`;
        return `${stem}-${isTight === isUpper ? 'decreased' : 'increased'}`;
      },
      words([limit]) {
        const [open, least] = isUpper ? ['less than', 'at most'] : ['more than', 'at least'];
        return limit ? `${limit.isOpen ? open : least} ${limit.value}${unit}` : 'no limit';
      },
    };

    /** Whether a limit is as tight as the other or tighter. */
    function isTighter(limit: Limit, other: Limit): boolean {
      const [value, least] = [Number(limit.value), Number(other.value)];
      return value === least ? limit.isOpen === true || !other.isOpen : value < least === isUpper;
    }

    /** For integers, below 10 is at most 9. */
    function closed(value: number) {
      return { value: isUpper ? Math.ceil(value) - 1 : Math.floor(value) + 1, isOpen: false };
    }
  });
}
