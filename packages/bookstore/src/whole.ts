import { ApiError, defineService, operationsOf } from '@petstore-platform/server-runtime';
import { runCommandLine } from '@petstore-platform/service/commands';
import { contract } from './generated/contract.ts';
import { migrations } from './migrations.ts';
import { stores } from './stores.ts';
import { tables } from './tables.ts';

const { read, write } = operationsOf(contract, tables);

const BOOK = ['id', 'title', 'store_id as storeId', 'format'] as const;

const listBooks = read('listBooks', { format: true }, ({ query: { format } }, db, { page }) =>
  page(db.selectFrom('books').select(BOOK), { by: 'id', where: { format } }),
);

const getBook = read('getBook', ({ path: { bookId } }, db, { row }) =>
  row(db.selectFrom('books').select(BOOK).where('id', '=', bookId), { missing: `There is no book ${bookId}` }),
);

const createBook = write('createBook', { title: true, storeId: true, format: true }, ({ body }, db, { row }) => {
  const { title, storeId: store_id, format = null } = body;
  return row(db.insertInto('books').values({ title, store_id, format }).returning(BOOK));
});

const deleteBook = write('deleteBook', async ({ path: { bookId } }, db) => {
  const deleted = await db.deleteFrom('books').where('id', '=', bookId).returning('id').executeTakeFirst();
  if (!deleted) throw new ApiError(404, `There is no book ${bookId}`);
  return { status: 204 };
});

const handlers = { listBooks, getBook, createBook, deleteBook, ...stores };
await runCommandLine(defineService({ name: 'bookstore', contract, handlers, migrations, addressPlan: 'free' }));
