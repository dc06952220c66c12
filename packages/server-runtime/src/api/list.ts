import { Batcher } from '../batcher.ts';
import type { RequestContext } from '../contract.ts';
import type { Index } from '../database/indexes.ts';
import type { RowJson } from '../database/row-json.ts';
import type { Handle } from '../database/statement.ts';
import { decodeCursor, encodeCursor, endOf, kindOf } from './cursor.ts';
import { type AnyPage, composePages, isText, type Settle } from './pages.ts';
import type { PageQuery, Place, ReadParts, Schema } from './storage.ts';

/** A list with keyset pagination. */
export interface List {
  from: string;
  order: string | readonly [string, string];
  direction?: 'asc' | 'desc';
  item: RowJson<unknown>;
  /** The column that each parameter filters by. */
  filters?: Record<string, string | false | { column: string; match: 'prefix' }>;
  cursor?: string;
}

interface Filter {
  field: string;
  place: Exclude<Place, 'body'>;
  column: string;
  isPrefix: boolean;
}

/** The most items in the result of a statement. At 1.6 kB each, they take 16 MB. */
const MAX_ROWS = 10_000;

/**
 * Defaults that give the time when the transaction began. The insertion then waits for its turn, so an ascending list may have passed this
 * time already.
 */
const EARLY = ['now()', 'transaction_timestamp()', 'statement_timestamp()', 'CURRENT_TIMESTAMP', 'CURRENT_DATE'];

const FIRST = Number.MIN_SAFE_INTEGER - 1;
const LAST = Number.MAX_SAFE_INTEGER;

/** The position before the first item, and the last position. */
const RANGE = { asc: [FIRST, LAST], desc: [LAST + 1, FIRST + 1] } as const;

/**
 * Creates the handler of a list: pages with a `Link` to the next one (RFC 8288). A cursor names the last item of the previous page, so no
 * page costs more than the first. Concurrent requests share statements, and equal requests share a page. Each is answered as soon as its
 * page arrives.
 */
export function list(operation: string, definition: List, schema: Schema) {
  const { from, item, direction = 'asc', cursor: name = operation } = definition;
  const order = [definition.order].flat();
  const filters = filtersOf(operation, definition, schema);
  schema.check(from, [...order, ...item.columns, ...filters.map(({ column }) => column)], item.times);
  for (const column of direction === 'asc' ? order : []) {
    const initial = EARLY.find((each) => schema.defaultOf(from, column)?.startsWith(`(${each})`));
    if (initial)
      throw new Error(`A list cannot ascend by ${column}, whose default is ${initial}: make it clock_timestamp()`);
  }
  const storage = schema.distributed.find(({ table }) => table === from);
  storage?.list({ order, direction, filters }, schema);
  const kinds = order.map((column) => kindOf(column, schema.typeOf(from, column)));
  const isSingle = kinds.length === 1;
  const [beginning, last] = RANGE[direction];
  const bind = (db: Handle) => {
    /** The batchers by the names of their filters. */
    const batchers = new Map<string, Batcher<PageQuery, AnyPage>>();
    const batcherOf = (given: Filter[], isFirst: boolean) => {
      const columnsOf = (isPrefix: boolean) =>
        given.filter((filter) => filter.isPrefix === isPrefix).map(({ column }) => column);
      const title = [operation, ...given.map(({ column }) => column), ...(isFirst ? ['first'] : [])].join('_');
      const columns = { equal: columnsOf(false), prefixes: columnsOf(true) };
      const walk = composePages(
        { from, item, name: title, order, isUp: direction === 'asc', isFirst, ...columns },
        schema,
      );
      const run = (queries: PageQuery[], settle: Settle) =>
        storage?.isActive(db)
          ? storage.pages(db, queries, walk as Parameters<ReadParts>[2])
          : walk(db, queries, settle);
      return new Batcher<PageQuery, AnyPage>(run, { max: MAX_ROWS, weigh: ({ limit }) => limit, kind: 'read' });
    };
    return (request: PageRequest, { path: template }: RequestContext) => {
      const { path, query } = request;
      const { limit, cursor } = query;
      const page: PageQuery = { after: beginning, last, limit };
      const isFirst = !isSingle && cursor === undefined;
      const texts = cursor === undefined ? [] : decodeCursor(name, cursor, kinds);
      for (const [index, text] of texts.entries())
        if (isSingle) page.after = Number(text);
        else page[`$after${index}`] = text;
      let combination = isFirst ? '$first' : '';
      let others: unknown;
      for (const { field, place, column, isPrefix } of filters) {
        const value = request[place]?.[field];
        if (value === undefined) continue;
        combination += `,${field}`;
        if (place === 'headers') others = [others, value];
        if (isPrefix) Object.assign(page, { [`$from_${column}`]: value, [`$to_${column}`]: endOf(`${value}`) });
        else page[column] = value;
      }
      const batcher =
        batchers.get(combination) ??
        batcherOf(
          filters.filter(({ field, place }) => request[place]?.[field] !== undefined),
          isFirst,
        );
      batchers.set(combination, batcher);
      return batcher.submit(page, JSON.stringify([path, query, others])).then((page) => {
        const { body, next } = page;
        if (next === null) return { status: 200, body };
        page.link ??= nextPageLink(template, request, encodeCursor(name, next));
        return { status: 200, headers: { Link: page.link }, body };
      });
    };
  };
  return Object.assign(bind, { indexes: indexesOf(operation, from, order, filters, schema) });
}

interface PageRequest {
  path?: Record<string, unknown>;
  query: { limit: number; cursor?: string | undefined; [parameter: string]: unknown };
  headers?: Record<string, unknown>;
}

/** @throws Error for two parameters of one column, and for a prefix of a column that is no text */
function filtersOf(operation: string, { from, filters = {} }: List, { placeOf, typeOf }: Schema): Filter[] {
  const taken = new Set(['after', 'last', 'limit', 'position']);
  return Object.entries(filters).flatMap(([field, filter]) => {
    if (!filter) return [];
    const { column, isPrefix } =
      typeof filter === 'string' ? { column: filter, isPrefix: false } : { column: filter.column, isPrefix: true };
    const name = isPrefix ? `${column} by prefix` : column;
    if (taken.has(name)) throw new Error(`Two filters of a list cannot go by ${name}: it is taken`);
    taken.add(name);
    const type = typeOf(from, column);
    if (isPrefix && !isText(type)) throw new Error(`No text begins with a prefix in ${column}: it is a ${type}`);
    return { field, column, isPrefix, place: placeOf(operation, field) as Filter['place'] };
  });
}

/**
 * The indexes of a list: one in its order, one for each filter, and one for each pair of filters, followed by the order. For more
 * filters, Postgres checks the rows that the index of a pair finds. A parameter of the path is always given, so every index has it.
 */
function indexesOf(operation: string, from: string, order: string[], filters: Filter[], { typeOf }: Schema): Index[] {
  const always = filters.filter(({ place }) => place === 'path');
  const others = filters.filter(({ place }) => place !== 'path');
  const pairs = others.flatMap((one, index) => others.slice(index + 1).map((other) => [one, other]));
  const combinations = [[], ...others.map((filter) => [filter]), ...(always.length > 0 ? [] : pairs)];
  const unique = {
    table: from,
    columns: order.map((column) => ({ column, isBytewise: false })),
    isUnique: true,
    use: operation,
  };
  const needed = combinations.map((some) => {
    const given = filters.filter((filter) => always.includes(filter) || some.includes(filter));
    const [prefix] = given.filter(({ isPrefix }) => isPrefix);
    const equal = given.filter(({ isPrefix }) => !isPrefix).map(({ column }) => column);
    const rest = prefix && prefix.column !== order[0] ? [prefix.column] : order;
    const sorted = rest.map((column) => ({ column, isBytewise: isText(typeOf(from, column)) }));
    const columns = [...equal.map((column) => ({ column, isBytewise: false })), ...sorted];
    const by = given.map(({ field }) => field).join(' and ');
    return { table: from, columns, use: by ? `${operation} by ${by}` : operation };
  });
  return [unique, ...needed];
}

/** The link to the same query with the next cursor; relative, so that it works behind proxies. */
function nextPageLink(template: string, request: { path?: object; query: object }, cursor: string): string {
  const params: Record<string, unknown> = { ...request.path };
  const path = template.replace(/\{([^{}]+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const given = Object.entries({ ...request.query, cursor }).filter(([, value]) => value !== undefined);
  return `<${path}?${new URLSearchParams(Object.fromEntries(given))}>; rel="next"`;
}
