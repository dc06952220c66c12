/** The statement of a page: the author's query, with a keyset condition, an order and a limit that Kysely's builder adds. */
import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, type SelectQueryNode, sql } from 'kysely';
import pg from 'pg';
import { type Compiled, Placeholder, type Query } from '../database/compiled.ts';
import { quoted, sourceOf } from '../database/nodes.ts';
import { type Named, named, type RequestDb } from '../database/statement.ts';
import { type Kind, kindOf } from './cursor.ts';
import type { Schema } from './schema.ts';

const isText = (type: string) => type === 'text' || type === 'character varying';
const isInteger = (type: string) => ['smallint', 'integer', 'bigint'].includes(type);

/** Separates the items in the result of a statement. No JSON text has this character (RFC 7464). */
const SEPARATOR = '\x1e';

export interface Filter {
  column: string;
  isPrefix: boolean;
  value: unknown;
}

/** The pages of one text: its query, order and filters. */
export interface Keyset {
  kinds: Kind[];
  /** Whether they are in the order of an integer alone, which is their cursor. */
  isSingle: boolean;
  statement: Named;
  /**
   * @param constants - the values of the author's query
   * @param bound - those of the page: `limit`; `after0`, … for its position; `=column`, `>=column` and `<column` for its filters
   */
  valuesOf(constants: readonly unknown[], bound: Readonly<Record<string, unknown>>): unknown[];
}

export interface Definition {
  operation: string;
  /** The SQL of the JSON of a row. */
  json: string;
  query: Query;
  order: readonly string[];
  direction: 'asc' | 'desc';
  filters: readonly Filter[];
  /** Whether these are first pages, which have no position to begin after. */
  isFirst: boolean;
  /** No page has more rows. Postgres takes the limit, a parameter, for a tenth of all rows, and might sort those of a prefix. */
  most?: number | undefined;
}

/** Stands among the parameters of a statement for a value of the page. */
class Bound extends Placeholder {}

const parameter = (name: string, type: string): RawBuilder<unknown> => sql`${new Bound(name)}::${sql.raw(type)}`;

/** A column of a row, and what it is compared with. */
type Pair = readonly [row: RawBuilder<unknown>, value: RawBuilder<unknown>];

/** Compares columns of the index together, so that Postgres reads a range of it. */
const compare = (pairs: readonly Pair[], how: string) =>
  sql<boolean>`(${sql.join(pairs.map(([row]) => row))}) ${sql.raw(how)} (${sql.join(pairs.map(([, value]) => value))})`;

/**
 * The rows with one value of each column. A range is compared instead of `status = … and id > …`: with skewed statistics, Postgres would scan
 * the primary key past all rows of another status.
 *
 * @param isFirst - whether no position begins the range. The columns are then compared twice: Postgres expects so few rows of one column
 *   between two values that it would sort them
 */
const equalRange = (equals: readonly Pair[], isUp: boolean, isFirst: boolean) => [
  compare(equals, isUp ? '<=' : '>='),
  ...(isFirst ? [compare([...equals, ...equals], isUp ? '>=' : '<=')] : []),
];

async function refuseNullable({ database }: RequestDb, { operation, order }: Definition, table: string): Promise<void> {
  const { rows } = await database.pool.query<{ name: string }>(
    // A view does not tell.
    `select attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where attrelid = to_regclass($1) and attname = any($2) and not attnotnull and relkind in ('r', 'p')`,
    [quoted(table), order],
  );
  if (rows[0]) throw new Error(`${operation}: pages cannot be sorted by ${rows[0].name}, which may be null`);
}

/** Composes the statement that reads pages. It reads one item more than a page holds, to know whether a next page follows. */
export async function keysetOf(
  definition: Definition,
  { typeOf, isOrdered, scope }: Schema,
  db: RequestDb,
): Promise<Keyset> {
  const { operation, json, query, order, direction, filters } = definition;
  const node = query.toOperationNode() as SelectQueryNode;
  const source = sourceOf(node);
  if (!source || node.orderBy || node.limit || node.offset || node.endModifiers?.length)
    throw new Error(`${operation}: a page selects from a table, and leaves order and limit to the page`);
  const { table, alias } = source;
  const isTextual = (column: string) => isText(typeOf(table, column));
  const stored = (column: string) => sql.ref(`${alias}.${column}`);
  /** A column as it is sorted: texts by code points. */
  const sorted = (column: string, value: RawBuilder<unknown> = stored(column)) =>
    isTextual(column) ? sql`${value} collate "C"` : value;
  const keyOf = (index: number) => sql.ref(`row.$key${index}`);

  const types = order.map((column) => typeOf(table, column));
  await refuseNullable(db, definition, table);
  const kinds = types.map(kindOf);
  const isSingle = order.length === 1 && isInteger(types[0] as string);
  const isFirst = definition.isFirst && !isSingle;
  const after = kinds.map(({ as, read }, index) => {
    const value = parameter(`after${index}`, isSingle ? 'bigint' : (as ?? (types[index] as string)));
    return isSingle ? value : (read?.(value) ?? value);
  });

  const equal = filters.filter(({ isPrefix }) => !isPrefix).map(({ column }) => column);
  const prefixes = filters.filter(({ isPrefix }) => isPrefix).map(({ column }) => column);
  const other = prefixes.find((column) => !isTextual(column));
  if (other) throw new Error(`No text begins with a prefix in ${other}: it is a ${typeOf(table, other)}`);
  const isUp = direction === 'asc';
  const equals = equal.map((column): Pair => [stored(column), parameter(`=${column}`, typeOf(table, column))]);
  const bound = (column: string, how: string) =>
    compare([...equals, [sorted(column), parameter(how + column, 'text')]], how);
  // The rows of a prefix are sorted for each page, unless the order begins with it. Without `offset`, Postgres might scan past all other
  // rows in the order instead.
  const isSorted = prefixes.length > 0 && prefixes[0] !== order[0];
  const ranges = prefixes.flatMap((column) => [bound(column, '>='), bound(column, '<')]);
  if (prefixes.length === 0 && equal.length > 0) ranges.push(...equalRange(equals, isUp, isFirst));
  const position = (value: (column: string, index: number) => RawBuilder<unknown>, before: readonly Pair[]) =>
    isFirst
      ? []
      : [
          compare(
            [...before, ...order.map((column, at): Pair => [value(column, at), after[at] as RawBuilder<unknown>])],
            isUp ? '>' : '<',
          ),
        ];
  const ofRow = (column: string, index: number) => sorted(column, keyOf(index));

  let rows = ((query as Partial<Compiled<Query>>).builder ?? query) as SelectQueryBuilder<never, never, object>;
  for (const condition of isSorted ? ranges : [...position((column) => sorted(column), equals), ...ranges])
    rows = rows.where(condition);
  rows = rows.select(order.map((column, index) => stored(column).as(`$key${index}`))) as never;
  let inner = rows.offset(sql<number>`0`);
  if (!isSorted) {
    for (const column of equal) rows = rows.orderBy(stored(column), direction);
    for (const column of order) rows = rows.orderBy(sorted(column), direction);
    inner = rows.limit(
      definition.most ? sql.raw<number>(`${definition.most}`) : (parameter('limit', 'bigint') as RawBuilder<number>),
    );
  }
  const { sql: text, parameters } = inner.compile();

  // The frame around the rows is text, as the builder has no subscripts.
  const outer: Bound[] = [];
  const inFrame = (part: RawBuilder<unknown>) => {
    const compiled: CompiledQuery = part.compile(db.builder);
    const count = parameters.length + outer.length;
    outer.push(...(compiled.parameters as Bound[]));
    return compiled.sql.replace(/\$(\d+)/g, (_, place) => `$${count + Number(place)}`);
  };
  const sortedRows = () => {
    const [condition] = position(ofRow, []);
    const by = order.map((column, index) => `${inFrame(ofRow(column, index))} ${direction}`).join(', ');
    const where = condition ? ` where ${inFrame(condition)}` : '';
    return `select * from (${text}) as row${where} order by ${by} limit ${inFrame(parameter('limit', 'bigint'))}`;
  };
  const texts = kinds.map(({ write = (value) => `${value}::text` }, index) => write(`row.${quoted(`$key${index}`)}`));
  const key = isSingle ? 'row."$key0"' : `json_build_array(${texts.join(', ')})::text`;
  const limit = inFrame(parameter('limit', 'bigint'));
  const limited = definition.most ? `select * from (${text}) as row limit ${limit}` : text;
  const from = isSorted ? sortedRows() : limited;
  // A page without items only tells whether another one follows. That one begins at the same place. The text of an array takes a sixth
  // longer than that of items.
  const last = `(array_agg(key))[${limit} - 1]`;
  const next = isSingle ? `coalesce(${last}, ${inFrame(after[0] as RawBuilder<unknown>)})` : last;
  const statement = named(
    operation,
    `select string_agg(item, ${pg.escapeLiteral(SEPARATOR)}) as items, case when count(*) >= ${limit} then ${next} end as next
    from (select ${json} as item, ${key} as key from (${from}) as row) as row`,
  );

  const by = filters.length > 0 ? ` by ${filters.map(({ column }) => column).join(' and ')}` : '';
  const owner = scope?.tenants[table];
  const fixed = owner === undefined ? equal : [owner, ...equal];
  const columns = [
    ...fixed.map((column) => ({ column, isBytewise: false })),
    ...(isSorted ? prefixes : order).map((column) => ({ column, isBytewise: isTextual(column) })),
  ];
  db.needs({
    table,
    columns,
    unique: { fixed, order },
    ascending: isSingle && isUp && !isOrdered(quoted(table)) ? order[0] : undefined,
    use: operation + by,
  });
  const all = [...parameters, ...outer];
  return {
    kinds,
    isSingle,
    statement,
    valuesOf(constants, values) {
      let place = 0;
      return all.map((each) => (each instanceof Bound ? values[each.name] : constants[place++]));
    },
  };
}

export interface PageResult {
  /** A JSON array. */
  body: string;
  /** The last item, if another page follows: its number, or the JSON of several texts. */
  next: string | number | null;
}

/** The page in the row of a keyset's statement. */
export function pageIn(row: Record<string, unknown> | undefined): PageResult {
  const { items, next } = row as { items: string | null; next: string | number | null };
  const end = next === null ? undefined : Math.max(0, items?.lastIndexOf(SEPARATOR) ?? 0);
  return { body: `[${items?.slice(0, end).replaceAll(SEPARATOR, ',') ?? ''}]`, next };
}
