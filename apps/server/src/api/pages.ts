import { type RawBuilder, sql } from 'kysely';
import { Batcher } from '../batcher.ts';
import type { RowJson } from '../database/row-json.ts';
import { query, type ReadHandle } from '../database/statement.ts';
import type { Handlers } from '../generated/operations.ts';
import { ApiError } from '../http/errors.ts';
import type { JsonText } from '../json-text.ts';
import type { RequestContext } from './plugin.ts';

type All = Handlers<RequestContext>;
type RequestOf<Id extends keyof All> = Parameters<All[Id]>[0];

/** The operations with the query parameters `limit`, which has a default, and `cursor`. */
type PagedOperation = {
  [Id in keyof All]: RequestOf<Id> extends { query: { limit: number; cursor?: string | undefined } } ? Id : never;
}[keyof All];

type ItemOf<Id extends PagedOperation> = Extract<
  Awaited<ReturnType<All[Id]>>,
  { body: unknown }
>['body'] extends infer Body
  ? Body extends (infer Item)[]
    ? Item
    : never
  : never;

type ColumnType = 'bigint' | 'text';

type Value = number | string;

/** A list whose pages follow each other by keyset. */
export interface List<Request, Item, Filter extends string> {
  /** The table. */
  from: string;
  /** Columns by which a request can filter. Each combination needs an index that begins with them and ends with `order`. */
  filters?: Record<Filter, ColumnType>;
  /** The values of these columns for a request; undefined: any value. */
  where?(request: Request): Record<Filter, Value | undefined>;
  /** The columns of the ascending order, which are not null and together unique, as in `{ id: 'bigint' }`. */
  order: Record<string, ColumnType>;
  item: RowJson<Item>;
  /** Names the list in its cursors. Default: the operationId. */
  cursor?: string;
  /** Replaces the statements while tables are distributed. */
  onCitus?(db: ReadHandle, queries: PageQuery[]): Promise<Page[]>;
}

export interface PageQuery {
  /** By column: the filters, and the row after which the page begins. */
  values: Record<string, Value>;
  /** Items at most. */
  limit: number;
  /** Both, as JSON. */
  text: string;
  walk: Walk;
}

export interface Page {
  /** A JSON array. */
  body: string;
  /** The values of `order` in the last item, as JSON without brackets; null when no page follows. */
  next: string | null;
  /** The link to the next page, written by the first request that needs it. */
  link?: string;
}

type Walk = ReturnType<typeof compose>;

/** Items in the result of a statement, at most: of 1.6 kB each, they take 16 MB. */
const MAX_ROWS = 10_000;

/** Less than any value: before the first page. */
const BEGINNING = { bigint: Number.MIN_SAFE_INTEGER - 1, text: '' };

/**
 * The handler of a list: pages with a `Link` to the next one (RFC 8288). A cursor is the last row of the page before, so that no
 * page costs more than the first. Concurrent requests share statements, and equal ones their page.
 *
 * @param operation - has the query parameters `limit` and `cursor`
 */
export function list<const Id extends PagedOperation, Filter extends string = never>(
  operation: Id,
  definition: List<RequestOf<Id>, ItemOf<Id>, Filter>,
): (db: ReadHandle) => All[Id] {
  const { where, order, cursor: name = operation, onCitus } = definition;
  const walks = new Map<string, Walk>();
  const walkBy = (filters: string[]): Walk => {
    const walk = walks.get(filters.join()) ?? compose(operation, definition, filters);
    walks.set(filters.join(), walk);
    return walk;
  };
  const first = Object.fromEntries(Object.entries(order).map(([column, type]) => [column, BEGINNING[type]]));

  const select = async (db: ReadHandle, queries: PageQuery[]): Promise<Page[]> => {
    if (db.shards && onCitus) return onCitus(db, queries);
    const groups = [...Map.groupBy(queries, ({ walk }) => walk)];
    const results = groups.map(async ([walk, group]) => {
      const pages = await walk(db, { queries: `[${group.map(({ text }) => text)}]` });
      return [walk, pages] as const;
    });
    const pages = new Map(await Promise.all(results));
    return queries.map(({ walk }) => pages.get(walk)?.shift() as Page);
  };

  return (db) => {
    const pages = new Batcher(
      (queries: PageQuery[]) => select(db, queries),
      MAX_ROWS,
      ({ limit }) => limit,
    );
    const handler = (request: RequestOf<Id>, { path }: RequestContext) => {
      const { limit, cursor } = request.query;
      const filters = Object.entries<Value | undefined>(where?.(request) ?? {}).filter(
        ([, value]) => value !== undefined,
      );
      const after = cursor === undefined ? first : decodeCursor(cursor, name, order);
      const values = { ...(Object.fromEntries(filters) as Record<string, Value>), ...after };
      const text = JSON.stringify({ ...values, limit });
      const walk = walkBy(filters.map(([column]) => column));
      return pages.submit({ values, limit, text, walk }, text).then((page) => {
        const body = page.body as JsonText<ItemOf<Id>[]>;
        if (page.next === null) return { status: 200, body };
        page.link ??= nextPageLink(path, request, encodeCursor(name, page.next));
        return { status: 200, headers: { Link: page.link }, body };
      });
    };
    return handler as All[Id];
  };
}

/** One item more than the page holds is read, to know whether a next page follows. */
function compose(
  operation: string,
  { from, filters = {}, order, item }: List<never, unknown, string>,
  given: string[],
) {
  const types: Record<string, ColumnType> = { ...filters, ...order };
  const keys = Object.keys(order);
  const columns = [...given, ...keys];
  const refs = (names: string[], table = '') => sql.join(names.map((column) => sql.ref(table + column)));
  const typed = sql.join(columns.map((column) => sql`${sql.ref(column)} ${sql.raw(types[column] as ColumnType)}`));
  // A range on all columns of the index instead of `status = … and id > …`: with skewed statistics, Postgres would walk the
  // primary key past all rows of another status.
  const until = given.length > 0 ? sql`and (${refs(given, 'row.')}) <= (${refs(given, 'query.')})` : sql``;
  const last = sql.join(
    keys.map((column) => sql`to_json(page.${sql.ref(column)}[query.max])`),
    sql` || ',' || `,
  );
  return query<{ queries: string }, Page>(
    [operation, ...given].join('_'),
    (value): RawBuilder<Page> => sql`
      select coalesce('[' || array_to_string(items[1:query.max], ',') || ']', '[]') as body,
        case when cardinality(items) > query.max then ${last} || '' end as next
      from rows from (json_to_recordset(${value('queries')}::json) as (${typed}, "limit" integer))
        with ordinality as query (${refs(columns)}, max, position),
      lateral (
        select array_agg(item) as items, ${sql.join(keys.map((column) => sql`array_agg(${sql.ref(column)}) as ${sql.ref(column)}`))}
        from (
          select ${item('row')} as item, ${refs(keys, 'row.')} from ${sql.table(from)} as row
          where (${refs(columns, 'row.')}) > (${refs(columns, 'query.')}) ${until}
          order by ${refs(columns, 'row.')} limit query.max + 1
        ) as row
      ) as page
      order by position`,
  );
}

/** @returns base64url (RFC 4648 section 5); the name of the list has it refused by others, the `.` makes a truncated one invalid */
export function encodeCursor(name: string, values: string): string {
  return Buffer.from(`${name}:${values}.`).toString('base64url');
}

/**
 * The row after which the page begins.
 *
 * @throws ApiError 400 for anything that `encodeCursor` did not write for this list
 */
export function decodeCursor(cursor: string, name: string, order: Record<string, ColumnType>): Record<string, Value> {
  const columns = Object.entries(order);
  const values = parse(
    `[${Buffer.from(cursor, 'base64url')
      .toString()
      .slice(name.length + 1, -1)}]`,
  );
  const isValid = (type: ColumnType | undefined, value: unknown) =>
    type === 'text'
      ? typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
      : Number.isSafeInteger(value);
  const isWhole = values.length === columns.length && columns.every(([, type], index) => isValid(type, values[index]));
  if (!isWhole || encodeCursor(name, JSON.stringify(values).slice(1, -1)) !== cursor) {
    throw new ApiError(400, 'query parameter cursor is not a cursor of this list');
  }
  return Object.fromEntries(columns.map(([column], index) => [column, values[index] as Value]));
}

function parse(text: string): unknown[] {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

/** `Link: <…>; rel="next"` (RFC 8288) with this page's query and the next cursor; relative, so that it works behind proxies. */
function nextPageLink(template: string, request: { path?: object; query: object }, cursor: string): string {
  const params: Record<string, unknown> = { ...request.path };
  const path = template.replace(/\{([^{}]+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...request.query, cursor })) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `<${path}?${query}>; rel="next"`;
}
