import { ApiError, defineService, lanesOf } from '@repo/server-runtime';
import { runCommandLine } from '@repo/server-runtime/commands';
import { contract } from './generated/contract.ts';
import { migrations } from './migrations.ts';
import { stores } from './stores.ts';
import { tables } from './tables.ts';

const { list, get, create, transaction, rowJson } = lanesOf(contract, tables);

const item = rowJson('Book', { id: 'id', title: 'title', storeId: 'store_id', format: 'format' });
const missing = ({ path }: { path: { bookId: number } }) => `There is no book ${path.bookId}`;

const listBooks = list('listBooks', { from: 'books', order: 'id', filters: { format: 'format' }, item });
const getBook = get('getBook', { from: 'books', by: 'id', key: ({ path }) => path.bookId, item, missing });
const values = { title: 'title', storeId: 'store_id', format: 'format' } as const;
const createBook = create('createBook', { into: 'books', values, item });

const deleteBook = transaction('deleteBook', {}, async (request, db) => {
  const deleted = await db.deleteFrom('books').where('id', '=', request.path.bookId).returning('id').executeTakeFirst();
  if (!deleted) throw new ApiError(404, missing(request));
  return { status: 204 };
});

const handlers = { listBooks, getBook, createBook, deleteBook, ...stores };
await runCommandLine(defineService({ name: 'bookstore', contract, handlers, migrations, addressPlan: 'free' }));
