import * as api from './api.ts';

export const BOOK = ['id', 'title', 'store_id as storeId', 'format'] as const;

const missing = (bookId: number) => ({ missing: `There is no book ${bookId}` });

/** Also the service with owners has these. */
export const booksOf = ({ read, write }: typeof api) => ({
  listBooks: read('listBooks', { format: true }, ({ query: { format } }, db, { page }) =>
    page(db.selectFrom('books').select(BOOK), { by: 'id', where: { format } }),
  ),

  createBook: write(
    'createBook',
    { title: true, storeId: true, format: true },
    ({ body: { title, storeId, format = null } }, db, { row }) =>
      row(db.insertInto('books').values({ title, store_id: storeId, format }).returning(BOOK)),
  ),

  getBook: read('getBook', ({ path: { bookId } }, db, { row }) =>
    row(db.selectFrom('books').select(BOOK).where('id', '=', bookId), missing(bookId)),
  ),

  deleteBook: write('deleteBook', ({ path: { bookId } }, db, { row }) =>
    row(db.deleteFrom('books').where('id', '=', bookId), missing(bookId)),
  ),
});

export const books = booksOf(api);
