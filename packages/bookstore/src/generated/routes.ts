// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

import type { Contract } from '@petstore-platform/server-runtime';

/** The path that all operations share. */
export const basePath = '/v1';

/** By operationId. `announcement`: the headers of every response that announce a removal. */
export const operations = {
  "listBooks": {
    "id": "listBooks",
    "method": "GET",
    "path": "/v1/books",
    "parameters": [
      {
        "in": "query",
        "name": "limit",
        "required": false,
        "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 }
      },
      {
        "in": "query",
        "name": "format",
        "required": false,
        "schema": { "type": "string", "enum": [ "hardcover", "paperback", "ebook" ] }
      },
      {
        "in": "query",
        "name": "cursor",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 4096 }
      }
    ],
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "title": { "required": true, "type": "string" },
        "storeId": { "required": true, "type": "integer", "format": "int64" },
        "format": { "required": false, "type": "string", "enum": [ "hardcover", "paperback", "ebook" ] }
      }
    },
    "announcement": {}
  },
  "createBook": {
    "id": "createBook",
    "method": "POST",
    "path": "/v1/books",
    "parameters": [
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "body": { "required": true, "schema": { "$ref": "#/schemas/NewBook" } },
    "response": {
      "status": 201,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "title": { "required": true, "type": "string" },
        "storeId": { "required": true, "type": "integer", "format": "int64" },
        "format": { "required": false, "type": "string", "enum": [ "hardcover", "paperback", "ebook" ] }
      }
    },
    "announcement": {}
  },
  "getBook": {
    "id": "getBook",
    "method": "GET",
    "path": "/v1/books/{bookId}",
    "parameters": [
      {
        "in": "path",
        "name": "bookId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      }
    ],
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "title": { "required": true, "type": "string" },
        "storeId": { "required": true, "type": "integer", "format": "int64" },
        "format": { "required": false, "type": "string", "enum": [ "hardcover", "paperback", "ebook" ] }
      }
    },
    "announcement": {
      "Deprecation": "@1795132800",
      "Sunset": "Thu, 05 Dec 2030 00:00:00 GMT",
      "Link": "</v1/books?format=hardcover>; rel=\"successor-version\""
    }
  },
  "deleteBook": {
    "id": "deleteBook",
    "method": "DELETE",
    "path": "/v1/books/{bookId}",
    "parameters": [
      {
        "in": "path",
        "name": "bookId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "response": { "status": 204 },
    "announcement": {}
  },
  "listStores": {
    "id": "listStores",
    "method": "GET",
    "path": "/v1/stores",
    "parameters": [
      {
        "in": "query",
        "name": "limit",
        "required": false,
        "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 }
      },
      {
        "in": "query",
        "name": "city",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 100 }
      },
      {
        "in": "query",
        "name": "cursor",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 4096 }
      }
    ],
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "name": { "required": true, "type": "string" },
        "city": { "required": true, "type": "string" },
        "capacity": { "required": false, "type": "integer" },
        "state": { "required": true, "type": "string", "enum": [ "open", "full", "closed" ] }
      }
    },
    "announcement": {}
  },
  "createStore": {
    "id": "createStore",
    "method": "POST",
    "path": "/v1/stores",
    "parameters": [
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "body": { "required": true, "schema": { "$ref": "#/schemas/NewStore" } },
    "response": {
      "status": 201,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "name": { "required": true, "type": "string" },
        "city": { "required": true, "type": "string" },
        "capacity": { "required": false, "type": "integer" },
        "state": { "required": true, "type": "string", "enum": [ "open", "full", "closed" ] }
      }
    },
    "announcement": {}
  },
  "getStore": {
    "id": "getStore",
    "method": "GET",
    "path": "/v1/stores/{storeId}",
    "parameters": [
      {
        "in": "path",
        "name": "storeId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      }
    ],
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "name": { "required": true, "type": "string" },
        "city": { "required": true, "type": "string" },
        "capacity": { "required": false, "type": "integer" },
        "state": { "required": true, "type": "string", "enum": [ "open", "full", "closed" ] }
      }
    },
    "announcement": {}
  },
  "deleteStore": {
    "id": "deleteStore",
    "method": "DELETE",
    "path": "/v1/stores/{storeId}",
    "parameters": [
      {
        "in": "path",
        "name": "storeId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "response": { "status": 204 },
    "announcement": {}
  },
  "updateStore": {
    "id": "updateStore",
    "method": "PATCH",
    "path": "/v1/stores/{storeId}",
    "parameters": [
      {
        "in": "path",
        "name": "storeId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "body": { "required": true, "schema": { "$ref": "#/schemas/StoreChange" } },
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "name": { "required": true, "type": "string" },
        "city": { "required": true, "type": "string" },
        "capacity": { "required": false, "type": "integer" },
        "state": { "required": true, "type": "string", "enum": [ "open", "full", "closed" ] }
      }
    },
    "announcement": {}
  },
  "replaceStoreName": {
    "id": "replaceStoreName",
    "method": "PUT",
    "path": "/v1/stores/{storeId}/name",
    "parameters": [
      {
        "in": "path",
        "name": "storeId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "body": { "required": true, "schema": { "$ref": "#/schemas/StoreName" } },
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "name": { "required": true, "type": "string" },
        "city": { "required": true, "type": "string" },
        "capacity": { "required": false, "type": "integer" },
        "state": { "required": true, "type": "string", "enum": [ "open", "full", "closed" ] }
      }
    },
    "announcement": {}
  },
  "listStoreBooks": {
    "id": "listStoreBooks",
    "method": "GET",
    "path": "/v1/stores/{storeId}/books",
    "parameters": [
      {
        "in": "path",
        "name": "storeId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      },
      {
        "in": "query",
        "name": "limit",
        "required": false,
        "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 }
      },
      {
        "in": "query",
        "name": "format",
        "required": false,
        "schema": { "type": "string", "enum": [ "hardcover", "paperback", "ebook" ] }
      },
      {
        "in": "query",
        "name": "title",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255 }
      },
      {
        "in": "query",
        "name": "cursor",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 4096 }
      }
    ],
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "title": { "required": true, "type": "string" },
        "storeId": { "required": true, "type": "integer", "format": "int64" },
        "format": { "required": false, "type": "string", "enum": [ "hardcover", "paperback", "ebook" ] }
      }
    },
    "announcement": {}
  },
  "listSales": {
    "id": "listSales",
    "method": "GET",
    "path": "/v1/sales",
    "parameters": [
      {
        "in": "query",
        "name": "limit",
        "required": false,
        "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 }
      },
      {
        "in": "query",
        "name": "buyer",
        "required": false,
        "schema": { "type": "string", "minLength": 2, "maxLength": 100 }
      },
      {
        "in": "query",
        "name": "cursor",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 4096 }
      }
    ],
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "soldAt": { "required": true, "type": "string", "format": "date-time" },
        "due": { "required": true, "type": "string", "format": "date" },
        "price": { "required": true, "type": "string" },
        "buyer": { "required": true, "type": "object" },
        "titles": { "required": true, "type": "array" },
        "labels": { "required": false, "type": "object" },
        "cashier": { "required": false, "type": "string" },
        "isLarge": { "required": true, "type": "boolean" }
      }
    },
    "announcement": {}
  },
  "createSale": {
    "id": "createSale",
    "method": "POST",
    "path": "/v1/sales",
    "parameters": [
      {
        "in": "header",
        "name": "X-Cashier",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[ -~]*$" }
      },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "body": { "required": true, "schema": { "$ref": "#/schemas/NewSale" } },
    "response": {
      "status": 201,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "soldAt": { "required": true, "type": "string", "format": "date-time" },
        "due": { "required": true, "type": "string", "format": "date" },
        "price": { "required": true, "type": "string" },
        "buyer": { "required": true, "type": "object" },
        "titles": { "required": true, "type": "array" },
        "labels": { "required": false, "type": "object" },
        "cashier": { "required": false, "type": "string" },
        "isLarge": { "required": true, "type": "boolean" }
      }
    },
    "announcement": {}
  },
  "getSale": {
    "id": "getSale",
    "method": "GET",
    "path": "/v1/sales/{saleId}",
    "parameters": [
      {
        "in": "path",
        "name": "saleId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      }
    ],
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "soldAt": { "required": true, "type": "string", "format": "date-time" },
        "due": { "required": true, "type": "string", "format": "date" },
        "price": { "required": true, "type": "string" },
        "buyer": { "required": true, "type": "object" },
        "titles": { "required": true, "type": "array" },
        "labels": { "required": false, "type": "object" },
        "cashier": { "required": false, "type": "string" },
        "isLarge": { "required": true, "type": "boolean" }
      }
    },
    "announcement": {}
  },
  "labelSale": {
    "id": "labelSale",
    "method": "PATCH",
    "path": "/v1/sales/{saleId}",
    "parameters": [
      {
        "in": "path",
        "name": "saleId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "body": { "required": true, "schema": { "$ref": "#/schemas/SaleChange" } },
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "soldAt": { "required": true, "type": "string", "format": "date-time" },
        "due": { "required": true, "type": "string", "format": "date" },
        "price": { "required": true, "type": "string" },
        "buyer": { "required": true, "type": "object" },
        "titles": { "required": true, "type": "array" },
        "labels": { "required": false, "type": "object" },
        "cashier": { "required": false, "type": "string" },
        "isLarge": { "required": true, "type": "boolean" }
      }
    },
    "announcement": {}
  },
  "getStock": {
    "id": "getStock",
    "method": "GET",
    "path": "/v1/stores/{storeId}/stock",
    "parameters": [
      {
        "in": "path",
        "name": "storeId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      },
      {
        "in": "query",
        "name": "format",
        "required": false,
        "schema": { "type": "string", "enum": [ "hardcover", "paperback", "ebook" ] }
      }
    ],
    "response": {
      "status": 200,
      "fields": {
        "store": { "required": true, "type": "string" },
        "books": { "required": true, "type": "integer", "format": "int64" }
      }
    },
    "announcement": {}
  }
} satisfies Contract['operations'];

/** The schemas to which those of the operations refer, by name. An unknown field is refused. */
export const schemas: Contract['schemas'] = {
  "NewBook": {
    "type": "object",
    "required": [ "title", "storeId" ],
    "additionalProperties": false,
    "properties": {
      "title": { "type": "string", "minLength": 1, "maxLength": 255 },
      "storeId": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 },
      "format": { "$ref": "#/schemas/Format" }
    }
  },
  "Format": { "type": "string", "enum": [ "hardcover", "paperback", "ebook" ] },
  "NewStore": {
    "type": "object",
    "required": [ "name", "city" ],
    "additionalProperties": false,
    "properties": {
      "name": { "type": "string", "minLength": 1, "maxLength": 255 },
      "city": { "type": "string", "minLength": 1, "maxLength": 255 },
      "capacity": { "type": "integer", "minimum": 0, "maximum": 100000 }
    }
  },
  "StoreChange": {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": false,
    "properties": {
      "name": { "type": "string", "minLength": 1, "maxLength": 255 },
      "capacity": { "type": "integer", "minimum": 0, "maximum": 100000 },
      "state": { "$ref": "#/schemas/StoreState" }
    }
  },
  "StoreState": { "type": "string", "enum": [ "open", "full", "closed" ] },
  "StoreName": {
    "type": "object",
    "required": [ "name" ],
    "additionalProperties": false,
    "properties": { "name": { "type": "string", "minLength": 1, "maxLength": 255 } }
  },
  "NewSale": {
    "type": "object",
    "required": [ "soldAt", "due", "price", "buyer", "titles" ],
    "additionalProperties": false,
    "properties": {
      "soldAt": { "type": "string", "format": "date-time", "maxLength": 40 },
      "due": { "type": "string", "format": "date", "maxLength": 10 },
      "price": { "type": "string", "pattern": "^[0-9]{1,8}\\.[0-9]{2}$", "maxLength": 11 },
      "buyer": { "$ref": "#/schemas/Buyer" },
      "titles": { "type": "array", "maxItems": 10, "items": { "type": "string", "minLength": 1, "maxLength": 255 } },
      "labels": { "$ref": "#/schemas/Labels" }
    }
  },
  "Buyer": {
    "type": "object",
    "required": [ "name" ],
    "additionalProperties": false,
    "properties": {
      "name": { "type": "string", "minLength": 1, "maxLength": 255 },
      "city": { "type": "string", "minLength": 1, "maxLength": 255 }
    }
  },
  "Labels": { "type": "object", "maxProperties": 10, "additionalProperties": { "type": "string", "maxLength": 100 } },
  "SaleChange": {
    "type": "object",
    "required": [ "labels" ],
    "additionalProperties": false,
    "properties": { "labels": { "$ref": "#/schemas/Labels" } }
  }
};

/** The headers of all responses. */
export const responseHeaders = [
  "Link",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
  "WWW-Authenticate",
  "Retry-After",
  "Deprecation",
  "Sunset",
  "ETag",
  "Last-Modified"
];
