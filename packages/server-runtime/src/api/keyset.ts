/** The statement of a page: the author's query, with a keyset condition, an order and a limit that Kysely's builder adds. */
import { type RawBuilder, type SelectQueryBuilder, type SelectQueryNode, sql } from 'kysely';
import { type Compiled, Placeholder, type Query } from '../database/compiled.ts';
import { builder } from '../database/kysely.ts';
import { quoted, sourceOf } from '../database/nodes.ts';
import { type Named, named, type RequestDb } from '../database/statement.ts';
import { kindOf } from './cursor.ts';
import type { OperationParts } from './operation-parts.ts';

/** Separates the items in the result of a statement. No JSON text has this character (RFC 7464). */
const SEPARATOR = '\x1e';

export interface Filter {
  column: string;
  isPrefix: boolean;
  value: unknown;
}

/** The pages of one text: its query, order and filters. */
export interface Keyset {
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

/** SQL takes these names without a length for one character or bit, and the others for any number. */
const withAnyLength = (type: string) => type.replace(/^character(?=$|\[)/, 'bpchar').replace(/^bit(?=$|\[)/, '"bit"');

const parameter = (name: string, type: string): RawBuilder<unknown> =>
  sql`${new Bound(name)}::${sql.raw(withAnyLength(type))}`;

const LIMIT = parameter('limit', 'bigint') as RawBuilder<number>;

/** A column of a row, and what it is compared with. */
type Pair = readonly [row: RawBuilder<unknown>, value: RawBuilder<unknown>];

/** Compares columns of the index together, so that Postgres reads a range of it. */
const compare = (pairs: readonly Pair[], how: string) =>
  sql<boolean>`(${sql.join(pairs.map(([row]) => row))}) ${sql.raw(how)} (${sql.join(pairs.map(([, value]) => value))})`;

/**
 * The rows with one value of each column. A range is compared instead of `status = … and id > …`: with skewed statistics, Postgres would
 * scan the primary key past all rows of another status.
 *
 * @param hasNoPosition - whether no position begins the range. The columns are then compared twice: Postgres expects so few rows of one
 *   column between two values that it would sort them
 */
const equalRange = (equals: readonly Pair[], isUp: boolean, hasNoPosition: boolean) => [
  compare(equals, isUp ? '<=' : '>='),
  ...(hasNoPosition ? [compare([...equals, ...equals], isUp ? '>=' : '<=')] : []),
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

/** The table of a page's query, and its columns. */
function sourceIn({ operation, query }: Definition, parts: OperationParts) {
  const node = query.toOperationNode() as SelectQueryNode;
  const source = sourceOf(node);
  if (!source || node.orderBy || node.limit || node.offset || node.endModifiers?.length)
    throw new Error(`${operation}: a page selects from a table, and leaves order and limit to the page`);
  const { table, alias } = source;
  const typeOf = (column: string) => parts.typeOf(table, column);
  const isTextual = (column: string) => ['text', 'character varying'].includes(typeOf(column));
  const stored = (column: string) => sql.ref(`${alias}.${column}`);
  /** A column as it is sorted: texts by code points. */
  const sorted = (column: string, value: RawBuilder<unknown> = stored(column)) =>
    isTextual(column) ? sql`${value} collate "C"` : value;
  return { table, typeOf, isTextual, stored, sorted };
}
type Source = ReturnType<typeof sourceIn>;

/** The order of pages, and the position after which one begins. */
function sortingOf({ order, direction, isFirst }: Definition, { typeOf }: Source) {
  const types = order.map(typeOf);
  const kinds = types.map(kindOf);
  const isSingle = order.length === 1 && ['smallint', 'integer', 'bigint'].includes(types[0] as string);
  const hasNoPosition = isFirst && !isSingle;
  const position = kinds.map(({ as, read }, index) => {
    const value = parameter(`after${index}`, isSingle ? 'bigint' : (as ?? (types[index] as string)));
    return read?.(value) ?? value;
  });
  /** The condition of the rows after it, by their columns as they are sorted, behind those that are equal. */
  const after = (columns: RawBuilder<unknown>[], equals: readonly Pair[] = []) => {
    const pairs = columns.map((column, index): Pair => [column, position[index] as RawBuilder<unknown>]);
    return hasNoPosition ? [] : [compare([...equals, ...pairs], direction === 'asc' ? '>' : '<')];
  };
  return { kinds, isSingle, hasNoPosition, position, after };
}
type Sorting = ReturnType<typeof sortingOf>;

function filtersIn({ filters, order, direction }: Definition, source: Source, hasNoPosition: boolean) {
  const { typeOf, isTextual, stored, sorted } = source;
  const columnsOf = (isPrefix: boolean) =>
    filters.filter((one) => one.isPrefix === isPrefix).map(({ column }) => column);
  const [equal, prefixes] = [columnsOf(false), columnsOf(true)];
  const other = prefixes.find((column) => !isTextual(column));
  if (other) throw new Error(`\`startsWith\` needs a text column; ${other} is a ${typeOf(other)}`);
  const equals = equal.map((column): Pair => [stored(column), parameter(`=${column}`, typeOf(column))]);
  const bound = (column: string, how: string) =>
    compare([...equals, [sorted(column), parameter(how + column, 'text')]], how);
  const ranges = prefixes.flatMap((column) => [bound(column, '>='), bound(column, '<')]);
  if (prefixes.length === 0 && equal.length > 0) ranges.push(...equalRange(equals, direction === 'asc', hasNoPosition));
  // The rows of a prefix are sorted for each page, unless the order begins with it.
  return { equal, prefixes, equals, ranges, isSorted: prefixes.length > 0 && prefixes[0] !== order[0] };
}
type Filters = ReturnType<typeof filtersIn>;

type Rows = SelectQueryBuilder<never, never, object>;

/** The rows of a page in their order, with the columns of its cursor. */
function rowsOf(definition: Definition, { stored, sorted }: Source, { after }: Sorting, filters: Filters): Rows {
  const { query, order, direction, most } = definition;
  const author = ((query as Partial<Compiled<Query>>).builder ?? query) as Rows;
  const all = author.select(order.map((column, index) => stored(column).as(`$key${index}`))) as Rows;
  const matching = (rows: Rows, conditions: RawBuilder<boolean>[]) =>
    conditions.reduce((some, condition) => some.where(condition), rows);
  const inOrder = (rows: Rows, columns: RawBuilder<unknown>[]) =>
    columns.reduce((some, column) => some.orderBy(column, direction), rows);
  const from = (rows: Rows) => builder.selectFrom(rows.as('row') as never).selectAll() as unknown as Rows;
  if (filters.isSorted) {
    // Without `offset`, Postgres might scan past all other rows in the order instead.
    const rows = from(matching(all, filters.ranges).offset(sql<number>`0`));
    const columns = order.map((column, index) => sorted(column, sql.ref(`row.$key${index}`)));
    return inOrder(matching(rows, after(columns)), columns).limit(LIMIT);
  }
  const columns = order.map((column) => sorted(column));
  const rows = matching(all, [...after(columns, filters.equals), ...filters.ranges]);
  const sortedRows = inOrder(rows, [...filters.equals.map(([column]) => column), ...columns]);
  return most ? from(sortedRows.limit(sql.raw<number>(`${most}`))).limit(LIMIT) : sortedRows.limit(LIMIT);
}

/** Composes the statement that reads pages. It reads one item more than a page holds, to know whether a next page follows. */
export async function keysetOf(definition: Definition, parts: OperationParts, db: RequestDb): Promise<Keyset> {
  const { operation, json, order } = definition;
  const source = sourceIn(definition, parts);
  const { table, isTextual } = source;
  await refuseNullable(db, definition, table);
  const sorting = sortingOf(definition, source);
  const { kinds, isSingle, position } = sorting;
  const filters = filtersIn(definition, source, sorting.hasNoPosition);
  const { equal, prefixes, isSorted } = filters;
  const texts = kinds.map(({ write = (value) => `${value}::text` }, index) => write(`row.${quoted(`$key${index}`)}`));
  const key = isSingle ? 'row."$key0"' : `json_build_array(${texts.join(', ')})::text`;
  // A page without items only tells whether another one follows. That one begins at the same place. The text of an array takes a sixth
  // longer than that of items.
  const last = sql`(array_agg(key))[${LIMIT} - 1]`;
  const next = isSingle ? sql`coalesce(${last}, ${position[0]})` : last;
  const page = sql`select string_agg(item, ${sql.lit(SEPARATOR)}) as items, case when count(*) >= ${LIMIT} then ${next} end as next
    from (select ${sql.raw(json)} as item, ${sql.raw(key)} as key from ${rowsOf(definition, source, sorting, filters)} as row) as row`;
  const { sql: text, parameters } = page.compile(builder);

  const by = definition.filters.map(({ column }) => column).join(' and ');
  const owner = parts.scope?.tenants[table];
  const fixed = owner === undefined ? equal : [owner, ...equal];
  const columns = [
    ...fixed.map((column) => ({ column, isBytewise: false })),
    ...(isSorted ? prefixes : order).map((column) => ({ column, isBytewise: isTextual(column) })),
  ];
  db.needs({
    table,
    columns,
    unique: { fixed, order },
    ascending: isSingle && definition.direction === 'asc' && !parts.isOrdered(quoted(table)) ? order[0] : undefined,
    use: by ? `${operation} by ${by}` : operation,
  });
  return {
    isSingle,
    statement: named(operation, text),
    valuesOf(constants, values) {
      let place = 0;
      return parameters.map((each) => (each instanceof Bound ? values[each.name] : constants[place++]));
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
