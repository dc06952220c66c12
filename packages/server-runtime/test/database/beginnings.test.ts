import { readerOn } from '@petstore-platform/server-runtime/internal/database/prepared';
import fc from 'fast-check';
import { type ExpressionBuilder, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { tables } from '../bookstore/tables.ts';

type Bookstore = NonNullable<typeof tables.types>;

test('a query is that of Kysely, although its beginning is built once: shared lists, other tables, changed lists', () => {
  const reader = readerOn<Bookstore>(new pg.Pool());
  const plain = new Kysely<Bookstore>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
  let time = 0;
  const columns = [
    'id',
    'id as x',
    sql<number>`1`.as('one'),
    sql<number>`${7}`.as('seven'),
    (eb: ExpressionBuilder<Bookstore, 'books'>) => eb.val(++time).as('time'),
  ];
  const column = fc.nat(columns.length - 1).map((index) => columns[index] as 'id');
  const change = fc.record({ at: fc.nat(3), column, table: fc.constantFrom('books', 'stores', 'books as b', 'sales') });
  fc.assert(
    fc.property(
      fc.array(column, { minLength: 4, maxLength: 4 }),
      fc.array(change, { maxLength: 20 }),
      (first, changes) => {
        const list = [...first];
        for (const { at, column, table } of changes) {
          const compile = (db: Pick<typeof reader, 'selectFrom'>) => {
            time = at;
            const { sql, parameters } = db
              .selectFrom(table as 'books')
              .select(list)
              .where('id', '=', at)
              .compile();
            return { sql, parameters };
          };
          expect(compile(reader)).toEqual(compile(plain));
          // The same list, with another column or another length.
          if (at === 0) list.push(column);
          else list[at] = column;
        }
      },
    ),
  );
});
