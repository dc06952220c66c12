import { sql } from 'kysely';
import { quoted } from '../database/nodes.ts';
import type { RowJson } from '../database/row-json.ts';
import { change } from './change.ts';
import type { FailureOf } from './idempotency.ts';
import type { Place, Schema } from './storage.ts';

interface Create {
  into: string;
  values: Record<string, string | false>;
  item: RowJson<unknown>;
  also?: Record<string, (request: object) => unknown>;
  conflict?: FailureOf<object>;
  batch?: number;
}

type Request = Partial<Record<Place, Record<string, unknown>>>;

/** The column that lists go by: an identity column, or one with a default. */
const ID = 'id';
const INTEGERS = ['bigint', 'integer', 'smallint'];

/**
 * Creates the handler of an insertion: a `change` with a statement of the platform. It is SQL, because the builder has no `overriding
 * system value`.
 */
export function create(operation: string, definition: Create, schema: Schema) {
  const { typeOf, placeOf, defaultOf, distributed } = schema;
  const { into, values, item, also = {}, conflict, batch = 128 } = definition;
  const stored = Object.entries(values).flatMap(([field, column]) =>
    column ? [{ field, column, place: placeOf(operation, field) }] : [],
  );
  const given = stored.map(({ column }) => column);
  const columns = [...given, ...Object.keys(also)];
  schema.check(into, [ID, ...columns, ...item.columns], item.times);
  if (columns.includes(ID)) throw new Error(`The ${ID} of ${into} is given by Postgres, not by the request`);
  // Postgres fills the other columns, so that they have to be read back.
  const isWhole = item.columns.every((column) => column === ID || columns.includes(column));
  const names = sql.join([ID, ...columns].map(sql.ref));
  const added = sql`insert into ${sql.table(into)} (${names}) overriding system value
    select ${names} from ${sql.table(isWhole ? 'change' : 'numbered')} order by ${sql.ref(ID)}`;
  const initial = defaultOf(into, ID);
  if (!initial && !INTEGERS.includes(typeOf(into, ID)))
    throw new Error(`Nothing gives the ${ID} of ${into}: it needs a default`);
  const next = initial
    ? sql.raw(initial)
    : sql`nextval((select pg_get_serial_sequence(${sql.lit(quoted(into))}, ${sql.lit(ID)})::regclass))`;
  const numbered = sql`select ${next} as ${sql.ref(ID)}, new.* from new order by position`;
  const steps = isWhole
    ? { change: numbered, added }
    : {
        numbered,
        added: sql`${added} returning *`,
        change: sql`select numbered.position, added.* from numbered join added using (${sql.ref(ID)})`,
      };
  const storage = distributed.find(({ table }) => table === into);
  const parts = {
    new: Object.fromEntries(columns.map((column) => [column, `${into}.${column}`])),
    row(request: Request) {
      const row: Record<string, unknown> = {};
      for (const { field, column, place } of stored) row[column] = request[place]?.[field];
      for (const [column, read] of Object.entries(also)) row[column] = read(request);
      return row;
    },
    change: steps,
    inserts: [into],
    status: 201,
    body: item,
    ...(conflict && { failures: { 409: conflict } }),
    batch,
    ...(storage && { distributed: storage.create({ table: into, columns, answered: [...item.columns] }, schema) }),
  };
  return change(operation, parts, schema);
}
