import { service } from '@repo/bookstore/service';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { nameOtherColumns } from '../../src/database/columns.ts';
import { type Index, nameMissingIndexes } from '../../src/database/indexes.ts';
import { createDatabase } from '../support/database.ts';
import { openDatabase } from '../support/runtime.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let db: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase(database.url, { size: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('an index that is missing is named with the statement that creates it', () => {
  const byFormat: Index = {
    table: 'books',
    columns: [
      { column: 'format', isBytewise: false },
      { column: 'id', isBytewise: false },
    ],
    use: 'listBooks by format',
  };

  /** Changes the database. Returns the warnings about an index. */
  async function warningsAfter(change: string, index = byFormat) {
    const warnings: unknown[] = [];
    // Its only connection is in a transaction.
    await db.pool.query(`begin; ${change}`);
    await nameMissingIndexes(db, [index], { warn: (...line: unknown[]) => void warnings.push(line) } as never);
    await db.pool.query('rollback');
    return warnings;
  }

  test('nothing is missing', async () => {
    expect(await warningsAfter('')).toEqual([]);
    // Postgres reads a descending index backwards. An index may have further columns.
    const down = `drop index books_format_id; create index on books (format desc, id desc, title) include (store_id)`;
    expect(await warningsAfter(down)).toEqual([]);
  });

  const listBooks = { operations: ['listBooks by format'] };
  const missing = 'an index is missing: create index on books (format, id)';
  test.each([
    ['no index', ''],
    ['the columns in another order', 'create index on books (id, format)'],
    ['fewer columns', 'create index on books (format)'],
    ['only some rows', `create index on books (format, id) where format = 'ebook'`],
    ['other operators', 'create index on books (format text_pattern_ops, id)'],
    ['another collation', 'create index on books (format collate "C", id)'],
    ['two directions', 'create index on books (format, id desc)'],
    ['nulls at the other end', 'create index on books (format nulls first, id)'],
    ['a function', 'create index on books (lower(format), id)'],
    ['another method', 'create index on books using brin (format, id)'],
    ['another table', 'create index on books_old (format, id)'],
  ])('with %s', async (_, instead) => {
    const tables = 'create table books_old (like books)';
    expect(await warningsAfter(`${tables}; drop index books_format_id; ${instead}`)).toEqual([[listBooks, missing]]);
  });
});

test('columns that a database lacks, or has with another type, are named', async () => {
  const warn = vi.fn();
  await nameOtherColumns(db, service.columns, { warn });
  expect(warn).not.toHaveBeenCalled();
  await db.pool.query('begin; alter table sales drop column due; alter table books alter column title type varchar');
  await nameOtherColumns(db, { ...service.columns, 'a"b': { id: 'bigint' } }, { warn });
  const advice = 'write the types of the tables again, or put a change of a migration that has run into a new one';
  expect(warn.mock.calls.flat()).toEqual([
    `the column a"b.id is missing, not bigint: ${advice}`,
    `the column books.title is character varying, not text: ${advice}`,
    `the column sales.due is missing, not date: ${advice}`,
  ]);
  await db.pool.query('rollback');
});
