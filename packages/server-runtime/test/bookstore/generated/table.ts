// Generated from packages/server-runtime/test/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

/** The path that all operations share. */
export const basePath = '/v1';

/** By operationId. `announcement`: the headers of every response that announce a removal. */
export const operations = {
  "listBooks": {
    "id": "listBooks",
    "path": "/v1/books",
    "queryParameters": [
      "limit",
      "author",
      "cursor"
    ],
    "bodyRequired": false,
    "announcement": {}
  },
  "createBook": {
    "id": "createBook",
    "path": "/v1/books",
    "queryParameters": [],
    "bodyRequired": true,
    "announcement": {}
  },
  "getBook": {
    "id": "getBook",
    "path": "/v1/books/{bookId}",
    "queryParameters": [],
    "bodyRequired": false,
    "announcement": {}
  },
  "deleteBook": {
    "id": "deleteBook",
    "path": "/v1/books/{bookId}",
    "queryParameters": [],
    "bodyRequired": false,
    "announcement": {}
  }
};
