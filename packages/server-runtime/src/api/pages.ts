import { type RawBuilder, sql } from 'kysely';
import type { RowJson } from '../database/row-json.ts';
import { type Handle, query } from '../database/statement.ts';
import { kindOf } from './cursor.ts';
import type { Page, PageQuery, Part, Schema } from './storage.ts';

/** A list with the same filters in all its pages. */
interface Walk {
  name: string;
  from: string;
  item: RowJson<unknown>;
  order: string[];
  isUp: boolean;
  /** The columns that equal a parameter. */
  equal: string[];
  /** The columns of text that begin with a parameter. */
  prefixes: string[];
  /** Whether these are first pages, which have no position to begin after. */
  isFirst: boolean;
}

/** A page, by its last item: its number, or the JSON of several texts. */
export type AnyPage = Omit<Page, 'next'> & { next: number | string | null };
type AnyPart = Omit<Part, 'next'> & AnyPage;

/** Gives the part of a query, by its index, before the others are read. */
export type Settle = (index: number, part: AnyPart) => void;

export const isText = (type: string) => type === 'text' || type === 'character varying';

/** Separates the items in the result of a statement. No JSON text has this character (RFC 7464). */
const SEPARATOR = '\x1e';

const AND = sql` and `;

interface Pair {
  row: RawBuilder<unknown>;
  query: RawBuilder<unknown>;
}

/** Compares columns of the index together, so that Postgres reads a range of it. */
const compare = (pairs: Pair[], how: string) =>
  sql`(${sql.join(pairs.map(({ row }) => row))}) ${sql.raw(how)} (${sql.join(pairs.map(({ query }) => query))})`;

/**
 * Composes the statement that reads pages. It is SQL, because the builder has no `rows from`. It reads one item more than a page holds, to
 * know whether a next page follows.
 */
export function composePages({ name, from, item, order, isUp, equal, prefixes, isFirst }: Walk, { typeOf }: Schema) {
  const isSingle = order.length === 1;
  const stored = (column: string) => sql.ref(`row.${column}`);
  const given = (name: string) => sql.ref(`query.${name}`);
  const sorted = (column: string) =>
    isText(typeOf(from, column)) ? sql`${stored(column)} collate "C"` : stored(column);
  const orders = order.map((column, index) => {
    const type = typeOf(from, column);
    const { as = type, read, write = (column) => sql`${column}::text` } = kindOf(column, type);
    const after = isSingle ? 'after' : `$after${index}`;
    const query = read?.(given(after)) ?? given(after);
    return { after, type: isSingle ? 'bigint' : as, row: sorted(column), query, text: write(stored(column)) };
  });
  const types: [name: string, type: string][] = [
    ...equal.map((column): [string, string] => [column, typeOf(from, column)]),
    ...prefixes.flatMap((column): [string, string][] => [
      [`$from_${column}`, 'text'],
      [`$to_${column}`, 'text'],
    ]),
    ...(isFirst ? [] : orders.map(({ after, type }): [string, string] => [after, type])),
    ['last', 'bigint'],
    ['limit', 'integer'],
  ];
  const record = sql.join(types.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`));
  const names = sql.join([...types.map(([name]) => name), 'position'].map(sql.ref));

  const equals = equal.map((column): Pair => ({ row: stored(column), query: given(column) }));
  const between = (column: string) => {
    const bound = (name: string) => [...equals, { row: sorted(column), query: given(name) }];
    return [compare(bound(`$from_${column}`), '>='), compare(bound(`$to_${column}`), '<')];
  };
  // The rows of a prefix are sorted for each page, unless the order begins with it. Without `offset`, Postgres might scan past all other
  // rows in the order instead.
  const isSorted = prefixes.length > 0 && prefixes[0] !== order[0];
  const walked = isSorted ? orders : [...equals, ...orders];
  const ranges = prefixes.flatMap(between);
  const [beyond, within, before] = isUp ? ['>', '<=', '>='] : ['<', '>=', '<='];
  // A range is compared instead of `status = … and id > …`: with skewed statistics, Postgres would scan the primary key past all rows of
  // another status.
  if (prefixes.length === 0 && equal.length > 0)
    // The columns are compared twice: Postgres expects so few rows of one column between two values that it would sort them.
    ranges.push(compare(equals, within), ...(isFirst ? [compare([...equals, ...equals], before)] : []));
  const conditions = [...(isFirst ? [] : [compare(walked, beyond)]), ...(isSorted ? [] : ranges)];
  const direction = sql.raw(isUp ? 'asc' : 'desc');

  const select = query<
    { queries: string },
    Pick<AnyPart, 'count' | 'next'> & { position: number; items: string | null }
  >(name, (value, table, isShard) => {
    const source = isSorted
      ? sql`(select * from ${table(from)} as row where ${sql.join(ranges, AND)} offset 0)`
      : table(from);
    const all = isShard
      ? [
          ...conditions,
          compare(
            orders.map(({ row }) => ({ row, query: given('last') })),
            within,
          ),
        ]
      : conditions;
    return sql`
      select position, items, least(query.limit, coalesce(cardinality(keys), 0)) as count,
        -- A page without items only tells whether another one follows. That one begins at the same place.
        case when keys[query.limit + 1] is not null then ${isSingle ? sql`coalesce(keys[query.limit], query.after)` : sql`keys[query.limit]`} end as next
      from rows from (json_to_recordset(${value('queries')}::json) as (${record})) with ordinality as query (${names}),
      lateral (
        -- The text of an array takes a sixth longer.
        select string_agg(item, ${sql.lit(SEPARATOR)}) as items, array_agg(key) as keys from (
          select ${item('row')} as item,
            ${isSingle ? stored(order[0] as string) : sql`json_build_array(${sql.join(orders.map(({ text }) => text))})::text`} as key
          from ${source} as row ${all.length > 0 ? sql`where ${sql.join(all, AND)}` : sql``}
          order by ${sql.join(walked.map(({ row }) => sql`${row} ${direction}`))} limit query.limit + 1
        ) as row
      ) as page`;
  });
  return async (on: Handle, queries: PageQuery[], settle?: Settle): Promise<AnyPart[]> => {
    const parts: AnyPart[] = [];
    await select(on, { queries: JSON.stringify(queries) }, ({ position, items, count, next }) => {
      const end = next === null ? undefined : Math.max(0, items?.lastIndexOf(SEPARATOR) ?? 0);
      const part = { body: `[${items?.slice(0, end).replaceAll(SEPARATOR, ',') ?? ''}]`, count, next };
      parts[position - 1] = part;
      settle?.(position - 1, part);
    });
    return parts;
  };
}
