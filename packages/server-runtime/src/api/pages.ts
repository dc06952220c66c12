import { sql } from 'kysely';
import { Batcher } from '../batcher.ts';
import type { RequestContext } from '../contract.ts';
import type { RowJson } from '../database/row-json.ts';
import { query, type ReadHandle } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import type { HandlerResult } from './resources.ts';

/** A list whose pages follow each other by keyset. */
export interface List<
  Request,
  Item,
  Filter extends string,
  Table extends string = string,
  Column extends string = string,
> {
  from: Table;
  /** The column of the ascending order: a bigint, unique. */
  order: Column;
  item: RowJson<Item>;
  /** Columns by which requests filter. Each combination needs an index on them and `order`, in their order. */
  filters?: Record<Filter, 'bigint' | 'text'>;
  /** The values of these columns for a request. Undefined: any value. */
  where?(request: Request): Record<Filter, number | string | undefined>;
  /** Names the list in its cursors. Default: the operationId. */
  cursor?: string;
  /** Composes pages while the table is distributed. */
  onDistributed?: ReadParts;
}

/** With the values of the given filters. */
export interface PageQuery extends Record<string, unknown> {
  /** The value of `order` before the first item. */
  after: number;
  /** The highest value of `order`, in a shard. */
  last: number;
  /** Items at most. */
  limit: number;
}

export interface Page {
  /** A JSON array. */
  body: string;
  /** The value of `order` in the last item; null when no page follows. */
  next: number | null;
  /** The link to the next page, written by the first request that needs it. */
  link?: string;
}

/** A page, or what a shard has of it. */
export interface Part extends Page {
  /** Items. */
  count: number;
}

/** Gives the part of a query, by its index, before the others are read. */
type Settle = (index: number, part: Part) => void;

/** Composes the pages of queries. @param walk - reads them from one table */
export type ReadParts = (
  db: ReadHandle,
  queries: PageQuery[],
  walk: (shard: ReadHandle, queries: PageQuery[]) => Promise<Part[]>,
) => Promise<Page[]>;

interface Request {
  path?: object;
  query: { limit: number; cursor?: string | undefined };
}

/** Items in the result of a statement, at most: of 1.6 kB each, they take 16 MB. */
const MAX_ROWS = 10_000;

/** Before the first page. */
const BEGINNING = Number.MIN_SAFE_INTEGER - 1;
const END = Number.MAX_SAFE_INTEGER;

/**
 * The handler of a list: pages with a `Link` to the next one (RFC 8288). A cursor names the last item of the page before, so that
 * no page costs more than the first. Concurrent requests share statements, and equal ones their page; each is answered when its
 * page arrives, while Postgres reads the next.
 */
export function makeList(operation: string, definition: List<Request, unknown, string>) {
  const { where, cursor: name = operation, onDistributed } = definition;
  return (db: ReadHandle) => {
    /** By the names of the filters. */
    const batchers = new Map<string, Batcher<PageQuery, Page>>();
    const batcherOf = (filters: string[]) => {
      const walk = compose(operation, definition, filters);
      const run = (queries: PageQuery[], settle: Settle) =>
        db.isDistributed && onDistributed ? onDistributed(db, queries, walk) : walk(db, queries, settle);
      return new Batcher(run, { max: MAX_ROWS, weigh: ({ limit }) => limit });
    };
    return (request: Request, { path }: RequestContext): Promise<HandlerResult> => {
      const { limit, cursor } = request.query;
      const { path: params, query } = request;
      const filters = Object.entries(where?.(request) ?? {}).filter(([, value]) => value !== undefined);
      const names = filters.map(([column]) => column);
      const combination = names.join();
      const batcher = batchers.get(combination) ?? batcherOf(names);
      batchers.set(combination, batcher);
      const after = cursor === undefined ? BEGINNING : decodeCursor(name, cursor);
      const page = { ...Object.fromEntries(filters), after, last: END, limit };
      return batcher.submit(page, JSON.stringify([params, query])).then((page) => {
        const { body } = page;
        if (page.next === null) return { status: 200, body };
        page.link ??= nextPageLink(path, request, encodeCursor(name, page.next));
        return { status: 200, headers: { Link: page.link }, body };
      });
    };
  };
}

/** Between the items of a statement's result: a character that no JSON text has (RFC 7464). */
const SEPARATOR = '\x1e';

/** One item more than the page holds is read, to know whether a next page follows. */
function compose(operation: string, { from, filters, order, item }: List<Request, unknown, string>, given: string[]) {
  const refs = (table: string) => sql.join([...given, order].map((column) => sql.ref(`${table}.${column}`)));
  const types = given.map((column) => sql`${sql.ref(column)} ${sql.raw(filters?.[column] ?? '')}, `);
  const bounds = given.map((column) => sql`and row.${sql.ref(column)} <= query.${sql.ref(column)}`);
  const end = sql`and row.${sql.ref(order)} <= query.last`;
  const names = sql.join([...given, order, 'last', 'limit'].map(sql.ref));
  const select = query<{ queries: string }, Pick<Part, 'count' | 'next'> & { position: number; items: string | null }>(
    [operation, ...given].join('_'),
    (value, table, isShard) => sql`
      select position, items, least(query.limit, coalesce(cardinality(keys), 0)) as count,
        -- Of a page without items, which only tells whether another one follows: its own beginning.
        case when keys[query.limit + 1] is not null then coalesce(keys[query.limit], query.${sql.ref(order)}) end as next
      from rows from (json_to_recordset(${value('queries')}::json) as (${sql.join(types, sql``)}after bigint, last bigint, "limit" integer))
        with ordinality as query (${names}, position),
      lateral (
        -- The text of an array takes a sixth longer.
        select string_agg(item, ${sql.lit(SEPARATOR)}) as items, array_agg(key) as keys from (
          -- A range on all columns of the index instead of status = … and id > …: with skewed statistics, Postgres would walk
          -- the primary key past all rows of another status.
          select ${item('row')} as item, row.${sql.ref(order)} as key from ${table(from)} as row
          where (${refs('row')}) > (${refs('query')}) ${sql.join(isShard ? [...bounds, end] : bounds, sql` `)}
          order by ${refs('row')} limit query.limit + 1
        ) as row
      ) as page`,
  );
  return async (on: ReadHandle, queries: PageQuery[], settle?: Settle): Promise<Part[]> => {
    const parts: Part[] = [];
    await select(on, { queries: JSON.stringify(queries) }, ({ position, items, count, next }) => {
      const end = next === null ? undefined : Math.max(0, items?.lastIndexOf(SEPARATOR) ?? 0);
      const part = { body: `[${items?.slice(0, end).replaceAll(SEPARATOR, ',') ?? ''}]`, count, next };
      parts[position - 1] = part;
      settle?.(position - 1, part);
    });
    return parts;
  };
}

/**
 * A cursor of a list, to be opaque in base64url (RFC 4648 section 5). The name has it refused by other lists, the `.` makes a
 * truncated one invalid.
 */
export function encodeCursor(list: string, after: number): string {
  return Buffer.from(`${list}:${after}.`).toString('base64url');
}

/** @throws ApiError 400 for anything that {@link encodeCursor} did not write for this list */
export function decodeCursor(list: string, cursor: string): number {
  const after = Number(/:(-?\d+)\.$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]);
  if (Number.isSafeInteger(after) && encodeCursor(list, after) === cursor) return after;
  throw new ApiError(400, 'query parameter cursor is not a cursor of this list');
}

/** The link to the same query with the next cursor; relative, so that it works behind proxies. */
function nextPageLink(template: string, request: { path?: object; query: object }, cursor: string): string {
  const params: Record<string, unknown> = { ...request.path };
  const path = template.replace(/\{([^{}]+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const given = Object.entries({ ...request.query, cursor }).filter(([, value]) => value !== undefined);
  return `<${path}?${new URLSearchParams(Object.fromEntries(given))}>; rel="next"`;
}
