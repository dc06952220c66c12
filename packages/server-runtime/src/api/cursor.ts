import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { ApiError } from '../errors.ts';

/** Describes how a cursor holds values of a type: as text, without loss. */
export interface Kind {
  /** The type of the value in a query, by default that of the column. */
  as?: string;
  /** SQL of the text of a column. Default: a cast. */
  write?(column: string): string;
  /** SQL of the value of such a text. */
  read?(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The form of the texts that Postgres writes. It refuses others itself, such as a day that there is not. Default: any */
  form?: RegExp;
}

const INTEGER: Kind = { form: /^-?\d{1,19}$/ };
const FLOAT: Kind = { form: /^(-?\d+(\.\d+)?(e[+-]\d+)?|NaN|-?Infinity)$/ };

/** Times without a zone, of which `to_json` ignores the session's format. */
const TIME: Kind = {
  as: 'timestamp',
  write: (column) => `to_json(${column}) #>> '{}'`,
  form: /^(\d{4,6}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?( BC)?|-?infinity)$/,
};

/** The kinds by the type of the column. */
const kinds: Record<string, Kind> = {
  smallint: INTEGER,
  integer: INTEGER,
  bigint: INTEGER,
  numeric: { form: /^(-?\d{1,1000}(\.\d{1,1000})?|NaN|-?Infinity)$/ },
  real: FLOAT,
  'double precision': FLOAT,
  boolean: { form: /^(true|false)$/ },
  text: {},
  'character varying': {},
  uuid: { form: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/ },
  date: { write: (column) => `to_json(${column}) #>> '{}'`, form: /^(\d{4,7}-\d\d-\d\d( BC)?|-?infinity)$/ },
  'timestamp without time zone': TIME,
  timestamptz: {
    ...TIME,
    write: (column) => `to_json(${column} at time zone 'UTC') #>> '{}'`,
    read: (value) => sql`(${value} at time zone 'UTC')`,
  },
};

/** A type whose texts only Postgres knows, such as an enum. It refuses a forged one as a value of the request. */
const other = (type: string): Kind => ({ as: 'text', read: (value) => sql`${value}::${sql.raw(type)}` });

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
  const isValid = texts.length === kinds.length && texts.every((text, index) => kinds[index]?.form?.test(text) ?? true);
  if (isValid && encodeCursor(list, after) === cursor) return texts;
  throw invalidCursor();
}

const invalidCursor = () => new ApiError(400, 'query parameter cursor is not a cursor of this list');

/** SQLSTATEs of texts that are no value of a type: no number of its range, no such day, no characters. */
const NO_VALUE = /^22(003|007|008|021|P02)$/;

/** Throws the failure of a page behind a cursor, which a client may have forged. */
export const failBehindCursor = (error: unknown): never => {
  throw error instanceof pg.DatabaseError && NO_VALUE.test(error.code ?? '') ? invalidCursor() : error;
};

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
