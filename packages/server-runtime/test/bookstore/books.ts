import { initService, migration } from '@repo/server-runtime';
import { sql } from 'kysely';
import { contract } from './generated/contract.ts';

export interface Tables {
  books: { id: number; title: string; author: string; year: number | null };
}

export const migrations = {
  '001-books': migration(
    `create table books (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      title text not null, author text not null, year integer
    );
    create index books_author_id on books (author, id)`,
    'drop table books',
  ),
};

const { list, get, change, rowJson } = initService.tables<Tables>().create(contract);

const bookJson = rowJson('Book', { id: 'id', title: 'title', author: 'author', year: 'year' });

export const listBooks = list('listBooks', {
  from: 'books',
  order: 'id',
  item: bookJson,
  filters: { author: 'text' },
  where: ({ query: { author } }) => ({ author }),
});

export const getBook = get('getBook', {
  from: 'books',
  key: 'id',
  item: bookJson,
  id: ({ path }) => path.bookId,
  missing: ({ path }) => `There is no book ${path.bookId}`,
});

export const createBook = change('createBook', {
  new: { title: 'text', author: 'text', year: 'integer' },
  row: ({ body: { title, author, year } }) => ({ title, author, year }),
  change: {
    change: sql`select nextval('books_id_seq') as id, new.* from new order by position`,
    added: sql`insert into books (id, title, author, year) overriding system value
      select id, title, author, year from change`,
  },
  status: 201,
  body: bookJson,
  batch: 128,
});

export const deleteBook = change('deleteBook', {
  new: { book: 'bigint' },
  row: ({ path }) => ({ book: path.bookId }),
  change: sql`delete from books using new where id = book returning position`,
  status: 204,
  failures: { 404: ({ path }) => `There is no book ${path.bookId}` },
});
