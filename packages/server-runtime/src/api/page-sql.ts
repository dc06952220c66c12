import { AliasNode, type CompiledQuery, type SelectQueryNode, TableNode } from 'kysely';
import pg from 'pg';
import { Batcher } from '../batcher.ts';
import { describe } from '../database/describe.ts';
import { quoted } from '../database/nodes.ts';
import { ownedIn } from '../database/scope.ts';
import type { Handle } from '../database/statement.ts';
import { OWNER, withoutOwner } from '../database/tenants.ts';
import { sourceOf, textNode } from '../database/tree.ts';
import { type Kind, kindOf } from './cursor.ts';
import {
  afterNullablePosition,
  afterPosition,
  equalRange,
  given,
  namesIn,
  type Pair,
  prefixRange,
  type Range,
  withinRange,
} from './page-range.ts';
import { OWNERS, type Settle, STALLED_AFTER, sharedRead, type Typed, type Values } from './shared.ts';
import type { Schema } from './storage.ts';

/** A page as a JSON array, and its last item, if another one follows: its number, or the JSON of several texts. */
interface AnyPage {
  body: string;
  next: number | string | null;
}
export type Item = Values & { after: number; limit: number };

/** The most items in the result of a statement. At 1.6 kB each, they take 16 MB. */
const MAX_ROWS = 10_000;

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
export interface KeysetQuery {
  kinds: Kind[];
  isSingle: boolean;
  read(item: Item): Promise<AnyPage>;
}

interface Definition {
  operation: string;
  json: string;
  query: CompiledQuery;
  order: string[];
  direction: 'asc' | 'desc';
  filters: Filter[];
  /** Whether these are first pages, which have no position to begin after. */
  isFirst: boolean;
}

/** The columns of a table that may be null. */
async function nullableIn({ db }: Handle, table: string, columns: string[]): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = to_regclass($1) and attname = any($2) and not attnotnull`,
    [quoted(table), columns],
  );
  return rows.map(({ name }) => name);
}

/** How pages are sorted: the kinds of the columns in a cursor, and each column beside its value in a position. */
async function sortOf(
  db: Handle,
  table: string,
  order: string[],
  { typeOf }: Pick<Schema, 'typeOf'>,
  sorted: (column: string) => string,
) {
  const types = order.map((column) => typeOf(table, column));
  const nullable = await nullableIn(db, table, order);
  const kinds = order.map((column, index) => ({
    ...kindOf(types[index] as string),
    isNullable: nullable.includes(column),
  }));
  const isSingle = order.length === 1 && isInteger(types[0] as string) && nullable.length === 0;
  const orders = order.map((column, index) => {
    const { as = types[index] as string, read, write = (value) => `${value}::text` } = kinds[index] as Kind;
    const after = isSingle ? 'after' : `$after${index}`;
    const pair: Pair = [sorted(column), read?.(given(after)) ?? given(after)];
    return { after, type: isSingle ? 'bigint' : as, pair, text: write(`row.${quoted(`$key${index}`)}`) };
  });
  return { kinds, isSingle, isNullable: nullable.length > 0, orders };
}

/** Composes the statement that reads pages. It reads one item more than a page holds, to know whether a next page follows. */
export async function keysetQuery(
  definition: Definition,
  schema: Schema,
  db: Handle,
  onStart = () => {},
): Promise<KeysetQuery> {
  const { operation, json, query, order, direction, filters } = definition;
  const { sql: text } = query;
  const node = query.query as SelectQueryNode;
  const { typeOf } = schema;
  const source = sourceOf(node);
  if (!source || node.orderBy || node.limit || node.offset || node.endModifiers?.length)
    throw new Error(`${operation}: a page selects from a table, and leaves order and limit to the page`);
  const { table, alias } = source;
  const isUp = direction === 'asc';
  const isTextual = (column: string) => isText(typeOf(table, column));
  const { stored, sorted } = namesIn(alias, isTextual);
  const { kinds, isSingle, isNullable, orders } = await sortOf(db, table, order, schema, sorted);
  const isFirst = definition.isFirst && !isSingle;
  const equal = filters.filter(({ isPrefix }) => !isPrefix).map(({ column }) => column);
  const prefixes = filters.filter(({ isPrefix }) => isPrefix).map(({ column }) => column);
  const other = prefixes.find((column) => !isTextual(column));
  if (other) throw new Error(`No text begins with a prefix in ${other}: it is a ${typeOf(table, other)}`);
  const { types: own, isShareable } = await describe(db, text);
  const columns: Typed[] = [
    ...(query.parameters.includes(OWNER) ? [OWNERS] : []),
    ...withoutOwner(query, own).map((type, index): Typed => [`$${index + 1}`, type]),
    ...equal.map((column): Typed => [`=${column}`, typeOf(table, column)]),
    ...prefixes.flatMap((column): Typed[] => [
      [`>=${column}`, 'text'],
      [`<${column}`, 'text'],
    ]),
    ...(isFirst ? [] : orders.map(({ after, type }): Typed => [after, type])),
    ['limit', 'integer'],
  ];
  // The rows of an owner are a range, as those with a value of a column are.
  const [first] = node.from?.froms ?? [];
  const owner = first && AliasNode.is(first) ? ownedIn(first.node)?.column : undefined;
  const fixed = [...(owner === undefined ? [] : [owner]), ...equal];
  const range: Range = {
    equals: [
      ...(owner === undefined ? [] : [[stored(owner), given('$owner')] as Pair]),
      ...equal.map((column): Pair => [stored(column), given(`=${column}`)]),
    ],
    positions: orders.map(({ pair }) => pair),
    isUp,
  };
  // The rows of a prefix are sorted for each page, unless the order begins with it. Without `offset`, Postgres might scan past all other
  // rows in the order instead.
  const isSorted = prefixes.length > 0 && prefixes[0] !== order[0];
  const ranges = prefixes.flatMap((column) => prefixRange(range, sorted(column), column));
  if (prefixes.length === 0 && fixed.length > 0) ranges.push(...equalRange(range, isFirst));
  const position = isNullable ? afterNullablePosition(range) : afterPosition(range, isSorted);
  const conditions = [...(isFirst ? [] : [position]), ...(isSorted ? [] : ranges)];

  /** The columns by which pages are sorted, selected beside those of the author. */
  const sortedBy = [
    ...(isSorted ? [] : fixed.map((column, index) => ({ name: `$equal${index}`, column, by: `row."$equal${index}"` }))),
    ...order.map((column, index) => ({ name: `$key${index}`, column, by: sorted(column, `row."$key${index}"`) })),
  ];
  /** The author's query in the range of a page. */
  const rows = isSorted
    ? textNode(`(select * from ${quoted(table)} as ${quoted(alias)} where ${ranges.join(' and ')} offset 0)`)
    : TableNode.create(table);
  const keys = sortedBy.map(({ name, column }) => ({ name, value: stored(column) }));
  const inRange = withinRange(node, alias, rows, conditions, keys);
  const key = isSingle ? 'row."$key0"' : `json_build_array(${orders.map(({ text }) => text).join(', ')})::text`;
  const title = [operation, ...equal, ...prefixes, ...(isFirst ? ['first'] : [])].join('_');
  const end = isSingle ? 'coalesce(keys["$query".limit], "$query".after)' : 'keys["$query".limit]';
  const read = sharedRead<Pick<AnyPage, 'next'> & { items: string | null }, AnyPage>(
    title,
    columns,
    // A page without items only tells whether another one follows. That one begins at the same place. The text of an array takes a sixth
    // longer than that of items.
    `
      select items,
        case when keys["$query".limit + 1] is not null then ${end} end as next
      from (
        select string_agg(item, ${pg.escapeLiteral(SEPARATOR)}) as items, array_agg(key) as keys from (
          select ${json} as item, ${key} as key from (${inRange}) as row
          order by ${sortedBy.map(({ by }) => `${by} ${direction}`).join(', ')}
          limit "$query".limit + 1
        ) as row
      ) as page`,
    ({ items, next }) => {
      const end = next === null ? undefined : Math.max(0, items?.lastIndexOf(SEPARATOR) ?? 0);
      return { body: `[${items?.slice(0, end).replaceAll(SEPARATOR, ',') ?? ''}]`, next };
    },
  );
  const run = (queries: Item[], settle?: Settle<AnyPage>) => {
    onStart();
    return read(db, queries, settle) as Promise<AnyPage[]>;
  };
  const bytewise = (column: string) => ({ column, isBytewise: isTextual(column) });
  const others = isSorted ? prefixes : order;
  const indexed = [...fixed.map((column) => ({ column, isBytewise: false })), ...others.map(bytewise)];
  const by = filters.length > 0 ? ` by ${filters.map(({ column }) => column).join(' and ')}` : '';
  db.needs({ table, columns: indexed, unique: { fixed, order }, use: operation + by });
  const batcher = new Batcher<Item, AnyPage>(run, {
    max: MAX_ROWS,
    weigh: ({ limit }) => limit,
    stalledAfter: STALLED_AFTER,
    kind: 'read',
  });
  const alone = async (item: Item) => (await run([item]))[0] as AnyPage;
  return { kinds, isSingle, read: isShareable ? (item) => batcher.submit(item) : alone };
}
