import { sql } from 'kysely';
import type { RowJson } from '../database/row-json.ts';
import { change } from './change.ts';
import type { FailureOf } from './idempotency.ts';
import type { Schema } from './storage.ts';

interface Create {
  into: string;
  values: Record<string, string | false>;
  item: RowJson<unknown>;
  also?: Record<string, (request: object) => unknown>;
  conflict?: FailureOf<object>;
  batch?: number;
}

type Request = { path?: object; query?: object; body?: object };

/** The identity column, by which lists go. */
const ID = 'id';

/** The handler of an insertion: `change` with a statement of the platform's. */
export function create(operation: string, definition: Create, schema: Schema) {
  const { typeOf, distributed } = schema;
  const { into, values, item, also = {}, conflict, batch = 128 } = definition;
  const stored = Object.entries(values).flatMap(([field, column]) => (column ? [{ field, column }] : []));
  const given = stored.map(({ column }) => column);
  const columns = [...given, ...Object.keys(also)];
  // Others are filled by Postgres, and read back.
  const isWhole = Object.keys(item.columns).every((column) => column === ID || columns.includes(column));
  const names = sql.join([ID, ...columns].map(sql.ref));
  const added = sql`insert into ${sql.table(into)} (${names}) overriding system value
    select ${names} from ${sql.table(isWhole ? 'change' : 'numbered')} order by ${sql.ref(ID)}`;
  const numbered = sql`select nextval((select pg_get_serial_sequence(${sql.lit(into)}, ${sql.lit(ID)})::regclass)) as ${sql.ref(ID)}, new.*
    from new order by position`;
  const steps = isWhole
    ? { change: numbered, added }
    : {
        numbered,
        added: sql`${added} returning *`,
        change: sql`select numbered.position, added.* from numbered join added using (${sql.ref(ID)})`,
      };
  const storage = distributed.find(({ table }) => table === into);
  const answered = Object.keys(item.columns);
  const parts = {
    new: Object.fromEntries(columns.map((column) => [column, typeOf(into, column)])),
    row(request: Request) {
      const fields: Record<string, unknown> = { ...request.path, ...request.query, ...request.body };
      const row = Object.fromEntries(stored.map(({ field, column }) => [column, fields[field]]));
      for (const [column, read] of Object.entries(also)) row[column] = read(request);
      return row;
    },
    change: steps,
    inserts: [into],
    status: 201,
    body: item,
    ...(conflict && { failures: { 409: conflict } }),
    batch,
    ...(storage && { distributed: storage.create({ table: into, columns, answered }, schema) }),
  };
  return change(operation, parts, schema);
}
