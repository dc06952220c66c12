// Generated from packages/server-runtime/test/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

/** A request of each operation, from the examples of the contract. */
export const examples: Record<string, { method: string; target: string; body?: unknown }> = {
  "listBooks": {
    "method": "GET",
    "target": "/v1/books?limit=20&format=hardcover"
  },
  "createBook": {
    "method": "POST",
    "target": "/v1/books",
    "body": {
      "title": "The Dispossessed",
      "storeId": 7,
      "format": "hardcover"
    }
  },
  "getBook": {
    "method": "GET",
    "target": "/v1/books/1"
  },
  "deleteBook": {
    "method": "DELETE",
    "target": "/v1/books/1"
  },
  "listStores": {
    "method": "GET",
    "target": "/v1/stores?limit=20&city=Bern"
  },
  "createStore": {
    "method": "POST",
    "target": "/v1/stores",
    "body": {
      "name": "Main",
      "city": "Bern",
      "capacity": 500
    }
  },
  "getStore": {
    "method": "GET",
    "target": "/v1/stores/1"
  },
  "deleteStore": {
    "method": "DELETE",
    "target": "/v1/stores/1"
  },
  "updateStore": {
    "method": "PATCH",
    "target": "/v1/stores/1",
    "body": {
      "state": "full"
    }
  },
  "replaceStoreName": {
    "method": "PUT",
    "target": "/v1/stores/1/name",
    "body": {
      "name": "Annex"
    }
  },
  "getStock": {
    "method": "GET",
    "target": "/v1/stores/1/stock?format=ebook"
  }
};
