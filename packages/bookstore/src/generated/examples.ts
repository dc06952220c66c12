// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

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
  "listStoreBooks": {
    "method": "GET",
    "target": "/v1/stores/1/books?limit=20&format=ebook&title=The"
  },
  "listSales": {
    "method": "GET",
    "target": "/v1/sales?limit=20&buyer=Ada"
  },
  "createSale": {
    "method": "POST",
    "target": "/v1/sales",
    "body": {
      "soldAt": "2026-11-24T10:15:30.123456Z",
      "due": "2026-12-24",
      "price": "19.90",
      "buyer": {
        "name": "Ada"
      },
      "titles": [
        "Emma"
      ],
      "labels": {
        "campaign": "winter"
      }
    }
  },
  "getSale": {
    "method": "GET",
    "target": "/v1/sales/1"
  },
  "labelSale": {
    "method": "PATCH",
    "target": "/v1/sales/1",
    "body": {
      "labels": {
        "campaign": "spring"
      }
    }
  },
  "getStock": {
    "method": "GET",
    "target": "/v1/stores/1/stock?format=ebook"
  }
};
