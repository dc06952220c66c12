/** The JSON Schema keywords that limit a value of one type: strings, numbers, and sizes. */
import { type Effect, type Finding, finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../place.ts';
import { kebab } from '../words.ts';
import type { Shape } from './shape.ts';

export function compareKeywords(base: Shape, head: Shape): Finding[] {
  const types = base.types.union(head.types);
  const applies = ({ types: own }: { types: readonly string[] }) => own.some((type) => types.has(type));
  return [
    ...BOUNDS.filter(applies).flatMap((bound) => [
      ...compareBound('max', bound, base, head),
      ...compareBound('min', bound, base, head),
    ]),
    ...MARKS.filter(applies).flatMap((mark) => compareMark(mark, base, head)),
  ];
}

/** Keywords that start with `max` and `min`. */
interface BoundKeyword {
  noun: string;
  types: string[];
  unit: string;
  /** Without it, the keyword means nothing. */
  needs?: string;
}

const BOUNDS: BoundKeyword[] = [
  { noun: 'Length', types: ['string'], unit: ' characters' },
  { noun: 'Items', types: ['array'], unit: ' items' },
  { noun: 'Contains', types: ['array'], unit: ' matching items', needs: 'contains' },
  { noun: 'Properties', types: ['object'], unit: ' properties' },
  { noun: 'imum', types: ['number', 'integer'], unit: '' },
];

interface Bound {
  value: number;
  /** The value itself is not allowed. */
  isOpen: boolean;
  place: Place;
}

function compareBound(side: 'max' | 'min', keyword: BoundKeyword, base: Shape, head: Shape): Finding[] {
  const { noun, unit, needs } = keyword;
  const isUpper = side === 'max';
  const [before, after] = [boundOf(side, noun, base), boundOf(side, noun, head)];
  const place = after?.place ?? before?.place;
  if (place === undefined || (needs && !base.has(needs))) return [];
  // What holds without the keyword.
  const usual = isUpper ? Infinity : noun === 'imum' ? -Infinity : noun === 'Contains' ? 1 : 0;
  const [from, to] = [before?.value ?? usual, after?.value ?? usual];
  const subject = describe(place.parent);
  if (from === to) {
    if (!before || !after || before.isOpen === after.isOpen) return [];
    const message = `${subject}: ${to} itself is ${after.isOpen ? 'no longer' : 'now'} allowed.`;
    const rule = `${side}-became-${after.isOpen ? 'exclusive' : 'inclusive'}`;
    return [finding(rule, after.isOpen ? 'guarantee' : 'wider', place, message)];
  }
  const words = (value: number, bound: Bound | undefined) => {
    if (!Number.isFinite(value)) return 'no limit';
    const [open, closed] = isUpper ? ['less than', 'at most'] : ['more than', 'at least'];
    return `${bound?.isOpen ? open : closed} ${value}${unit}`;
  };
  const verb = before === undefined ? 'set' : after === undefined ? 'unset' : to > from ? 'increased' : 'decreased';
  const message = `${subject}: ${words(to, after)}; it was ${words(from, before)}.`;
  const rule = `${noun === 'imum' ? side : kebab(side + noun)}-${verb}`;
  return [finding(rule, to > from === isUpper ? 'wider' : 'guarantee', place, message)];
}

/** `maximum` and `exclusiveMaximum` are one; of several that hold at once, the one that counts. */
function boundOf(side: 'max' | 'min', noun: string, shape: Shape): Bound | undefined {
  const isUpper = side === 'max';
  const exclusive = shape.having(`exclusive${isUpper ? 'Max' : 'Min'}${noun}`);
  // OpenAPI 3.0: a flag beside the limit.
  const isOpen = exclusive.some(({ value }) => value === true);
  const bounds: Bound[] = [
    ...shape.having(side + noun).map((place) => ({ value: Number(place.value), isOpen, place })),
    ...exclusive
      .filter(({ value }) => typeof value === 'number')
      .map((place) => ({ value: place.value, isOpen: true, place })),
  ];
  // Of an integer, below 10 is at most 9.
  const next = (value: number) => (isUpper ? Math.ceil(value) - 1 : Math.floor(value) + 1);
  const isWhole = !shape.types.has('number');
  const closed = bounds.map((one) => (one.isOpen && isWhole ? { ...one, isOpen: false, value: next(one.value) } : one));
  const tighter = (a: Bound, b: Bound) => (isUpper ? a.value - b.value : b.value - a.value);
  return closed.sort((a, b) => tighter(a, b) || Number(b.isOpen) - Number(a.isOpen))[0];
}

/** Keywords with a value of which another allows other values. */
interface Mark {
  keyword: string;
  types: string[];
  /** Allows everything, as if it were not there. */
  isIdle?: (value: unknown, shape: Shape) => boolean;
  /** Whether what one value allows is allowed by another, too. */
  isWithin?: (value: unknown, other: unknown) => boolean;
}

/** Formats that allow all values of another. */
const WIDER_FORMATS: Record<string, string> = { int32: 'int64', float: 'double' };

const MARKS: Mark[] = [
  { keyword: 'pattern', types: ['string'], isIdle: (value) => /^\^?(\.\*)?\$?$/.test(String(value)) },
  { keyword: 'contentEncoding', types: ['string'] },
  { keyword: 'contentMediaType', types: ['string'] },
  {
    keyword: 'format',
    types: ['string', 'number', 'integer'],
    isWithin: (value, other) => WIDER_FORMATS[String(value)] === other,
  },
  {
    keyword: 'multipleOf',
    types: ['number', 'integer'],
    isIdle: (value, shape) => value === 1 && !shape.types.has('number'),
    isWithin: (value, other) => Number.isInteger(Number((Number(value) / Number(other)).toPrecision(12))),
  },
  { keyword: 'uniqueItems', types: ['array'], isIdle: (value) => value !== true },
];

function compareMark({ keyword, isIdle, isWithin }: Mark, base: Shape, head: Shape): Finding[] {
  const placesOf = (shape: Shape) => shape.having(keyword).filter(({ value }) => !isIdle?.(value, shape));
  const [old, now] = [placesOf(base), placesOf(head)];
  const place = now[0] ?? old[0];
  const valuesOf = (places: Place[]) => new Set<unknown>(places.map(({ value }) => value));
  const [before, after] = [valuesOf(old), valuesOf(now)];
  if (place === undefined || before.symmetricDifference(after).size === 0) return [];
  // Several hold at once when `allOf` joins them: one more allows less.
  const covers = (some: Set<unknown>, others: Set<unknown>) =>
    [...others].every((other) => some.has(other) || [...some].some((value) => isWithin?.(value, other)));
  const effect: Effect = covers(after, before) ? 'guarantee' : covers(before, after) ? 'wider' : 'changed';
  const verb = before.size === 0 ? 'added' : after.size === 0 ? 'removed' : 'changed';
  const words = (values: Set<unknown>) => [...values].map((value) => `\`${value}\``).join(' and ') || 'none';
  const message = `${describe(place.parent)}: \`${keyword}\` is ${words(after)}; it was ${words(before)}.`;
  return [finding(`${kebab(keyword)}-${verb}`, effect, place, message)];
}
