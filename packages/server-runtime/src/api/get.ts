import { sql } from 'kysely';
import { Batcher } from '../batcher.ts';
import type { RowJson } from '../database/row-json.ts';
import { type Handle, query } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import type { Schema } from './storage.ts';

type Key = number | string;

interface Get {
  from: string;
  by: string;
  key(request: object): Key;
  item: RowJson<unknown>;
  missing(request: object): string;
}

/** Creates the handler of a look-up by key. Concurrent requests share a statement. It is SQL, because the builder has no `any(…)`. */
export function get(operation: string, { from, by, key, item, missing }: Get, schema: Schema) {
  const { typeOf, distributed } = schema;
  schema.check(from, item.columns, item.times);
  const select = query<{ keys: Key[] }, { key: Key; body: string }>(
    operation,
    (value, table) => sql`select ${sql.ref(`row.${by}`)} as key, ${item('row')} as body from ${table(from)} as row
      where ${sql.ref(`row.${by}`)} = any(${value('keys')}::${sql.raw(typeOf(from, by))}[])`,
  );
  const isUuid = typeOf(from, by) === 'uuid';
  /** The key as Postgres writes it: a UUID has lower-case letters. */
  const written = (key: Key) => (isUuid ? String(key).toLowerCase() : key);
  const storage = distributed.find(({ table }) => table === from);
  storage?.get(by);
  const bind = (db: Handle) => {
    const rows = new Batcher(
      async (keys: Key[]) => {
        const rows = storage?.isActive(db) ? storage.rows(db, keys as number[], select) : select(db, { keys });
        // A number may be given as text.
        const found = new Map((await rows).map(({ key, body }) => [String(key), body]));
        return keys.map((key) => found.get(String(key)));
      },
      { kind: 'read' },
    );
    return async (request: object) => {
      const body = await rows.submit(written(key(request)));
      if (!body) throw new ApiError(404, missing(request));
      return { status: 200, body };
    };
  };
  const index = { table: from, columns: [{ column: by, isBytewise: false }], isUnique: true, use: operation };
  return Object.assign(bind, { indexes: [index] });
}
