// Generated from packages/server-runtime/test/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

/** A request of each operation, from the examples of the contract. */
export const examples: Record<string, { method: string; target: string; body?: unknown }> = {
  "listBooks": {
    "method": "GET",
    "target": "/v1/books?limit=20&author=Le+Guin"
  },
  "getBook": {
    "method": "GET",
    "target": "/v1/books/1"
  },
  "deleteBook": {
    "method": "DELETE",
    "target": "/v1/books/1"
  }
};
