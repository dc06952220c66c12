import { sentQuery } from '@petstore-platform/openapi-validation';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { RequestContext } from '../contract.ts';
import { MAX_CACHED_TEXTS } from '../database/nodes.ts';
import type { RequestDb } from '../database/statement.ts';
import { decodeCursor, encodeCursor, endOf, noCursor } from './cursor.ts';
import type { HandlerResult } from './handler.ts';
import { type Filter, type Keyset, keysetOf, pageIn } from './keyset.ts';
import type { OperationParts } from './operation-parts.ts';
import type { PageOptions, QueryResponse } from './query-response.ts';

export interface PageRequest {
  path?: Record<string, unknown>;
  query: { limit: number; cursor?: string | undefined; [parameter: string]: unknown };
  headers?: Record<string, unknown>;
}

/** The position before the first item. */
export const BEGINNING = { asc: Number.MIN_SAFE_INTEGER - 1, desc: Number.MAX_SAFE_INTEGER + 1 } as const;

/** Throws 400 if Postgres has refused a value (SQLSTATE class 22), as that of a forged cursor. */
function refuseCursor(error: unknown): never {
  throw error instanceof pg.DatabaseError && error.code?.startsWith('22') ? noCursor() : error;
}

function filtersOf({ where = {} }: PageOptions): Filter[] {
  const filters: Filter[] = [];
  for (const column of Object.keys(where)) {
    const value = where[column];
    const isPrefix = typeof value === 'object' && value !== null && 'startsWith' in value;
    const bound = isPrefix ? value.startsWith : value;
    if (bound !== undefined) filters.push({ column, isPrefix, value: bound });
  }
  return filters;
}

/** A cache of keysets. @returns a function that gets the keyset of a key, or makes and caches it. Failures are not cached */
export function keysets() {
  const cache = new LRUCache<string, Keyset, () => Promise<Keyset>>({
    max: MAX_CACHED_TEXTS,
    fetchMethod: (_key, _stale, { context: make }) => make(),
    ignoreFetchAbort: true,
  });
  return (key: string, make: () => Promise<Keyset>): Keyset | Promise<Keyset> =>
    cache.get(key) ?? cache.forceFetch(key, { context: make });
}

/**
 * The pages of an operation, with a `Link` to the next one (RFC 8288). A cursor names the last item of the previous page, so no page costs
 * more than the first.
 *
 * @param json - the SQL of the JSON of an item
 */
export function pagesOf(operation: string, json: string, isFresh: boolean, parts: OperationParts) {
  return (db: RequestDb) => {
    const cachedKeyset = keysets();
    return async (
      { query, page: options = { by: [] } }: QueryResponse,
      request: PageRequest,
      { path: template, caller }: RequestContext,
    ): Promise<Omit<HandlerResult, 'status'>> => {
      const compiled = query.compile();
      const { direction = 'asc' } = options;
      const order = typeof options.by === 'string' ? [options.by] : options.by;
      const filters = filtersOf(options);
      const { limit, cursor } = request.query;
      const isFirst = cursor === undefined;
      const names = filters.map(({ column, isPrefix }) => (isPrefix ? `${column}\0^` : column));
      const most = filters.some(({ isPrefix }) => isPrefix) ? 2 ** Math.ceil(Math.log2(limit + 1)) : undefined;
      const keyset = cachedKeyset([direction, isFirst, most, ...order, '', ...names, compiled.sql].join('\0'), () =>
        keysetOf({ operation, json, query, order, direction, filters, isFirst, most }, parts, db),
      );
      const { isSingle, statement, valuesOf } = keyset instanceof Promise ? await keyset : keyset;
      const bound: Record<string, unknown> = { limit: limit + 1, after0: BEGINNING[direction] };
      for (const { column, isPrefix, value } of filters)
        if (isPrefix) Object.assign(bound, { [`>=${column}`]: value, [`<${column}`]: endOf(`${value}`) });
        else bound[`=${column}`] = value;
      if (!isFirst)
        for (const [index, text] of decodeCursor(operation, cursor, isSingle ? undefined : order.length).entries())
          bound[`after${index}`] = text;
      const { scope } = parts;
      const { parameters } = scope?.bind(compiled, caller) ?? compiled;
      const reading = db.read(statement, compiled, { scope, caller, isFresh }, valuesOf(parameters, bound));
      const [row] = await (isFirst ? reading : reading.catch(refuseCursor));
      const { body, next } = pageIn(row);
      if (next === null) return { body };
      return { headers: { Link: nextPageLink(template, request, encodeCursor(operation, next)) }, body };
    };
  };
}

/** The link to the same query with the next cursor; relative, so that it works behind proxies. */
function nextPageLink(template: string, request: PageRequest, cursor: string): string {
  const path = template.replace(/\{([^{}]+)\}/g, (_, name) => encodeURIComponent(String(request.path?.[name])));
  return `<${path}?${sentQuery(request.query, { cursor }).join('&')}>; rel="next"`;
}
