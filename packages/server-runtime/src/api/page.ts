import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../contract.ts';
import { NAMED } from '../database/nodes.ts';
import type { Handle } from '../database/statement.ts';
import { withoutOwner } from '../database/tenants.ts';
import { jsonValue, valuesIn } from '../database/tree.ts';
import { sentQuery } from '../http/styles.ts';
import type { Answer, PageOptions } from './answer.ts';
import { decodeCursor, encodeCursor, endOf } from './cursor.ts';
import type { HandlerResult } from './handler.ts';
import { type Filter, type Item, type KeysetQuery, keysetQuery } from './page-sql.ts';
import { memoize } from './shared.ts';
import type { Schema } from './storage.ts';

export interface PageRequest {
  path?: Record<string, unknown>;
  query: { limit: number; cursor?: string | undefined; [parameter: string]: unknown };
  headers?: Record<string, unknown>;
}

/** The position before the first item. */
const BEGINNING = { asc: Number.MIN_SAFE_INTEGER - 1, desc: Number.MAX_SAFE_INTEGER + 1 } as const;

/** The filters that are given. */
function filtersOf({ where = {} }: PageOptions): Filter[] {
  const filters: Filter[] = [];
  for (const column of Object.keys(where)) {
    const value = where[column];
    const isPrefix = typeof value === 'object' && value !== null && 'startsWith' in value;
    const given = isPrefix ? value.startsWith : value;
    if (given !== undefined) filters.push({ column, isPrefix, value: given });
  }
  return filters;
}

/**
 * The pages of an operation, with a `Link` to the next one (RFC 8288). A cursor names the last item of the previous page, so no page costs
 * more than the first. Concurrent requests share statements. Each is answered as soon as its page arrives.
 *
 * @param json - the SQL of the JSON of an item
 */
export function pagesOf(operation: string, json: string, schema: Schema) {
  /** @param onStart - called when a statement is sent, or before its text is known */
  return (db: Handle, onStart: () => void) => {
    // By the text and by the rest, as a new string of both would be hashed for each request.
    const queries = new LRUCache<string, ReturnType<typeof memoize<KeysetQuery>>>({
      max: NAMED,
      memoMethod: () => memoize<KeysetQuery>(),
    });
    return async (
      { query, page: options = { by: [] } }: Answer,
      request: PageRequest,
      { path: template, caller }: RequestContext,
    ): Promise<Omit<HandlerResult, 'status'>> => {
      const compiled = query.compile();
      const { sql: text } = compiled;
      const { direction = 'asc' } = options;
      const order = typeof options.by === 'string' ? [options.by] : [...options.by];
      const filters = filtersOf(options);
      const { limit, cursor } = request.query;
      const names = filters.map(({ column, isPrefix }) => (isPrefix ? `${column}\0^` : column));
      const isFirst = cursor === undefined;
      const keysetOf = (isFirst: boolean) => {
        const key = [direction, isFirst, ...order, '', ...names].join('\0');
        const keyset = queries.memo(text)(key, () =>
          keysetQuery({ operation, json, query: compiled, order, direction, filters, isFirst }, schema, db, onStart),
        );
        if (keyset instanceof Promise) onStart();
        return keyset;
      };
      const any = keysetOf(false);
      const keyset = any instanceof Promise ? await any : any;
      // Pages in the order of a number share statements with the first ones, which begin before all numbers.
      const own = isFirst && !keyset.isSingle ? keysetOf(true) : keyset;
      const { kinds, isSingle, read } = own instanceof Promise ? await own : own;
      const $owner = schema.scope?.ownerOf(compiled, caller);
      const values = $owner === undefined ? compiled.parameters : withoutOwner(compiled, compiled.parameters);
      const item: Item = valuesIn(values, { after: BEGINNING[direction], limit, $owner });
      const texts = isFirst ? [] : decodeCursor(operation, cursor, kinds, isSingle);
      for (const [index, text] of texts.entries())
        if (isSingle) item.after = Number(text);
        else item[`$after${index}`] = text;
      for (const { column, isPrefix, value } of filters)
        if (isPrefix) Object.assign(item, { [`>=${column}`]: value, [`<${column}`]: endOf(`${value}`) });
        else item[`=${column}`] = jsonValue(value);
      const { body, next } = await read(item);
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
