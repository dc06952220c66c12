import pg from 'pg';

/** A type of Postgres whose values are no text in JavaScript. */
interface ValueType {
  oid: number;
  /** The oid of its arrays. */
  list: number;
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
  boolean: { oid: BOOL, list: 1000, type: 'boolean', read: (text) => text === 't' },
  smallint: { oid: INT2, list: 1005, type: 'number', read: Number },
  integer: { oid: INT4, list: 1007, type: 'number', read: Number },
  bigint: { oid: INT8, list: 1016, type: 'number', read: safeInteger },
  oid: { oid: OID, list: 1028, type: 'number', read: Number },
  real: { oid: FLOAT4, list: 1021, type: 'number', read: Number },
  'double precision': { oid: FLOAT8, list: 1022, type: 'number', read: Number },
  'timestamp with time zone': { oid: TIMESTAMPTZ, list: 1185, type: 'Date', read: pg.types.getTypeParser(TIMESTAMPTZ) },
  bytea: { oid: BYTEA, list: 1001, type: 'Buffer', read: pg.types.getTypeParser(BYTEA) },
  json: { oid: JSON_TEXT, list: 199, type: 'unknown', read: JSON.parse },
  jsonb: { oid: JSONB, list: 3807, type: 'unknown', read: JSON.parse },
};

/** Reads int8 as a number, which is never rounded. */
function safeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is outside the range of a JSON integer`);
  return number;
}

const READERS = new Map(Object.values(VALUE_TYPES).map(({ oid, read }) => [oid, read]));

/** The arrays of Postgres' other types, whose items are texts. Those of `box` are separated by another character, so they are texts. */
const LISTS_OF_TEXTS = `143 271 629 651 719 775 791 1002 1003 1006 1008 1009 1010 1011 1012 1013 1014 1015 1017 1018 1019 1027 1034 1040 1041
  1115 1182 1183 1187 1231 1270 1561 1563 2201 2207 2208 2209 2210 2211 2949 2951 3221 3643 3644 3645 3735 3770 3905 3907 3909 3911 3913
  3927 4073 4090 4097 4192 5039 6150 6151 6152 6153 6155 6157`;

/** The types of items by that of their array, of the types that every database has. */
export const ARRAYS: readonly (readonly [list: number, item: number])[] = [
  ...Object.values(VALUE_TYPES).map(({ list, oid }) => [list, oid] as const),
  ...LISTS_OF_TEXTS.split(/\s+/).map((list) => [Number(list), 0] as const),
];

/**
 * Selects the types that migrations have added and that have an array, with the base of those that are domains. Their oids differ between
 * databases. Each table is a type, too.
 */
export const SELECT_ARRAYS = `
  select typarray as list, oid as item, typbasetype as base from pg_type
  where oid >= 16384 and typarray <> 0 and typtype not in ('c', 'p')`;

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
