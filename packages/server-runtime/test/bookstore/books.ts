import { change, create, get, list, rowJson } from './api.ts';

export const bookJson = rowJson('Book', { id: 'id', title: 'title', storeId: 'store_id', format: 'format' });

const missing = ({ path }: { path: { bookId: number } }) => `There is no book ${path.bookId}`;

const listBooks = list('listBooks', { from: 'books', order: 'id', filters: { format: 'format' }, item: bookJson });

const createBook = create('createBook', {
  into: 'books',
  values: { title: 'title', storeId: 'store_id', format: 'format' },
  item: bookJson,
});

const getBook = get('getBook', { from: 'books', by: 'id', key: ({ path }) => path.bookId, item: bookJson, missing });

const deleteBook = change('deleteBook', {
  new: { book_id: 'books.id' },
  row: ({ path }) => ({ book_id: path.bookId }),
  change: (db) =>
    db.deleteFrom('books').using('new').whereRef('books.id', '=', 'new.book_id').returning('new.position'),
  status: 204,
  failures: { 404: missing },
});

export const books = { listBooks, createBook, getBook, deleteBook };
