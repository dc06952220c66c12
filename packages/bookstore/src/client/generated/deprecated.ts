// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

import type { FetchCallArguments, FetchCallOptions, FetchCallResult } from '@petstore-platform/client-runtime';
import type { paths } from './schema.ts';

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
    <Init extends FetchCallOptions<paths, '/books/{bookId}', 'get'>>(
      url: '/books/{bookId}',
      ...init: FetchCallArguments<paths, '/books/{bookId}', 'get', Init>
    ): FetchCallResult<paths, '/books/{bookId}', 'get', Init>;
  };
}
