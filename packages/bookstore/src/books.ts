import { read, write } from './api.ts';

export const BOOK = ['id', 'title', 'store_id as storeId', 'format'] as const;

const missing = (bookId: number) => ({ missing: `There is no book ${bookId}` });

const listBooks = read('listBooks', { format: true }, ({ query: { format } }, db, { page }) =>
  page(db.selectFrom('books').select(BOOK), { by: 'id', where: { format } }),
);

const createBook = write(
  'createBook',
  { title: true, storeId: true, format: true },
  ({ body: { title, storeId, format = null } }, db, { row }) =>
    row(db.insertInto('books').values({ title, store_id: storeId, format }).returning(BOOK)),
);

const getBook = read('getBook', ({ path: { bookId } }, db, { row }) =>
  row(db.selectFrom('books').select(BOOK).where('id', '=', bookId), missing(bookId)),
);

const deleteBook = write('deleteBook', ({ path: { bookId } }, db, { row }) =>
  row(db.deleteFrom('books').where('id', '=', bookId), missing(bookId)),
);

export const books = { listBooks, createBook, getBook, deleteBook };
