import type { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import { NAMED } from './nodes.ts';

interface Begun {
  select(columns: unknown): object;
}

/** A query with the columns that it selects. */
interface Selected {
  query: object;
  columns: readonly unknown[];
}

/**
 * Makes Kysely build the beginnings of queries once for each list of columns: builders never change, and building takes half of the time
 * that the server has for a small query. A list may change, and a function among its columns may have another result each time.
 */
export function reuseBeginnings(db: object): void {
  const { selectFrom } = db as { selectFrom(table: unknown): Begun };
  const begin = (table: string) => {
    const query = selectFrom.call(db, table);
    const { select } = query;
    const known = new WeakMap<object, Selected>();
    const reuse = (columns: unknown) => {
      if (!Array.isArray(columns)) return select.call(query, columns);
      const same = known.get(columns);
      if (same?.columns.length === columns.length && same.columns.every((column, index) => column === columns[index]))
        return same.query;
      const begun = select.call(query, columns);
      if (!columns.some((column) => typeof column === 'function')) {
        known.set(columns, { query: begun, columns: [...columns] });
        compiled.set(begun, undefined);
      }
      return begun;
    };
    return Object.assign(query, { select: reuse });
  };
  const tables = new LRUCache<string, Begun>({ max: NAMED, memoMethod: begin });
  const reuse = (table: unknown) => (typeof table === 'string' ? tables.memo(table) : selectFrom.call(db, table));
  Object.assign(db, { selectFrom: reuse });
}

/** The queries that are beginnings without more, each with its text once it is known. To keep all queries would cost more than to compile. */
const compiled = new WeakMap<object, CompiledQuery | undefined>();

/** The text and the parameters of a query, which are compiled once for a beginning. */
export function compiledOf(query: { compile(): CompiledQuery }): CompiledQuery {
  if (!compiled.has(query)) return query.compile();
  const known = compiled.get(query) ?? query.compile();
  compiled.set(query, known);
  return known;
}
