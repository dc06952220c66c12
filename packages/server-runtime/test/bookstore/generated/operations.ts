// Generated from packages/server-runtime/test/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

import type { JsonText } from '@repo/server-runtime';

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

export interface Schemas {
  "NewBook": NewBook;
  "Book": Book;
  "Books": Books;
  "Error": ErrorBody;
}

/** RFC 9110 section 9.2.1. */
export type SafeOperation = 'listBooks' | 'getBook';

/** With an `Idempotency-Key`. */
export type IdempotentOperation = 'createBook' | 'deleteBook';

export interface ListBooksRequest {
  query: {
    limit: number;
    author?: string | undefined;
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

export type GetBookResponse = { status: 200; body: Book | JsonText<Book> };

export interface DeleteBookRequest {
  path: {
    bookId: number;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
}

export type DeleteBookResponse = { status: 204 };

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
}
