/** Statements that read for several requests. Their values are a table, `"$query"`, which has a row for each request, in their order. */
import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { NAMED, quoted } from '../database/nodes.ts';
import { type Handle, query } from '../database/statement.ts';

/** The name of a value, and its type in Postgres. */
export type Typed = readonly [name: string, type: string];

/** The values of a request, by name, and the owner of its rows. */
export type Values = Record<string, unknown> & { $owner?: string | undefined };

/** The column of the owner, which a statement for rows of tenants has. */
export const OWNERS: Typed = ['$owner', 'text'];

/** Gives the result of a request, by its index, before the others are there. */
export type Settle<Result> = (index: number, result: Result) => void;

/** Milliseconds after which a slow request no longer delays those beside it: a statement answers requests in their order. */
export const STALLED_AFTER = 1_000;

const isJson = (type: string) => type === 'json' || type === 'jsonb';

/**
 * SQL of a table with the values of a JSON array, and the number of each row. The text of a JSON value is read as such, as if it were a
 * parameter: of a column of this type, `json_to_recordset` would make it a JSON string.
 */
export function recordset(value: RawBuilder<unknown>, columns: readonly Typed[]): RawBuilder<unknown> {
  const record = columns.map(([name, type]) => `${quoted(name)} ${isJson(type) ? 'text' : type}`).join(', ');
  const rows = sql`rows from (json_to_recordset(${value}::json) as (${sql.raw(record)})) with ordinality`;
  if (!columns.some(([, type]) => isJson(type))) return rows;
  const names = columns.map(([name, type]) => (isJson(type) ? `${quoted(name)}::${type}` : quoted(name))).join(', ');
  return sql`(select ${sql.raw(names)}, ordinality from ${rows} as given)`;
}

/**
 * Composes a statement that reads for several requests. It is text, because the builder has no `rows from`, and takes long to compose it.
 *
 * @param answer - SQL of a select of at most one row
 * @param resultOf - the result of such a row
 */
export function sharedRead<Row extends object, Result>(
  title: string,
  columns: readonly Typed[],
  answer: string,
  resultOf: (row: Row) => Result,
) {
  const names = sql.raw([...columns.map(([name]) => quoted(name)), 'position'].join(', '));
  const select = query<{ queries: string }, Row & { position: number }>(
    title,
    (value) => sql`select position, answer.*
      from ${recordset(value('queries'), columns)} as "$query" (${names}), lateral (${sql.raw(answer)}) as answer`,
  );
  return async (on: Handle, requests: readonly Values[], settle?: Settle<Result>): Promise<(Result | undefined)[]> => {
    const results: (Result | undefined)[] = requests.map(() => undefined);
    await select(on, { queries: JSON.stringify(requests) }, (row) => {
      const result = resultOf(row);
      results[row.position - 1] = result;
      settle?.(row.position - 1, result);
    });
    return results;
  };
}

/** Caches the value of each key, and its promise until then. A failure is not cached. */
export function memoize<Value extends object>() {
  const known = new LRUCache<string, Value | Promise<Value>>({ max: NAMED });
  return (key: string, make: () => Promise<Value>): Value | Promise<Value> => {
    const same = known.get(key);
    if (same !== undefined) return same;
    const making = make();
    known.set(key, making);
    making.then(
      (value) => known.set(key, value),
      () => known.delete(key),
    );
    return making;
  };
}
