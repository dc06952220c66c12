import { migration } from '@repo/server-runtime';
import { sql } from 'kysely';
import { change, get, list, rowJson } from './api.ts';

export const migrations = {
  '001-books': migration(
    `create table books (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      title text not null,
      store_id bigint not null,
      format text
    );
    create index books_format_id on books (format, id)`,
    'drop table books',
  ),
};

const bookJson = rowJson('Book', { id: 'id', title: 'title', storeId: 'store_id', format: 'format' });

export const listBooks = list('listBooks', {
  from: 'books',
  order: 'id',
  item: bookJson,
  filters: { format: 'text' },
  where: ({ query: { format } }) => ({ format }),
});

export const getBook = get('getBook', {
  from: 'books',
  key: 'id',
  item: bookJson,
  id: ({ path }) => path.bookId,
  missing: ({ path }) => `There is no book ${path.bookId}`,
});

export const createBook = change('createBook', {
  new: { title: 'text', store_id: 'bigint', format: 'text' },
  row: ({ body: { title, storeId, format } }) => ({ title, store_id: storeId, format }),
  change: {
    change: sql`select nextval('books_id_seq') as id, new.* from new order by position`,
    added: sql`insert into books (id, title, store_id, format) overriding system value
      select id, title, store_id, format from change`,
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
