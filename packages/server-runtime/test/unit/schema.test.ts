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
  const columnsOf = (names: string[]) => names.map((column) => ({ column, isBytewise: false }));
  const byFormat: Index = { table: 'books', columns: columnsOf(['format', 'id']), use: 'listBooks by format' };

  /** Changes the database. Returns the warnings about an index. */
  async function warningsAfter(change: string, index = byFormat) {
    const warnings: [details: object, message: string][] = [];
    // Its only connection is in a transaction.
    await db.pool.query(`begin; ${change}`);
    await nameMissingIndexes(db, [index], {
      warn: (...line: (typeof warnings)[number]) => void warnings.push(line),
    } as never);
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
  const missing = 'an index is missing: create index on "books" ("format", "id")';
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

  test.each([
    ['the key of the table among them', 'id title', '', true],
    ['the key as the value of a filter', 'title', '', true, 'id'],
    ['no unique index', 'title format', 'create index on books (title, format)', false],
    ['a unique index with a further column', 'title', 'create unique index on books (title, id)', false],
    ['one that begins with a filter', 'title', 'create unique index on books (format, title)', true, 'format'],
    ['one of some rows', 'title', `create unique index on books (title) where format = 'ebook'`, false],
    ['a unique function', 'title', 'create unique index on books (lower(title))', false],
    ['one that is sorted otherwise', 'title', 'create unique index on books (title text_pattern_ops)', true],
    ['nulls', 'isbn', 'alter table books add isbn text; create unique index on books (isbn)', false],
    ['nulls that a filter leaves out', 'id', 'alter table books add isbn text unique', true, 'isbn'],
  ])('pages whose columns may occur twice are named: %s', async (_, columns, change, isUnique, filter?: string) => {
    const [order, fixed] = [columns.split(' '), filter ? [filter] : []];
    const warnings = await warningsAfter(change, {
      ...byFormat,
      columns: columnsOf([...fixed, ...order]),
      unique: { fixed, order },
    });
    const message = `pages may lose rows: ${order.join(', ')} may occur twice in books. Add its key to \`by\`, or a unique index`;
    expect(warnings.filter(([, text]) => !text.startsWith('an index'))).toEqual(isUnique ? [] : [[listBooks, message]]);
  });

  test('pages by a generated key in ascending order are named, unless insertions wait for each other', async () => {
    const message = 'pages may miss rows that are inserted meanwhile: add books to `ordered`';
    const named = [[listBooks, expect.stringContaining(message)]];
    expect(await warningsAfter('', { ...byFormat, ascending: 'id' })).toEqual(named);
    expect(await warningsAfter('', { ...byFormat, ascending: 'store_id' })).toEqual([]);
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
