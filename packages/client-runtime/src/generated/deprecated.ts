// Generated from packages/server-runtime/test/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

import type { Arguments, Options, Result } from '../fetch-call.ts';

/** The calls of deprecated operations, by method. */
export interface Deprecated {
  get: {
    /**
     * Get a book.
     *
     * Returns a single book.
     *
     * `GET /books/{bookId}`
     *
     * @deprecated Since 20 November 2026; removed on 5 December 2030. Use `listBooks` with the `format` filter instead, as in `listBooks({ format: 'hardcover' })`.
     */
    <Init extends Options<'/books/{bookId}', 'get'>>(
      url: '/books/{bookId}',
      ...init: Arguments<'/books/{bookId}', 'get', Init>
    ): Result<'/books/{bookId}', 'get', Init>;
  };
}
