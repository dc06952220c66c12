// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

import type { Call, CallOptions, IdempotentCallOptions, PagedCall } from '@petstore-platform/client-runtime';

/** An environment of the API. */
export type Environment = 'production' | 'staging';

/** How a book is made. */
export type Format = "hardcover" | "paperback" | "ebook";

/** A book to add. */
export interface NewBook {
  /**
   * Its title. 1 to 255 characters.
   *
   * @example "The Dispossessed"
   */
  title: string;

  /**
   * The store that has it. Not checked.
   *
   * @example 7
   */
  storeId: number;

  /** How a book is made. */
  format?: Format | undefined;
}

/** A book of a store. */
export interface Book {
  /**
   * Assigned by the service.
   *
   * @example 1
   */
  id: number;

  /**
   * Its title. 1 to 255 characters.
   *
   * @example "The Dispossessed"
   */
  title: string;

  /**
   * The store that has it. Not checked.
   *
   * @example 7
   */
  storeId: number;

  /** Absent if it was not given. */
  format?: Format | undefined;
}

/** A page of books, in ascending order of `id`. */
export interface Books extends Array<Book> {}

/** Whether it takes books. */
export type StoreState = "open" | "full" | "closed";

/** A store to open. */
export interface NewStore {
  /**
   * 1 to 255 characters.
   *
   * @example "Main"
   */
  name: string;

  /**
   * 1 to 255 characters.
   *
   * @example "Main"
   */
  city: string;

  /**
   * 0 to 100000.
   *
   * @example 500
   */
  capacity?: number | undefined;
}

/** New values. */
export interface StoreChange {
  /**
   * 1 to 255 characters.
   *
   * @example "Main"
   */
  name?: string | undefined;

  /**
   * 0 to 100000.
   *
   * @example 500
   */
  capacity?: number | undefined;

  /** Whether it takes books. */
  state?: StoreState | undefined;
}

/** A new name. */
export interface StoreName {
  /**
   * 1 to 255 characters.
   *
   * @example "Main"
   */
  name: string;
}

/** A store. */
export interface Store {
  /**
   * Assigned by the service.
   *
   * @example 1
   */
  id: number;

  /**
   * 1 to 255 characters.
   *
   * @example "Main"
   */
  name: string;

  /**
   * 1 to 255 characters.
   *
   * @example "Main"
   */
  city: string;

  /**
   * 0 to 100000.
   *
   * @example 500
   */
  capacity?: number | undefined;

  /** Whether it takes books. */
  state: StoreState;
}

/** A page of stores. */
export interface Stores extends Array<Store> {}

/** The books of a store. */
export interface Stock {
  /**
   * 1 to 255 characters.
   *
   * @example "Main"
   */
  store: string;

  /**
   * Assigned by the service.
   *
   * @example 1
   */
  books: number;
}

/** Who buys. */
export interface Buyer {
  /**
   * 1 to 255 characters.
   *
   * @example "Main"
   */
  name: string;

  /**
   * 1 to 255 characters.
   *
   * @example "Main"
   */
  city?: string | undefined;
}

/** Any texts, by name. */
export type Labels = {
    [key: string]: string;
};

/** A sale to add. */
export interface NewSale {
  /**
   * At most 40 characters.
   *
   * @example "2026-11-24T10:15:30.123456Z"
   */
  soldAt: string;

  /**
   * When it is to be paid. At most 10 characters.
   *
   * @example "2026-12-24"
   */
  due: string;

  /**
   * At most 11 characters.
   *
   * @example "19.90"
   */
  price: string;

  /** Who buys. */
  buyer: Buyer;

  /** At most 10 items. */
  titles: string[];

  /** Any texts, by name. */
  labels?: Labels | undefined;
}

/** New labels. */
export interface SaleChange {
  /** Any texts, by name. */
  labels: Labels;
}

/** A sale. */
export interface Sale {
  /**
   * Assigned by the service.
   *
   * @example 1
   */
  id: number;

  /**
   * At most 40 characters.
   *
   * @example "2026-11-24T10:15:30.123456Z"
   */
  soldAt: string;

  /**
   * When it is to be paid. At most 10 characters.
   *
   * @example "2026-12-24"
   */
  due: string;

  /**
   * At most 11 characters.
   *
   * @example "19.90"
   */
  price: string;

  /** Who buys. */
  buyer: Buyer;

  /** At most 10 items. */
  titles: string[];

  /** Any texts, by name. */
  labels?: Labels | undefined;

  /**
   * At most 100 characters.
   *
   * @example "Grace"
   */
  cashier?: string | undefined;

  /**
   * Whether it has a price of 100 or more.
   *
   * @example false
   */
  isLarge: boolean;
}

/** The body of every error response. */
export interface ErrorBody {
  /**
   * Machine-readable error code. New codes may be added; handle an unknown code by its `status`.
   *
   * @example "invalid_request"
   */
  code: "invalid_request" | "unauthorized" | "api_key_missing" | "api_key_invalid" | "api_key_expired" | "payment_required" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "conflict" | "idempotency_key_in_use" | "gone" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "unprocessable_content" | "idempotency_key_reused" | "locked" | "precondition_required" | "rate_limit_exceeded" | "api_key_banned" | "request_header_fields_too_large" | "unavailable_for_legal_reasons" | "internal_error" | "not_implemented" | "bad_gateway" | "service_unavailable" | "outcome_unknown" | "gateway_timeout" | "store_closed" | (string & {});

  /**
   * Human-readable description. It may change; do not parse it.
   *
   * @example "name is required"
   */
  message: string;

  /**
   * The HTTP status code. 400 to 599.
   *
   * @example 400
   */
  status: number;

  /**
   * Which values fail, for forms: each failure of the first part of the request that fails, of path, query, body and
   * header. Not every error has it. At most 20 items.
   */
  errors?: FieldError[] | undefined;
}

/** A value of a request that fails. */
export interface FieldError {
  /**
   * Where it is, as a JSON Pointer (RFC 6901) that begins with `/path`, `/query`, `/header` or `/body`.
   *
   * @example "/body/name"
   */
  pointer: string;

  /**
   * Human-readable description, without the name of the value. It may change; do not parse it.
   *
   * @example "is required"
   */
  message: string;
}

/** The parameters of `listBooks`. */
export interface ListBooksParameters {
  /**
   * The maximum number of items to return. 1 to 100.
   *
   * @default 20
   * @example 20
   */
  limit?: number | undefined;

  /**
   * Return only books of this format.
   *
   * @example "hardcover"
   */
  format?: Format | undefined;

  /** Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. 1 to 4096 characters. */
  cursor?: string | undefined;
}

/** The parameters of `getBook`. */
export interface GetBookParameters {
  /**
   * The identifier of the book.
   *
   * @example 1
   */
  bookId: number;
}

/** The parameters of `deleteBook`. */
export interface DeleteBookParameters {
  /**
   * The identifier of the book.
   *
   * @example 1
   */
  bookId: number;
}

/** The parameters of `listStores`. */
export interface ListStoresParameters {
  /**
   * The maximum number of items to return. 1 to 100.
   *
   * @default 20
   * @example 20
   */
  limit?: number | undefined;

  /**
   * Return only stores in this city. 1 to 100 characters.
   *
   * @example "Bern"
   */
  city?: string | undefined;

  /** Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. 1 to 4096 characters. */
  cursor?: string | undefined;
}

/** The parameters of `getStore`. */
export interface GetStoreParameters {
  /**
   * The identifier of the store.
   *
   * @example 1
   */
  storeId: number;
}

/** The parameters of `deleteStore`. */
export interface DeleteStoreParameters {
  /**
   * The identifier of the store.
   *
   * @example 1
   */
  storeId: number;
}

/** The parameters of `updateStore`. */
export interface UpdateStoreParameters {
  /**
   * The identifier of the store.
   *
   * @example 1
   */
  storeId: number;
}

/** The parameters of `replaceStoreName`. */
export interface ReplaceStoreNameParameters {
  /**
   * The identifier of the store.
   *
   * @example 1
   */
  storeId: number;
}

/** The parameters of `listStoreBooks`. */
export interface ListStoreBooksParameters {
  /**
   * The identifier of the store.
   *
   * @example 1
   */
  storeId: number;

  /**
   * The maximum number of items to return. 1 to 100.
   *
   * @default 20
   * @example 20
   */
  limit?: number | undefined;

  /**
   * Return only books of this format.
   *
   * @example "ebook"
   */
  format?: Format | undefined;

  /**
   * Return only books whose title begins with this text. 1 to 255 characters.
   *
   * @example "The"
   */
  title?: string | undefined;

  /** Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. 1 to 4096 characters. */
  cursor?: string | undefined;
}

/** The parameters of `listSales`. */
export interface ListSalesParameters {
  /**
   * The maximum number of items to return. 1 to 100.
   *
   * @default 20
   * @example 20
   */
  limit?: number | undefined;

  /**
   * Return only sales to buyers whose name begins with this text. 2 to 100 characters.
   *
   * @example "Ada"
   */
  buyer?: string | undefined;

  /** Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. 1 to 4096 characters. */
  cursor?: string | undefined;
}

/** The parameters of `getSale`. */
export interface GetSaleParameters {
  /**
   * The identifier of the sale.
   *
   * @example 1
   */
  saleId: number;
}

/** The parameters of `labelSale`. */
export interface LabelSaleParameters {
  /**
   * The identifier of the sale.
   *
   * @example 1
   */
  saleId: number;
}

/** The parameters of `getStock`. */
export interface GetStockParameters {
  /**
   * The identifier of the store.
   *
   * @example 1
   */
  storeId: number;

  /**
   * Count only books of this format.
   *
   * @example "ebook"
   */
  format?: Format | undefined;
}

/** The operations of the API, by their operationId. */
export interface Operations {
  /**
   * List all books.
   *
   * Returns books in the order in which they were added.
   *
   * Await the call for one page, or iterate it with `for await` for the items of this page and all following ones.
   *
   * `GET /books`
   */
  listBooks(parameters?: ListBooksParameters, options?: CallOptions): PagedCall<Books>;

  /**
   * Add a book.
   *
   * Adds a book, once for each `Idempotency-Key`.
   *
   * `POST /books`
   */
  createBook(body: NewBook, options?: IdempotentCallOptions): Call<Book>;

  /**
   * Get a book.
   *
   * Returns a single book.
   *
   * `GET /books/{bookId}`
   *
   * @deprecated Since 20 November 2026; removed on 5 December 2030. Use `listBooks` with the `format` filter instead, as in `listBooks({ format: 'hardcover' })`.
   */
  getBook(parameters: GetBookParameters, options?: CallOptions): Call<Book>;

  /**
   * Delete a book.
   *
   * Deletes a book, once for each `Idempotency-Key`.
   *
   * `DELETE /books/{bookId}`
   */
  deleteBook(parameters: DeleteBookParameters, options?: IdempotentCallOptions): Call<undefined>;

  /**
   * List stores.
   *
   * Returns stores, the newest first.
   *
   * Await the call for one page, or iterate it with `for await` for the items of this page and all following ones.
   *
   * `GET /stores`
   */
  listStores(parameters?: ListStoresParameters, options?: CallOptions): PagedCall<Stores>;

  /**
   * Open a store.
   *
   * Adds a store.
   *
   * `POST /stores`
   */
  createStore(body: NewStore, options?: IdempotentCallOptions): Call<Store>;

  /**
   * Get a store.
   *
   * Returns a store.
   *
   * `GET /stores/{storeId}`
   */
  getStore(parameters: GetStoreParameters, options?: CallOptions): Call<Store>;

  /**
   * Delete a store.
   *
   * Deletes a store.
   *
   * `DELETE /stores/{storeId}`
   */
  deleteStore(parameters: DeleteStoreParameters, options?: IdempotentCallOptions): Call<undefined>;

  /**
   * Change a store.
   *
   * Changes the fields that are sent. A closed store stays closed.
   *
   * `PATCH /stores/{storeId}`
   */
  updateStore(parameters: UpdateStoreParameters, body: StoreChange, options?: IdempotentCallOptions): Call<Store>;

  /**
   * Rename a store.
   *
   * Changes the name.
   *
   * `PUT /stores/{storeId}/name`
   */
  replaceStoreName(parameters: ReplaceStoreNameParameters, body: StoreName, options?: IdempotentCallOptions): Call<Store>;

  /**
   * List the books of a store.
   *
   * Returns books by title.
   *
   * Await the call for one page, or iterate it with `for await` for the items of this page and all following ones.
   *
   * `GET /stores/{storeId}/books`
   */
  listStoreBooks(parameters: ListStoreBooksParameters, options?: CallOptions): PagedCall<Books>;

  /**
   * List sales.
   *
   * Returns sales, the latest first.
   *
   * Await the call for one page, or iterate it with `for await` for the items of this page and all following ones.
   *
   * `GET /sales`
   */
  listSales(parameters?: ListSalesParameters, options?: CallOptions): PagedCall<Sale[]>;

  /**
   * Sell books.
   *
   * Adds a sale.
   *
   * `POST /sales`
   */
  createSale(body: NewSale, options?: IdempotentCallOptions & { readonly headers?: { readonly 'X-Cashier'?: string | undefined } | undefined }): Call<Sale>;

  /**
   * Get a sale.
   *
   * Returns a sale.
   *
   * `GET /sales/{saleId}`
   */
  getSale(parameters: GetSaleParameters, options?: CallOptions): Call<Sale>;

  /**
   * Label a sale.
   *
   * Replaces the labels.
   *
   * `PATCH /sales/{saleId}`
   */
  labelSale(parameters: LabelSaleParameters, body: SaleChange, options?: IdempotentCallOptions): Call<Sale>;

  /**
   * Count books.
   *
   * Counts the books of the store.
   *
   * `GET /stores/{storeId}/stock`
   */
  getStock(parameters: GetStockParameters, options?: CallOptions): Call<Stock>;
}

/** The body of each failure that an operation declares, by HTTP status. */
export interface OperationFailures {
  /** The failures of `listBooks`. */
  listBooks: {
    400: ErrorBody;
    401: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `createBook`. */
  createBook: {
    400: ErrorBody;
    401: ErrorBody;
    409: ErrorBody;
    413: ErrorBody;
    415: ErrorBody;
    422: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `getBook`. */
  getBook: {
    401: ErrorBody;
    404: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `deleteBook`. */
  deleteBook: {
    400: ErrorBody;
    401: ErrorBody;
    404: ErrorBody;
    409: ErrorBody;
    422: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `listStores`. */
  listStores: {
    400: ErrorBody;
    401: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `createStore`. */
  createStore: {
    400: ErrorBody;
    401: ErrorBody;
    409: ErrorBody;
    413: ErrorBody;
    415: ErrorBody;
    422: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `getStore`. */
  getStore: {
    401: ErrorBody;
    404: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `deleteStore`. */
  deleteStore: {
    400: ErrorBody;
    401: ErrorBody;
    404: ErrorBody;
    409: ErrorBody;
    422: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `updateStore`. */
  updateStore: {
    400: ErrorBody;
    401: ErrorBody;
    404: ErrorBody;
    409: ErrorBody;
    413: ErrorBody;
    415: ErrorBody;
    422: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `replaceStoreName`. */
  replaceStoreName: {
    400: ErrorBody;
    401: ErrorBody;
    404: ErrorBody;
    409: ErrorBody;
    413: ErrorBody;
    415: ErrorBody;
    422: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `listStoreBooks`. */
  listStoreBooks: {
    400: ErrorBody;
    401: ErrorBody;
    404: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `listSales`. */
  listSales: {
    400: ErrorBody;
    401: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `createSale`. */
  createSale: {
    400: ErrorBody;
    401: ErrorBody;
    409: ErrorBody;
    413: ErrorBody;
    415: ErrorBody;
    422: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `getSale`. */
  getSale: {
    401: ErrorBody;
    404: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `labelSale`. */
  labelSale: {
    400: ErrorBody;
    401: ErrorBody;
    404: ErrorBody;
    409: ErrorBody;
    413: ErrorBody;
    415: ErrorBody;
    422: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `getStock`. */
  getStock: {
    400: ErrorBody;
    401: ErrorBody;
    404: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };
}

/** The codes of failures by HTTP status, as far as the contract tells. Others may be added. */
export interface FailureCodes {
  /** With the status 400. */
  400: 'invalid_request' | 'store_closed';
  /** With the status 401. */
  401: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired' | 'store_closed';
  /** With the status 404. */
  404: 'not_found' | 'store_closed';
  /** With the status 409. */
  409: 'idempotency_key_in_use' | 'conflict' | 'store_closed';
  /** With the status 413. */
  413: 'payload_too_large' | 'store_closed';
  /** With the status 415. */
  415: 'unsupported_media_type' | 'store_closed';
  /** With the status 422. */
  422: 'idempotency_key_reused' | 'store_closed';
  /** With the status 429. */
  429: 'rate_limit_exceeded' | 'api_key_banned' | 'store_closed';
  /** With the status 431. */
  431: 'request_header_fields_too_large' | 'store_closed';
  /** With the status 500. */
  500: 'internal_error' | 'store_closed';
  /** With the status 503. */
  503: 'service_unavailable' | 'outcome_unknown' | 'store_closed';
}
