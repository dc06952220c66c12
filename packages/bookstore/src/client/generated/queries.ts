// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

import type { IdempotentCallOptions } from '@petstore-platform/client-runtime';
import type { ListQuery, Mutation, Query, QueryNames } from '@petstore-platform/client-runtime/react-query';
import type { BookstoreError } from './sdk.ts';

import type * as types from './operations.ts';

/** The names of this SDK. */
export interface Names extends QueryNames {
  readonly service: 'bookstore';
  readonly error: BookstoreError;
}

/** Options of TanStack Query for each operation. */
export interface Queries {
  /**
   * List all books.
   *
   * Returns books in the order in which they were added.
   *
   * `GET /books`
   */
  readonly listBooks: ListQuery<Names, 'listBooks', types.Operations['listBooks'], types.ListBooksParameters>;

  /**
   * Add a book.
   *
   * Adds a book, once for each `Idempotency-Key`.
   *
   * `POST /books`
   */
  readonly createBook: Mutation<Names, 'createBook', types.Operations['createBook'], { readonly body: types.NewBook } & IdempotentCallOptions>;

  /**
   * Get a book.
   *
   * Returns a single book.
   *
   * `GET /books/{bookId}`
   *
   * @deprecated Since 20 November 2026; removed on 5 December 2030. Use `listBooks` with the `format` filter instead, as in `listBooks({ format: 'hardcover' })`.
   */
  readonly getBook: Query<Names, 'getBook', types.Operations['getBook'], types.GetBookParameters>;

  /**
   * Delete a book.
   *
   * Deletes a book, once for each `Idempotency-Key`.
   *
   * `DELETE /books/{bookId}`
   */
  readonly deleteBook: Mutation<Names, 'deleteBook', types.Operations['deleteBook'], { readonly parameters: types.DeleteBookParameters } & IdempotentCallOptions>;

  /**
   * List stores.
   *
   * Returns stores, the newest first.
   *
   * `GET /stores`
   */
  readonly listStores: ListQuery<Names, 'listStores', types.Operations['listStores'], types.ListStoresParameters>;

  /**
   * Open a store.
   *
   * Adds a store.
   *
   * `POST /stores`
   */
  readonly createStore: Mutation<Names, 'createStore', types.Operations['createStore'], { readonly body: types.NewStore } & IdempotentCallOptions>;

  /**
   * Get a store.
   *
   * Returns a store.
   *
   * `GET /stores/{storeId}`
   */
  readonly getStore: Query<Names, 'getStore', types.Operations['getStore'], types.GetStoreParameters>;

  /**
   * Delete a store.
   *
   * Deletes a store.
   *
   * `DELETE /stores/{storeId}`
   */
  readonly deleteStore: Mutation<Names, 'deleteStore', types.Operations['deleteStore'], { readonly parameters: types.DeleteStoreParameters } & IdempotentCallOptions>;

  /**
   * Change a store.
   *
   * Changes the fields that are sent. A closed store stays closed.
   *
   * `PATCH /stores/{storeId}`
   */
  readonly updateStore: Mutation<Names, 'updateStore', types.Operations['updateStore'], { readonly parameters: types.UpdateStoreParameters; readonly body: types.StoreChange } & IdempotentCallOptions>;

  /**
   * Rename a store.
   *
   * Changes the name.
   *
   * `PUT /stores/{storeId}/name`
   */
  readonly replaceStoreName: Mutation<Names, 'replaceStoreName', types.Operations['replaceStoreName'], { readonly parameters: types.ReplaceStoreNameParameters; readonly body: types.StoreName } & IdempotentCallOptions>;

  /**
   * List the books of a store.
   *
   * Returns books by title.
   *
   * `GET /stores/{storeId}/books`
   */
  readonly listStoreBooks: ListQuery<Names, 'listStoreBooks', types.Operations['listStoreBooks'], types.ListStoreBooksParameters>;

  /**
   * List sales.
   *
   * Returns sales, the latest first.
   *
   * `GET /sales`
   */
  readonly listSales: ListQuery<Names, 'listSales', types.Operations['listSales'], types.ListSalesParameters>;

  /**
   * Sell books.
   *
   * Adds a sale.
   *
   * `POST /sales`
   */
  readonly createSale: Mutation<Names, 'createSale', types.Operations['createSale'], { readonly body: types.NewSale } & IdempotentCallOptions & { readonly headers?: { readonly 'X-Cashier'?: string | undefined } | undefined }>;

  /**
   * Get a sale.
   *
   * Returns a sale.
   *
   * `GET /sales/{saleId}`
   */
  readonly getSale: Query<Names, 'getSale', types.Operations['getSale'], types.GetSaleParameters>;

  /**
   * Label a sale.
   *
   * Replaces the labels.
   *
   * `PATCH /sales/{saleId}`
   */
  readonly labelSale: Mutation<Names, 'labelSale', types.Operations['labelSale'], { readonly parameters: types.LabelSaleParameters; readonly body: types.SaleChange } & IdempotentCallOptions>;

  /**
   * Count books.
   *
   * Counts the books of the store.
   *
   * `GET /stores/{storeId}/stock`
   */
  readonly getStock: Query<Names, 'getStock', types.Operations['getStock'], types.GetStockParameters>;
}
