import type { Book, Format, NewBook } from '@repo/bookstore/generated/operations';
import type { Caller, DatabaseHandle } from './runtime.ts';
import { createHandlers } from './runtime.ts';

/** Adds books directly to the database, in one statement. @param keys - their idempotency keys */
export async function insertBooks(
  db: DatabaseHandle,
  books: NewBook[],
  apiKeyId = 0,
  keys?: string[],
): Promise<Book[]> {
  const { createBook } = createHandlers(db);
  const context = { path: '/v1/books', caller: { id: `key:${apiKeyId}` } as Caller, fingerprint: 'ab' };
  const created = books.map((body, index) =>
    createBook({ headers: { 'idempotency-key': keys?.[index] }, body }, context),
  );
  return (await Promise.all(created)).map(({ body }) => JSON.parse(String(body)));
}

export async function insertBook(db: DatabaseHandle, newBook: NewBook): Promise<Book> {
  return (await insertBooks(db, [newBook]))[0] as Book;
}

/** The first page, read directly from the database. */
export async function readBooks(db: DatabaseHandle, format?: Format): Promise<Book[]> {
  const context = { path: '/v1/books', caller: {} as Caller, fingerprint: undefined };
  const { body } = await createHandlers(db).listBooks({ query: { limit: 20, format } }, context);
  return JSON.parse(String(body));
}
