import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../errors.ts';

/** How a cursor holds the values of a type: as texts, without loss. */
export interface Kind {
  /** The type of the value in a query. Default: that of the column. */
  as?: string;
  /** SQL of the text of a column. Default: a cast. */
  write?(column: string): string;
  /** SQL of the value of such a text. */
  read?(value: RawBuilder<unknown>): RawBuilder<unknown>;
}

/** Times are written by `to_json`, which ignores the session's format. */
const textOf = (time: string) => `to_json(${time}) #>> '{}'`;

const kinds: Record<string, Kind> = {
  date: { write: textOf },
  'timestamp without time zone': { as: 'timestamp', write: textOf },
  timestamptz: {
    as: 'timestamp',
    write: (column) => textOf(`${column} at time zone 'UTC'`),
    read: (value) => sql`(${value} at time zone 'UTC')`,
  },
};

export const kindOf = (type: string): Kind => kinds[type] ?? {};

/**
 * Encodes a cursor of a list, opaque in base64url (RFC 4648 section 5). Other lists refuse it by the name, and a truncated cursor is
 * invalid because it lacks the `.`.
 *
 * @param after - the last item: its number, or the JSON of several texts
 */
export function encodeCursor(list: string, after: number | string): string {
  return Buffer.from(`${list}:${after}.`).toString('base64url');
}

/** The failure for a cursor that the list has not given. */
export const noCursor = () => new ApiError(400, 'query parameter cursor is not a cursor of this list');

/**
 * The texts of a cursor. Postgres refuses those that are no values of their types: a client may have forged them.
 *
 * @param count - of the texts; undefined for a number
 * @throws ApiError 400 for the cursor of another list
 */
export function decodeCursor(list: string, cursor: string, count: number | undefined): string[] {
  const after = Buffer.from(cursor, 'base64url')
    .toString()
    .slice(list.length + 1, -1);
  const texts = count !== undefined ? textsIn(after) : /^-?\d{1,16}$/.test(after) ? [after] : [];
  if (texts.length === (count ?? 1) && encodeCursor(list, after) === cursor) return texts;
  throw noCursor();
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
