/** The JSON Schema keywords that limit a value of one type: strings, numbers, and sizes. */
import { type Effect, type Finding, finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../place.ts';
import type { Shape } from './shape.ts';

/** Sizes: the keyword, the type it is for, and what it counts. */
const SIZES = [
  ['maxLength', 'string', 'characters'],
  ['minLength', 'string', 'characters'],
  ['maxItems', 'array', 'items'],
  ['minItems', 'array', 'items'],
  ['maxContains', 'array', 'matching items'],
  ['minContains', 'array', 'matching items'],
  ['maxProperties', 'object', 'properties'],
  ['minProperties', 'object', 'properties'],
] as const;

/** Keywords with a text for a value: any other text allows other values. */
const TEXTS = [
  ['pattern', 'string'],
  ['contentEncoding', 'string'],
  ['contentMediaType', 'string'],
] as const;

export function compareKeywords(base: Shape, head: Shape): Finding[] {
  const types = base.types.union(head.types);
  const findings: Finding[] = [];
  for (const [keyword, type, unit] of SIZES) {
    // Without `contains`, how many items match it means nothing.
    const applies = types.has(type) && (!keyword.endsWith('Contains') || base.having('contains').length > 0);
    if (applies) findings.push(...compareSize(keyword, unit, base, head));
  }
  for (const [keyword, type] of TEXTS) {
    if (types.has(type)) findings.push(...compareText(keyword, base, head));
  }
  if (types.has('string') || types.has('number') || types.has('integer')) findings.push(...compareFormat(base, head));
  if (types.has('number') || types.has('integer')) {
    findings.push(...compareLimit('max', base, head), ...compareLimit('min', base, head), ...compareStep(base, head));
  }
  if (types.has('array')) findings.push(...compareUnique(base, head));
  return findings;
}

type Size = (typeof SIZES)[number][0];

function compareSize(keyword: Size, unit: string, base: Shape, head: Shape): Finding[] {
  const upper = keyword.startsWith('max');
  const before = tightest(base.having(keyword), upper);
  const after = tightest(head.having(keyword), upper);
  // What holds without the keyword.
  const fallback = upper ? Infinity : keyword === 'minContains' ? 1 : 0;
  const words = (value: number) =>
    Number.isFinite(value) ? `at ${upper ? 'most' : 'least'} ${value} ${unit}` : 'no limit';
  return limitFinding(kebab(keyword), upper, before, after, fallback, words);
}

interface Limit {
  value: number;
  place: Place;
}

/** Of several limits that hold at once, the one that counts. */
function tightest(places: readonly Place[], upper: boolean): Limit | undefined {
  const limits = places.map((place) => ({ value: Number(place.value), place }));
  return limits.reduce<Limit | undefined>(
    (best, limit) =>
      best === undefined || (upper ? limit.value < best.value : limit.value > best.value) ? limit : best,
    undefined,
  );
}

function limitFinding(
  stem: string,
  upper: boolean,
  before: Limit | undefined,
  after: Limit | undefined,
  fallback: number,
  words: (value: number) => string,
): Finding[] {
  const [from, to] = [before?.value ?? fallback, after?.value ?? fallback];
  const place = after?.place ?? before?.place;
  if (from === to || place === undefined) return [];
  const grew = to > from;
  const verb = before === undefined ? 'set' : after === undefined ? 'unset' : grew ? 'increased' : 'decreased';
  const effect = grew === upper ? 'wider' : 'guarantee';
  const subject = describe(place.parent);
  return [finding(`${stem}-${verb}`, effect, place, `${subject}: ${words(to)}; it was ${words(from)}.`)];
}

/** `maximum` and `exclusiveMaximum` as one limit: of an integer, below 10 is at most 9. */
function compareLimit(side: 'max' | 'min', base: Shape, head: Shape): Finding[] {
  const upper = side === 'max';
  const [before, after] = [limitOf(side, base), limitOf(side, head)];
  const words = (value: number) => {
    if (!Number.isFinite(value)) return 'no limit';
    const open = [before, after].some((limit) => limit?.value === value && limit.exclusive);
    return open ? `${upper ? 'less' : 'more'} than ${value}` : `at ${upper ? 'most' : 'least'} ${value}`;
  };
  if (before && after && before.value === after.value && before.exclusive !== after.exclusive) {
    const effect: Effect = after.exclusive ? 'guarantee' : 'wider';
    const message = `${describe(after.place.parent)}: ${after.value} itself is ${after.exclusive ? 'no longer' : 'now'} allowed.`;
    return [finding(`${side}-became-${after.exclusive ? 'exclusive' : 'inclusive'}`, effect, after.place, message)];
  }
  return limitFinding(side, upper, before, after, upper ? Infinity : -Infinity, words);
}

function limitOf(side: 'max' | 'min', shape: Shape): (Limit & { exclusive: boolean }) | undefined {
  const upper = side === 'max';
  const integers = !shape.types.has('number');
  const inclusive = tightest(shape.having(`${side}imum`), upper);
  const exclusive = tightest(
    shape.having(`exclusive${upper ? 'Max' : 'Min'}imum`).filter(({ value }) => typeof value === 'number'),
    upper,
  );
  // OpenAPI 3.0: a flag beside the limit.
  const flagged = shape.having(`exclusive${upper ? 'Max' : 'Min'}imum`).some(({ value }) => value === true);
  const limit =
    exclusive && (!inclusive || (upper ? exclusive.value <= inclusive.value : exclusive.value >= inclusive.value))
      ? exclusive
      : inclusive;
  if (limit === undefined) return undefined;
  const open = limit === exclusive || flagged;
  if (!open || !integers) return { ...limit, exclusive: open };
  const value = upper ? Math.ceil(limit.value) - 1 : Math.floor(limit.value) + 1;
  return { ...limit, value, exclusive: false };
}

function compareStep(base: Shape, head: Shape): Finding[] {
  const step = (shape: Shape) => {
    // Every integer is a multiple of 1; of several steps that hold at once, the coarsest says most.
    const steps = shape.having('multipleOf').filter(({ value }) => value !== 1 || shape.types.has('number'));
    return steps.sort((a, b) => b.value - a.value)[0];
  };
  const [before, after] = [step(base), step(head)];
  const [from, to] = [before?.value, after?.value];
  const place = after ?? before;
  if (from === to || place === undefined) return [];
  const divides = (small: number, large: number) => Number.isInteger(Number((large / small).toPrecision(12)));
  const effect: Effect =
    to === undefined
      ? 'wider'
      : from === undefined || divides(from, to)
        ? 'guarantee'
        : divides(to, from)
          ? 'wider'
          : 'changed';
  const words = (value: number | undefined) => (value === undefined ? 'no step' : `a multiple of ${value}`);
  return [keywordFinding('multiple-of', before, after, effect, words(to), words(from))];
}

function compareUnique(base: Shape, head: Shape): Finding[] {
  const before = base.having('uniqueItems').find(({ value }) => value === true);
  const after = head.having('uniqueItems').find(({ value }) => value === true);
  if ((before === undefined) === (after === undefined)) return [];
  const words = (place: Place | undefined) => (place ? 'each item only once' : 'items may repeat');
  return [keywordFinding('unique-items', before, after, after ? 'guarantee' : 'wider', words(after), words(before))];
}

function compareText(keyword: string, base: Shape, head: Shape): Finding[] {
  // A pattern that every text matches is none.
  const own = (shape: Shape) => shape.having(keyword).filter(({ value }) => !/^\^?(\.\*)?\$?$/.test(String(value)));
  const text = (places: Place[]) =>
    places
      .map(({ value }) => String(value))
      .sort()
      .join(' ');
  const [before, after] = [own(base), own(head)];
  if (text(before) === text(after)) return [];
  const effect: Effect = before.length === 0 ? 'guarantee' : after.length === 0 ? 'wider' : 'changed';
  const words = (places: Place[]) =>
    places.length === 0 ? `no ${keyword}` : places.map(({ value }) => `\`${value}\``).join(' and ');
  return [keywordFinding(kebab(keyword), before[0], after[0], effect, `${keyword} is ${words(after)}`, words(before))];
}

/** Formats that allow all values of another. */
const WIDER_FORMATS: Record<string, string> = { int32: 'int64', float: 'double' };

function compareFormat(base: Shape, head: Shape): Finding[] {
  const [before] = base.having('format');
  const [after] = head.having('format');
  const [from, to] = [before?.value, after?.value];
  if (from === to) return [];
  const effect: Effect =
    from === undefined || WIDER_FORMATS[to] === from
      ? 'guarantee'
      : to === undefined || WIDER_FORMATS[from] === to
        ? 'wider'
        : 'changed';
  const words = (format: string | undefined) => (format === undefined ? 'no format' : `format \`${format}\``);
  return [keywordFinding('format', before, after, effect, words(to), words(from))];
}

function keywordFinding(
  stem: string,
  before: Place | undefined,
  after: Place | undefined,
  effect: Effect,
  now: string,
  was: string,
): Finding {
  const place = (after ?? before) as Place;
  const verb = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return finding(`${stem}-${verb}`, effect, place, `${describe(place.parent)}: ${now}; it was ${was}.`);
}

function kebab(keyword: string): string {
  return keyword.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
