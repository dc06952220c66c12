// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

import type { JsonText } from '@petstore-platform/server-runtime';

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

export interface Schemas {
  "Format": Format;
  "NewBook": NewBook;
  "Book": Book;
  "Books": Books;
  "StoreState": StoreState;
  "NewStore": NewStore;
  "StoreChange": StoreChange;
  "StoreName": StoreName;
  "Store": Store;
  "Stores": Stores;
  "Stock": Stock;
  "Buyer": Buyer;
  "Labels": Labels;
  "NewSale": NewSale;
  "SaleChange": SaleChange;
  "Sale": Sale;
  "Error": ErrorBody;
  "FieldError": FieldError;
}

/** RFC 9110 section 9.2.1. */
export type SafeOperation = 'listBooks' | 'getBook' | 'listStores' | 'getStore' | 'listStoreBooks' | 'listSales' | 'getSale' | 'getStock';

export interface ListBooksRequest {
  query: {
    limit: number;
    format?: Format | undefined;
    cursor?: string | undefined;
  };
}

export type ListBooksResponse = { status: 200; headers?: { "Link"?: string }; body: Books | JsonText<Books> };

export interface CreateBookRequest {
  headers: {
    'idempotency-key'?: string | undefined;
  };
  body: NewBook;
}

export type CreateBookResponse = { status: 201; body: Book | JsonText<Book> };

export interface GetBookRequest {
  path: {
    bookId: number;
  };
}

export type GetBookResponse = { status: 200; headers?: { "Link"?: string }; body: Book | JsonText<Book> };

export interface DeleteBookRequest {
  path: {
    bookId: number;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
}

export type DeleteBookResponse = { status: 204 };

export interface ListStoresRequest {
  query: {
    limit: number;
    city?: string | undefined;
    cursor?: string | undefined;
  };
}

export type ListStoresResponse = { status: 200; headers?: { "Link"?: string }; body: Stores | JsonText<Stores> };

export interface CreateStoreRequest {
  headers: {
    'idempotency-key'?: string | undefined;
  };
  body: NewStore;
}

export type CreateStoreResponse = { status: 201; body: Store | JsonText<Store> };

export interface GetStoreRequest {
  path: {
    storeId: number;
  };
}

export type GetStoreResponse = { status: 200; body: Store | JsonText<Store> };

export interface DeleteStoreRequest {
  path: {
    storeId: number;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
}

export type DeleteStoreResponse = { status: 204 };

export interface UpdateStoreRequest {
  path: {
    storeId: number;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
  body: StoreChange;
}

export type UpdateStoreResponse = { status: 200; headers: { "ETag": string }; body: Store | JsonText<Store> };

export interface ReplaceStoreNameRequest {
  path: {
    storeId: number;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
  body: StoreName;
}

export type ReplaceStoreNameResponse = { status: 200; headers: { "ETag": string }; body: Store | JsonText<Store> };

export interface ListStoreBooksRequest {
  path: {
    storeId: number;
  };
  query: {
    limit: number;
    format?: Format | undefined;
    title?: string | undefined;
    cursor?: string | undefined;
  };
}

export type ListStoreBooksResponse = { status: 200; headers?: { "Link"?: string }; body: Books | JsonText<Books> };

export interface ListSalesRequest {
  query: {
    limit: number;
    buyer?: string | undefined;
    cursor?: string | undefined;
  };
}

export type ListSalesResponse = { status: 200; headers?: { "Link"?: string }; body: Sale[] | JsonText<Sale[]> };

export interface CreateSaleRequest {
  headers: {
    'x-cashier'?: string | undefined;
    'idempotency-key'?: string | undefined;
  };
  body: NewSale;
}

export type CreateSaleResponse = { status: 201; body: Sale | JsonText<Sale> };

export interface GetSaleRequest {
  path: {
    saleId: number;
  };
}

export type GetSaleResponse = { status: 200; body: Sale | JsonText<Sale> };

export interface LabelSaleRequest {
  path: {
    saleId: number;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
  body: SaleChange;
}

export type LabelSaleResponse = { status: 200; body: Sale | JsonText<Sale> };

export interface GetStockRequest {
  path: {
    storeId: number;
  };
  query: {
    format?: Format | undefined;
  };
}

export type GetStockResponse = { status: 200; headers?: { "Last-Modified"?: string }; body: Stock | JsonText<Stock> };

/**
 * One handler per operation of the contract. A failure is thrown as an `ApiError`.
 *
 * @typeParam Context - what the server gives to every handler besides the request
 */
export interface Handlers<Context> {
  /**
   * List all books.
   *
   * Returns books in the order in which they were added.
   *
   * `GET /books`
   */
  listBooks(request: ListBooksRequest, context: Context): Promise<ListBooksResponse>;

  /**
   * Add a book.
   *
   * Adds a book, once for each `Idempotency-Key`.
   *
   * `POST /books`
   */
  createBook(request: CreateBookRequest, context: Context): Promise<CreateBookResponse>;

  /**
   * Get a book.
   *
   * Returns a single book.
   *
   * `GET /books/{bookId}`
   *
   * @deprecated Since 20 November 2026; removed on 5 December 2030. Use `listBooks` with the `format` filter instead, as in `listBooks({ format: 'hardcover' })`.
   */
  getBook(request: GetBookRequest, context: Context): Promise<GetBookResponse>;

  /**
   * Delete a book.
   *
   * Deletes a book, once for each `Idempotency-Key`.
   *
   * `DELETE /books/{bookId}`
   */
  deleteBook(request: DeleteBookRequest, context: Context): Promise<DeleteBookResponse>;

  /**
   * List stores.
   *
   * Returns stores, the newest first.
   *
   * `GET /stores`
   */
  listStores(request: ListStoresRequest, context: Context): Promise<ListStoresResponse>;

  /**
   * Open a store.
   *
   * Adds a store.
   *
   * `POST /stores`
   */
  createStore(request: CreateStoreRequest, context: Context): Promise<CreateStoreResponse>;

  /**
   * Get a store.
   *
   * Returns a store.
   *
   * `GET /stores/{storeId}`
   */
  getStore(request: GetStoreRequest, context: Context): Promise<GetStoreResponse>;

  /**
   * Delete a store.
   *
   * Deletes a store.
   *
   * `DELETE /stores/{storeId}`
   */
  deleteStore(request: DeleteStoreRequest, context: Context): Promise<DeleteStoreResponse>;

  /**
   * Change a store.
   *
   * Changes the fields that are sent. A closed store stays closed.
   *
   * `PATCH /stores/{storeId}`
   */
  updateStore(request: UpdateStoreRequest, context: Context): Promise<UpdateStoreResponse>;

  /**
   * Rename a store.
   *
   * Changes the name.
   *
   * `PUT /stores/{storeId}/name`
   */
  replaceStoreName(request: ReplaceStoreNameRequest, context: Context): Promise<ReplaceStoreNameResponse>;

  /**
   * List the books of a store.
   *
   * Returns books by title.
   *
   * `GET /stores/{storeId}/books`
   */
  listStoreBooks(request: ListStoreBooksRequest, context: Context): Promise<ListStoreBooksResponse>;

  /**
   * List sales.
   *
   * Returns sales, the latest first.
   *
   * `GET /sales`
   */
  listSales(request: ListSalesRequest, context: Context): Promise<ListSalesResponse>;

  /**
   * Sell books.
   *
   * Adds a sale.
   *
   * `POST /sales`
   */
  createSale(request: CreateSaleRequest, context: Context): Promise<CreateSaleResponse>;

  /**
   * Get a sale.
   *
   * Returns a sale.
   *
   * `GET /sales/{saleId}`
   */
  getSale(request: GetSaleRequest, context: Context): Promise<GetSaleResponse>;

  /**
   * Label a sale.
   *
   * Replaces the labels.
   *
   * `PATCH /sales/{saleId}`
   */
  labelSale(request: LabelSaleRequest, context: Context): Promise<LabelSaleResponse>;

  /**
   * Count books.
   *
   * Counts the books of the store.
   *
   * `GET /stores/{storeId}/stock`
   */
  getStock(request: GetStockRequest, context: Context): Promise<GetStockResponse>;
}
