import { sql } from 'kysely';
import { Batcher } from '../batcher.ts';
import type { RequestContext } from '../contract.ts';
import type { RowJson } from '../database/row-json.ts';
import { query, type ReadHandle } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import type { Page, PageQuery, Part, Schema } from './storage.ts';

/** A list whose pages follow each other by keyset. */
export interface List {
  from: string;
  order: string;
  direction?: 'asc' | 'desc';
  item: RowJson<unknown>;
  /** The columns of query and path parameters. */
  filters?: Record<string, string | false>;
  cursor?: string;
}

/** Gives the part of a query, by its index, before the others are read. */
type Settle = (index: number, part: Part) => void;

/** Items in the result of a statement, at most: of 1.6 kB each, they take 16 MB. */
const MAX_ROWS = 10_000;

const FIRST = Number.MIN_SAFE_INTEGER - 1;
const LAST = Number.MAX_SAFE_INTEGER;

/** Before the first page, and at the end. */
const RANGE = { asc: [FIRST, LAST], desc: [LAST + 1, FIRST + 1] } as const;

/**
 * The handler of a list: pages with a `Link` to the next one (RFC 8288). A cursor names the last item of the page before, so that
 * no page costs more than the first. Concurrent requests share statements, and equal ones their page; each is answered when its
 * page arrives, while Postgres reads the next.
 */
export function list(operation: string, definition: List, schema: Schema) {
  const { from, filters = {}, direction = 'asc', cursor: name = operation } = definition;
  const columns = Object.entries(filters).flatMap(([field, column]) => (column ? [{ field, column }] : []));
  const storage = schema.distributed.find(({ table }) => table === from);
  storage?.list({ order: definition.order, direction, filters: columns.map(({ column }) => column) }, schema);
  const [beginning, last] = RANGE[direction];
  return (db: ReadHandle) => {
    /** By the names of the filters. */
    const batchers = new Map<string, Batcher<PageQuery, Page>>();
    const batcherOf = (given: string[]) => {
      const walk = compose(operation, definition, given, schema);
      const run = (queries: PageQuery[], settle: Settle) =>
        storage?.isActive(db) ? storage.pages(db, queries, walk) : walk(db, queries, settle);
      return new Batcher(run, { max: MAX_ROWS, weigh: ({ limit }) => limit });
    };
    return (request: PageRequest, { path: template }: RequestContext) => {
      const { path, query } = request;
      const { limit, cursor } = query;
      const page: PageQuery = { after: cursor === undefined ? beginning : decodeCursor(name, cursor), last, limit };
      let combination = '';
      for (const { field, column } of columns) {
        const value = query[field] ?? path?.[field];
        if (value === undefined) continue;
        page[column] = value;
        combination += `${column},`;
      }
      const batcher = batchers.get(combination) ?? batcherOf(combination.split(',').slice(0, -1));
      batchers.set(combination, batcher);
      return batcher.submit(page, JSON.stringify([path, query])).then((page) => {
        const { body, next } = page;
        if (next === null) return { status: 200, body };
        page.link ??= nextPageLink(template, request, encodeCursor(name, next));
        return { status: 200, headers: { Link: page.link }, body };
      });
    };
  };
}

interface PageRequest {
  path?: Record<string, unknown>;
  query: { limit: number; cursor?: string | undefined; [parameter: string]: unknown };
}

/** Between the items of a statement's result: a character that no JSON text has (RFC 7464). */
const SEPARATOR = '\x1e';

/** One item more than the page holds is read, to know whether a next page follows. */
function compose(operation: string, list: List, given: string[], { typeOf }: Schema) {
  const { from, order, item, direction = 'asc' } = list;
  const [beyond, within] = direction === 'asc' ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`];
  const refs = (table: string) => sql.join([...given, order].map((column) => sql.ref(`${table}.${column}`)));
  const sorted = [...given, order].map((column) => sql`${sql.ref(`row.${column}`)} ${sql.raw(direction)}`);
  const types = given.map((column) => sql`${sql.ref(column)} ${sql.raw(typeOf(from, column))}, `);
  const bounds = given.map((column) => sql`and row.${sql.ref(column)} ${within} query.${sql.ref(column)}`);
  const end = sql`and row.${sql.ref(order)} ${within} query.last`;
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
          where (${refs('row')}) ${beyond} (${refs('query')}) ${sql.join(isShard ? [...bounds, end] : bounds, sql` `)}
          order by ${sql.join(sorted)} limit query.limit + 1
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
