// Generated from packages/server-runtime/test/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

import type { Call, PagedCall } from '../call.ts';
import type { CallOptions, IdempotentCallOptions } from '../options.ts';

/** An environment of the API. */
export type Environment = 'production';

/** A book to add. */
export interface NewBook {
  /**
   * Its title. 1 to 200 characters.
   *
   * @example "The Dispossessed"
   */
  title: string;

  /**
   * Its author. 1 to 200 characters.
   *
   * @example "Le Guin"
   */
  author: string;

  /**
   * Of its publication. -3000 to 3000.
   *
   * @example 1974
   */
  year?: number | undefined;
}

/** A book of the store. */
export interface Book {
  /**
   * Assigned by the service. 1 to 9007199254740991.
   *
   * @example 1
   */
  id: number;

  /**
   * Its title. 1 to 200 characters.
   *
   * @example "The Dispossessed"
   */
  title: string;

  /**
   * Its author. 1 to 200 characters.
   *
   * @example "Le Guin"
   */
  author: string;

  /**
   * Of its publication. Absent if unknown. -3000 to 3000.
   *
   * @example 1974
   */
  year?: number | undefined;
}

/** A page of books, in ascending order of `id`. */
export interface Books extends Array<Book> {}

/** The body of every error response. */
export interface ErrorBody {
  /**
   * Machine-readable error code. New codes may be added; handle an unknown code by its `status`.
   *
   * @example "invalid_request"
   */
  code: "invalid_request" | "api_key_missing" | "api_key_invalid" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "conflict" | "idempotency_key_in_use" | "idempotency_key_reused" | "rate_limit_exceeded" | "api_key_banned" | "request_header_fields_too_large" | "internal_error" | "service_unavailable" | "outcome_unknown" | (string & {});

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
   * Return only books of this author. 1 to 200 characters.
   *
   * @example "Le Guin"
   */
  author?: string | undefined;

  /**
   * Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. 1 to 128 characters.
   *
   * @example "bGlzdE5vdGVzOjQu"
   */
  cursor?: string | undefined;
}

/** The parameters of `getBook`. */
export interface GetBookParameters {
  /**
   * The identifier of the book. 1 to 9007199254740991.
   *
   * @example 1
   */
  bookId: number;
}

/** The parameters of `deleteBook`. */
export interface DeleteBookParameters {
  /**
   * The identifier of the book. 1 to 9007199254740991.
   *
   * @example 1
   */
  bookId: number;
}

/** The operations of the API, by their operationId. */
export interface Operations {
  /**
   * List all books.
   *
   * Returns books in the order in which they were added.
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
}

/** The body of each failure that an operation declares, by HTTP status. */
export interface OperationFailures {
  /** Of `listBooks`. */
  listBooks: {
    400: ErrorBody;
    401: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** Of `createBook`. */
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

  /** Of `getBook`. */
  getBook: {
    401: ErrorBody;
    404: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** Of `deleteBook`. */
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
}
