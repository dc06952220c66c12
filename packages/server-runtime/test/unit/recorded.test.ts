import type { tables } from '@repo/bookstore/tables';
import fc from 'fast-check';
import { type ExpressionBuilder, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { readerOn } from '../../src/database/kysely.ts';
import { recordQueries } from '../../src/database/recorded.ts';

type Bookstore = NonNullable<typeof tables.types>;
type Books = Bookstore['books'];

const plain = new Kysely<Bookstore>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
const recording = new Kysely<Bookstore>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
recordQueries(recording);

let time = 0;
const shared = [sql<number>`1`.as('one'), sql<number>`${7}`.as('seven'), sql`x`.as('where')];
const column = fc.constantFrom<unknown[]>(
  'id',
  'id as x',
  'where',
  'title',
  ...shared,
  (eb: ExpressionBuilder<Bookstore, 'books'>) => eb.val(++time).as('time'),
);
const value = fc.oneof(
  fc.constantFrom(null, undefined, true, 0n, -0, '', 'null', '?', '$1', sql`now()`, sql`${5}`, plain.dynamic.ref('id')),
  fc.integer(),
  fc.string(),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 3 }),
  fc.array(fc.nat(3), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.nat(), { maxKeys: 2 }),
);
const names = ['id', 'title', 'store_id', 'where', '__proto__', 'constructor', 'a"b', 'id.x'];
const given = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });
const operator = fc.constantFrom('=', '!=', '<', '>=', 'like', 'is', 'is not', 'in', 'x');
const call = fc.oneof(
  fc.record({
    method: fc.constantFrom('select', 'returning'),
    args: fc.tuple(fc.oneof(column, fc.array(column, { maxLength: 3 }))),
  }),
  fc.record({
    method: fc.constantFrom('values', 'set'),
    args: fc.tuple(fc.oneof(given, fc.array(given, { maxLength: 2 }))),
  }),
  fc.record({ method: fc.constant('where'), args: fc.tuple(fc.constantFrom(...names, 'books.id'), operator, value) }),
  fc.record({
    method: fc.constantFrom('limit', 'orderBy', 'where', 'selectAll', 'returningAll', 'forUpdate'),
    args: fc.array(value, { maxLength: 1 }),
  }),
);
const start = fc.record({
  method: fc.constantFrom('selectFrom', 'insertInto', 'updateTable', 'deleteFrom'),
  args: fc.tuple(fc.constantFrom<unknown[]>('books', 'stores', 'books as b', ['books', 'stores'], ['books'])),
});

/** The text and the parameters that calls lead to, or the failure. */
function compiled(db: object, calls: { method: string; args: readonly unknown[] }[]) {
  time = 0;
  try {
    // biome-ignore lint/suspicious/noExplicitAny: any call on any builder
    const query = calls.reduce((on: any, { method, args }) => on[method](...args), db);
    const { sql, parameters, query: tree } = query.compile();
    return { sql, parameters: [...parameters], tree: { ...tree, queryId: undefined } };
  } catch (error) {
    return (error as Error).constructor;
  }
}

test('a query that is recorded is that of Kysely, whatever was recorded before', () => {
  fc.assert(
    fc.property(start, fc.array(call, { maxLength: 4 }), (first, calls) => {
      const all = [first, ...calls];
      // The second one has the text of the first.
      for (const _ of [1, 2]) expect(compiled(recording, all)).toEqual(compiled(plain, all));
    }),
    { numRuns: 2_000 },
  );
});

test('a recorded query keeps the arguments of its calls, and may have several continuations', () => {
  const reader = readerOn<Bookstore>(new pg.Pool());
  const columns: (keyof Books & string)[] = ['id', 'title'];
  const both = (db: Pick<typeof reader, 'selectFrom'>) => {
    const list = [...columns];
    const base = db.selectFrom('books').select(list).where('id', '=', 1);
    list.push('format');
    return [base.where('title', '=', 'Emma'), base.where('title', '=', 'Ubik').orderBy('id'), base].map((query) => {
      const { sql, parameters } = query.compile();
      return { sql, parameters };
    });
  };
  expect(both(reader)).toEqual(both(plain));
  const row = { title: 'Emma', store_id: 1 };
  const insertion = recording.insertInto('books').values(row);
  row.title = 'Ubik';
  expect(insertion.compile().parameters).toEqual(['Emma', 1]);
  expect(
    plain.selectFrom('stores').where('id', 'in', recording.selectFrom('books').select('store_id')).compile().sql,
  ).toBe('select from "stores" where "id" in (select "store_id" from "books")');
});

test('a client that chooses the columns of changes takes no room of other queries', () => {
  const columns = Array.from({ length: 14 }, (_, index) => `c${index}`);
  const db = recording as unknown as Kysely<{ [table: string]: { [column: string]: number } }>;
  const subset = (bits: number) =>
    Object.fromEntries(columns.flatMap((name, at) => ((bits >> at) & 1 ? [[name, 1]] : [])));
  for (let bits = 1; bits < 2 ** columns.length; bits++) db.updateTable('filled').set(subset(bits));
  const isRecorded = (query: object) => query.constructor.name === 'Recorded';
  expect(isRecorded(db.updateTable('filled').set(subset(2 ** columns.length - 1)))).toBe(false);
  expect(isRecorded(db.updateTable('other').set({ c1: 1 }).where('c2', '=', 1))).toBe(true);
  expect(isRecorded(db.selectFrom('filled').select('c3'))).toBe(true);
});
