import { ApiError } from '../errors.ts';

/** Describes how a cursor holds values of a type: as text, without loss. */
export interface Kind {
  /** The type of the value in a query, by default that of the column. */
  as?: string;
  /** SQL of the text of a column. Default: a cast. */
  write?(column: string): string;
  /** SQL of the value of such a text. */
  read?(value: string): string;
  /** Whether Postgres reads the text without an error. A client may have forged it. */
  isValid(text: string): boolean;
}

const integerUpTo = (most: number): Kind => ({
  isValid: (text) => /^-?\d+$/.test(text) && Math.abs(Number(text)) <= most,
});

const textual: Kind = { isValid: (text) => text.isWellFormed() && !text.includes('\0') };

/** Whether a text is a day that exists. */
const isDay = (text: string) => new Date(text).toJSON()?.startsWith(text) ?? false;
const isInfinite = (text: string) => /^-?infinity$/.test(text);

/** The kinds by the type of the column. `to_json` ignores the session's formats of times and days. */
const kinds: Record<string, Kind> = {
  smallint: integerUpTo(2 ** 15 - 1),
  integer: integerUpTo(2 ** 31 - 1),
  bigint: integerUpTo(Number.MAX_SAFE_INTEGER),
  numeric: { isValid: (text) => /^-?\d{1,1000}(\.\d{1,1000})?$/.test(text) },
  text: textual,
  'character varying': textual,
  uuid: { isValid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) },
  date: {
    write: (column) => `to_json(${column}) #>> '{}'`,
    isValid: (text) => isInfinite(text) || (/^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && isDay(text)),
  },
  timestamptz: {
    as: 'timestamp',
    write: (column) => `to_json(${column} at time zone 'UTC') #>> '{}'`,
    read: (value) => `(${value} at time zone 'UTC')`,
    isValid(text) {
      const [, second = ''] = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,6})?$/.exec(text) ?? [];
      return isInfinite(text) || new Date(`${second}Z`).toJSON()?.startsWith(second) === true;
    },
  },
};

/** @throws Error for a column whose values cannot stand in a cursor */
export function kindOf(column: string, type: string): Kind {
  const kind = kinds[type];
  if (kind) return kind;
  throw new Error(`A list cannot go by ${column}: it is a ${type}, not a number, a text or a time`);
}

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
