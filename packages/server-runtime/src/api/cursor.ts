import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../errors.ts';

/** Describes how a cursor holds values of a type: as text, without loss. */
export interface Kind {
  /** The type of the value in a query, by default that of the column. */
  as?: string;
  /** SQL of the text of a column. Default: a cast. */
  write?(column: string): string;
  /** SQL of the value of such a text. */
  read?(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Whether Postgres reads the text without an error. A client may have forged it. */
  isValid(text: string): boolean;
}

const integerOf = (bits: bigint): Kind => ({
  isValid: (text) => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(Number(bits), BigInt(text)) === BigInt(text),
});

/** @param round - to a number of the type. A text that it makes infinite, or zero, is one that Postgres refuses */
const floating = (round: (value: number) => number): Kind => ({
  isValid(text) {
    if (/^(NaN|-?Infinity)$/.test(text)) return true;
    const value = round(Number(text));
    return /^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(text) && Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(text));
  },
});

const textual: Kind = { isValid: (text) => text.isWellFormed() && !text.includes('\0') };

const isInfinite = (text: string) => /^-?infinity$/.test(text);

/** The last years of times and of days, and the first day, 24 November 4714 before Christ. */
const [LAST_TIME, LAST_DAY, FIRST_YEAR, FIRST_DAY] = [294_276, 5_874_897, 4_714, 1_124];

/** Whether a day exists. The calendar repeats itself after 400 years. */
function isDay(text: string, isBefore: boolean, last: number): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  if (year < 1 || year > (isBefore ? FIRST_YEAR : last)) return false;
  if (isBefore && year === FIRST_YEAR && month * 100 + day < FIRST_DAY) return false;
  const leap = 2_000 + ((((isBefore ? 1 - year : year) % 400) + 400) % 400);
  const date = new Date(Date.UTC(leap, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Times without a zone, of which `to_json` ignores the session's format. */
const time: Kind = {
  as: 'timestamp',
  write: (column) => `to_json(${column}) #>> '{}'`,
  isValid(text) {
    const [, day = '', clock = '', before] =
      /^(\d{4,6}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,6})?( BC)?$/.exec(text) ?? [];
    return isInfinite(text) || (isDay(day, before !== undefined, LAST_TIME) && isClock(clock));
  },
};
const isClock = (text: string) => /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(text);

/** The kinds by the type of the column. */
const kinds: Record<string, Kind> = {
  smallint: integerOf(16n),
  integer: integerOf(32n),
  bigint: integerOf(64n),
  numeric: { isValid: (text) => /^(-?\d{1,1000}(\.\d{1,1000})?|NaN|-?Infinity)$/.test(text) },
  real: floating(Math.fround),
  'double precision': floating((value) => value),
  boolean: { isValid: (text) => text === 'true' || text === 'false' },
  text: textual,
  'character varying': textual,
  uuid: { isValid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) },
  date: {
    write: (column) => `to_json(${column}) #>> '{}'`,
    isValid(text) {
      const [, day = '', before] = /^(\d{4,7}-\d\d-\d\d)( BC)?$/.exec(text) ?? [];
      return isInfinite(text) || isDay(day, before !== undefined, LAST_DAY);
    },
  },
  'timestamp without time zone': time,
  timestamptz: {
    ...time,
    write: (column) => `to_json(${column} at time zone 'UTC') #>> '{}'`,
    read: (value) => sql`(${value} at time zone 'UTC')`,
  },
};

/** A type whose texts only Postgres knows, such as an enum. It refuses a forged one as a value of the request. */
const other = (type: string): Kind => ({ ...textual, as: 'text', read: (value) => sql`${value}::${sql.raw(type)}` });

export const kindOf = (type: string): Kind => kinds[type] ?? other(type);

/**
 * Encodes a cursor of a list, opaque in base64url (RFC 4648 section 5). Other lists refuse it by the name, and a truncated cursor is
 * invalid because it lacks the `.`.
 *
 * @param after - the last item: its number, or the JSON of several texts
 */
export function encodeCursor(list: string, after: number | string): string {
  return Buffer.from(`${list}:${after}.`).toString('base64url');
}

/**
 * The texts of a cursor, one for each kind.
 *
 * @throws ApiError 400 for a cursor that cannot name an item of the list
 */
export function decodeCursor(list: string, cursor: string, kinds: Kind[], isSingle: boolean): string[] {
  const after = Buffer.from(cursor, 'base64url')
    .toString()
    .slice(list.length + 1, -1);
  const texts = isSingle ? [after] : textsIn(after);
  const isValid = texts.length === kinds.length && texts.every((text, index) => kinds[index]?.isValid(text));
  if (isValid && encodeCursor(list, after) === cursor) return texts;
  throw new ApiError(400, 'query parameter cursor is not a cursor of this list');
}

function textsIn(json: string): string[] {
  try {
    const values: unknown = JSON.parse(json);
    return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  } catch {
    return [];
  }
}

/** The first text after all texts with a prefix, in the order of code points. */
export function endOf(prefix: string): string {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === 0x10_ff_ff) points.pop();
  const last = points.pop();
  // No text comes after all of these. One of more than a thousand of this noncharacter is not found.
  if (last === undefined) return `${prefix}${'\u{10ffff}'.repeat(1_000)}`;
  // Surrogates are not characters, so they are skipped.
  return String.fromCodePoint(...points, last === 0xd7_ff ? 0xe0_00 : last + 1);
}
