import { sql } from 'kysely';
import { Batcher } from '../batcher.ts';
import type { RequestContext } from '../contract.ts';
import type { RowJson } from '../database/row-json.ts';
import { query, type ReadHandle } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import type { HandlerResult } from './resources.ts';

/** A resource that is read by its id. */
export interface Get<Request, Item, Table extends string = string, Column extends string = string> {
  from: Table;
  /** The column of the id: a bigint, unique. */
  key: Column;
  item: RowJson<Item>;
  id(request: Request): number;
  /** The message of a 404. */
  missing(request: Request): string;
  /** Reads rows while the table is distributed. */
  onDistributed?: ReadRows;
}

/** Reads the rows that have these ids. @param select - reads them from one table */
export type ReadRows = <Row>(
  db: ReadHandle,
  ids: number[],
  select: (shard: ReadHandle, values: { ids: number[] }) => Promise<Row[]>,
) => Promise<Row[]>;

/** The handler of an operation that returns one resource. Concurrent requests share a statement. */
export function makeGet(operation: string, { from, key, item, id, missing, onDistributed }: Get<never, unknown>) {
  const column = sql.ref(`row.${key}`);
  const select = query<{ ids: number[] }, { id: number; body: string }>(
    operation,
    (value, table) =>
      sql`select ${column} as id, ${item('row')} as body from ${table(from)} as row where ${column} = any(${value('ids')}::bigint[])`,
  );
  return (db: ReadHandle) => {
    const rows = new Batcher(async (ids: number[]) => {
      const read = db.isDistributed && onDistributed ? onDistributed(db, ids, select) : select(db, { ids });
      const found = new Map((await read).map(({ id, body }) => [id, body]));
      return ids.map((id) => found.get(id));
    });
    return (request: never, _context: RequestContext): Promise<HandlerResult> =>
      rows.submit(id(request)).then((body) => {
        if (body === undefined) throw new ApiError(404, missing(request));
        return { status: 200, body };
      });
  };
}
