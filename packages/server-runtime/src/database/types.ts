import pg from 'pg';

/** A type of Postgres whose values are no text in JavaScript. */
interface ValueType {
  oid: number;
  /** The type in TypeScript. */
  type: 'boolean' | 'number' | 'Date' | 'Buffer' | 'unknown';
  read(text: string): unknown;
}

const { BOOL, BYTEA, FLOAT4, FLOAT8, INT2, INT4, INT8, JSON: JSON_TEXT, JSONB, OID, TIMESTAMPTZ } = pg.types.builtins;

/**
 * These types by the names that Postgres prints. A value of any other is the text that Postgres writes, as pg would lose a part of it: a
 * day, a time and a `numeric` are not what JavaScript has by these names. The values of an array are read like one.
 */
export const VALUE_TYPES: Readonly<Record<string, ValueType>> = {
  boolean: { oid: BOOL, type: 'boolean', read: (text) => text === 't' },
  smallint: { oid: INT2, type: 'number', read: Number },
  integer: { oid: INT4, type: 'number', read: Number },
  bigint: { oid: INT8, type: 'number', read: safeInteger },
  oid: { oid: OID, type: 'number', read: Number },
  real: { oid: FLOAT4, type: 'number', read: Number },
  'double precision': { oid: FLOAT8, type: 'number', read: Number },
  'timestamp with time zone': { oid: TIMESTAMPTZ, type: 'Date', read: pg.types.getTypeParser(TIMESTAMPTZ) },
  bytea: { oid: BYTEA, type: 'Buffer', read: pg.types.getTypeParser(BYTEA) },
  json: { oid: JSON_TEXT, type: 'unknown', read: JSON.parse },
  jsonb: { oid: JSONB, type: 'unknown', read: JSON.parse },
};

/** Reads int8 as a number, which is never rounded. */
function safeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is outside the range of a JSON integer`);
  return number;
}

const READERS = new Map(Object.values(VALUE_TYPES).map(({ oid, read }) => [oid, read]));

/**
 * Selects the types that have an array, with the base of those that are domains. Each table is a type, too. The arrays of `box`, whose items
 * are separated by another character, are texts.
 */
export const SELECT_ARRAYS = `
  select typarray as list, oid as item, typbasetype as base from pg_type
  where typarray <> 0 and typtype not in ('c', 'p') and typdelim = ','`;

export type ArrayType = Record<'list' | 'item' | 'base', number>;

/** The types of items by that of their array. Postgres sends the values of a domain as those of its base, but not the items of an array. */
export function itemsOf(types: ArrayType[]): [list: number, item: number][] {
  const bases = new Map(types.map(({ item, base }) => [item, base]));
  const baseOf = (type: number): number => {
    const base = bases.get(type);
    return base ? baseOf(base) : type;
  };
  return types.map(({ list, item }) => [list, baseOf(item)]);
}

/** Reads values by their types. @param arrays - see {@link itemsOf} */
export const readerOf =
  (arrays: ReadonlyMap<number, number>) =>
  (oid: number): ((text: string) => unknown) => {
    const item = arrays.get(oid);
    if (item === undefined) return READERS.get(oid) ?? String;
    const read = READERS.get(item) ?? String;
    return (text) => parseArray(text, (value) => (value === null ? null : read(value)));
  };

/** Its types are those of another version. */
const parseArray = (text: string, read: (value: string | null) => unknown): unknown[] =>
  (pg.types.arrayParser as unknown as { create(text: string, read: unknown): { parse(): unknown[] } })
    .create(text, read)
    .parse();
