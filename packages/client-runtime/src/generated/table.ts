// Generated from packages/server-runtime/test/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

/** Base URLs of the environments. */
export const environments = {
  production: 'https://api.bookstore.example/v1',
} as const;

/** How each operation is sent. */
export const operations = {
  listBooks: { method: 'GET', path: '/books', parameters: { limit: 'query', author: 'query', cursor: 'query' }, result: 'array', pages: true },
  createBook: { method: 'POST', path: '/books', body: 'required', result: 'object', idempotencyKey: true },
  getBook: { method: 'GET', path: '/books/{bookId}', parameters: { bookId: 'path' }, result: 'object' },
  deleteBook: { method: 'DELETE', path: '/books/{bookId}', parameters: { bookId: 'path' }, idempotencyKey: true },
} as const;
