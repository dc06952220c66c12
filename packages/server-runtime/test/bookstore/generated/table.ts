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
      "format",
      "cursor"
    ],
    "headers": [],
    "bodyRequired": false,
    "announcement": {}
  },
  "createBook": {
    "id": "createBook",
    "path": "/v1/books",
    "queryParameters": [],
    "headers": [
      "idempotency-key"
    ],
    "bodyRequired": true,
    "announcement": {}
  },
  "getBook": {
    "id": "getBook",
    "path": "/v1/books/{bookId}",
    "queryParameters": [],
    "headers": [],
    "bodyRequired": false,
    "announcement": {
      "Deprecation": "@1795132800",
      "Sunset": "Thu, 05 Dec 2030 00:00:00 GMT",
      "Link": "</v1/books?format=hardcover>; rel=\"successor-version\""
    }
  },
  "deleteBook": {
    "id": "deleteBook",
    "path": "/v1/books/{bookId}",
    "queryParameters": [],
    "headers": [
      "idempotency-key"
    ],
    "bodyRequired": false,
    "announcement": {}
  },
  "listStores": {
    "id": "listStores",
    "path": "/v1/stores",
    "queryParameters": [
      "limit",
      "city",
      "cursor"
    ],
    "headers": [],
    "bodyRequired": false,
    "announcement": {}
  },
  "createStore": {
    "id": "createStore",
    "path": "/v1/stores",
    "queryParameters": [],
    "headers": [
      "idempotency-key"
    ],
    "bodyRequired": true,
    "announcement": {}
  },
  "getStore": {
    "id": "getStore",
    "path": "/v1/stores/{storeId}",
    "queryParameters": [],
    "headers": [],
    "bodyRequired": false,
    "announcement": {}
  },
  "deleteStore": {
    "id": "deleteStore",
    "path": "/v1/stores/{storeId}",
    "queryParameters": [],
    "headers": [
      "idempotency-key"
    ],
    "bodyRequired": false,
    "announcement": {}
  },
  "updateStore": {
    "id": "updateStore",
    "path": "/v1/stores/{storeId}",
    "queryParameters": [],
    "headers": [
      "idempotency-key"
    ],
    "bodyRequired": true,
    "announcement": {}
  },
  "replaceStoreName": {
    "id": "replaceStoreName",
    "path": "/v1/stores/{storeId}/name",
    "queryParameters": [],
    "headers": [
      "idempotency-key"
    ],
    "bodyRequired": true,
    "announcement": {}
  },
  "listStoreBooks": {
    "id": "listStoreBooks",
    "path": "/v1/stores/{storeId}/books",
    "queryParameters": [
      "limit",
      "format",
      "title",
      "cursor"
    ],
    "headers": [],
    "bodyRequired": false,
    "announcement": {}
  },
  "listSales": {
    "id": "listSales",
    "path": "/v1/sales",
    "queryParameters": [
      "limit",
      "buyer",
      "cursor"
    ],
    "headers": [],
    "bodyRequired": false,
    "announcement": {}
  },
  "createSale": {
    "id": "createSale",
    "path": "/v1/sales",
    "queryParameters": [],
    "headers": [
      "x-cashier",
      "idempotency-key"
    ],
    "bodyRequired": true,
    "announcement": {}
  },
  "getSale": {
    "id": "getSale",
    "path": "/v1/sales/{saleId}",
    "queryParameters": [],
    "headers": [],
    "bodyRequired": false,
    "announcement": {}
  },
  "labelSale": {
    "id": "labelSale",
    "path": "/v1/sales/{saleId}",
    "queryParameters": [],
    "headers": [
      "idempotency-key"
    ],
    "bodyRequired": true,
    "announcement": {}
  },
  "getStock": {
    "id": "getStock",
    "path": "/v1/stores/{storeId}/stock",
    "queryParameters": [
      "format"
    ],
    "headers": [],
    "bodyRequired": false,
    "announcement": {}
  }
};
