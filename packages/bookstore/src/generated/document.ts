// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

export const document = {
  "openapi": "3.1.0",
  "info": {
    "title": "Bookstore",
    "version": "1.0.0",
    "description": "The books of a chain of stores.",
    "contact": { "name": "Bookstore maintainers", "url": "https://bookstore.example/support" },
    "license": { "name": "MIT", "identifier": "MIT" }
  },
  "servers": [
    { "url": "https://api.bookstore.example/v1", "description": "Production", "x-environment": "production" },
    { "url": "https://api.staging.bookstore.example/v1", "description": "Staging", "x-environment": "staging" }
  ],
  "tags": [ { "name": "books", "description": "The books." }, { "name": "stores", "description": "The stores." } ],
  "x-error-codes": [ "store_closed" ],
  "paths": {
    "/books": {
      "get": {
        "operationId": "listBooks",
        "tags": [ "books" ],
        "summary": "List all books",
        "description": "Returns books in the order in which they were added.",
        "parameters": [
          { "$ref": "#/components/parameters/Limit" },
          {
            "name": "format",
            "in": "query",
            "description": "Return only books of this format.",
            "schema": { "$ref": "#/components/schemas/Format" },
            "example": "hardcover"
          },
          { "$ref": "#/components/parameters/Cursor" }
        ],
        "responses": {
          "200": {
            "description": "A page of books.",
            "headers": {
              "Link": { "$ref": "#/components/headers/Link" },
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": {
              "application/json": {
                "schema": { "$ref": "#/components/schemas/Books" },
                "example": [ { "id": 1, "title": "The Dispossessed", "storeId": 7, "format": "hardcover" } ]
              }
            }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        }
      },
      "post": {
        "operationId": "createBook",
        "tags": [ "books" ],
        "summary": "Add a book",
        "description": "Adds a book, once for each `Idempotency-Key`.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": { "$ref": "#/components/schemas/NewBook" },
              "example": { "title": "The Dispossessed", "storeId": 7, "format": "hardcover" }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The book that was added.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": {
              "application/json": {
                "schema": { "$ref": "#/components/schemas/Book" },
                "example": { "id": 1, "title": "The Dispossessed", "storeId": 7, "format": "hardcover" }
              }
            }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/IdempotencyKeyReused" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/books/{bookId}": {
      "parameters": [
        {
          "name": "bookId",
          "in": "path",
          "required": true,
          "description": "The identifier of the book.",
          "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 },
          "example": 1
        }
      ],
      "get": {
        "operationId": "getBook",
        "tags": [ "books" ],
        "summary": "Get a book",
        "description": "Returns a single book.",
        "deprecated": true,
        "x-deprecated-at": "2026-11-20",
        "x-sunset": "2030-12-05",
        "x-replaced-by": { "operationId": "listBooks", "parameters": { "format": "hardcover" } },
        "responses": {
          "200": {
            "description": "The book.",
            "headers": {
              "Deprecation": { "$ref": "#/components/headers/Deprecation" },
              "Sunset": { "$ref": "#/components/headers/Sunset" },
              "Link": { "$ref": "#/components/headers/Link" },
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": {
              "application/json": {
                "schema": { "$ref": "#/components/schemas/Book" },
                "example": { "id": 1, "title": "The Dispossessed", "storeId": 7, "format": "hardcover" }
              }
            }
          },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "404": { "$ref": "#/components/responses/NotFound" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        }
      },
      "delete": {
        "operationId": "deleteBook",
        "tags": [ "books" ],
        "summary": "Delete a book",
        "description": "Deletes a book, once for each `Idempotency-Key`.",
        "responses": {
          "204": {
            "description": "The book is deleted.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "404": { "$ref": "#/components/responses/NotFound" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "422": { "$ref": "#/components/responses/IdempotencyKeyReused" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/stores": {
      "get": {
        "operationId": "listStores",
        "tags": [ "stores" ],
        "summary": "List stores",
        "description": "Returns stores, the newest first.",
        "parameters": [
          { "$ref": "#/components/parameters/Limit" },
          {
            "name": "city",
            "in": "query",
            "description": "Return only stores in this city.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[^\\x00]*$" },
            "example": "Bern"
          },
          { "$ref": "#/components/parameters/Cursor" }
        ],
        "responses": {
          "200": {
            "description": "A page of stores.",
            "headers": {
              "Link": { "$ref": "#/components/headers/Link" },
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Stores" } } }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        }
      },
      "post": {
        "operationId": "createStore",
        "tags": [ "stores" ],
        "summary": "Open a store",
        "description": "Adds a store.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": { "$ref": "#/components/schemas/NewStore" },
              "example": { "name": "Main", "city": "Bern", "capacity": 500 }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The store.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Store" } } }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/IdempotencyKeyReused" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/stores/{storeId}": {
      "parameters": [ { "$ref": "#/components/parameters/StoreId" } ],
      "get": {
        "operationId": "getStore",
        "tags": [ "stores" ],
        "summary": "Get a store",
        "description": "Returns a store.",
        "responses": {
          "200": {
            "description": "The store.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Store" } } }
          },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "404": { "$ref": "#/components/responses/NotFound" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        }
      },
      "patch": {
        "operationId": "updateStore",
        "tags": [ "stores" ],
        "summary": "Change a store",
        "description": "Changes the fields that are sent. A closed store stays closed.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": { "schema": { "$ref": "#/components/schemas/StoreChange" }, "example": { "state": "full" } }
          }
        },
        "responses": {
          "200": {
            "description": "The store.",
            "headers": {
              "ETag": {
                "required": true,
                "description": "Of the version that a later change may name.",
                "schema": { "type": "string", "pattern": "^\"[^\"]+\"$" },
                "example": "\"1-full\""
              },
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Store" } } }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "404": { "$ref": "#/components/responses/NotFound" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/IdempotencyKeyReused" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      },
      "delete": {
        "operationId": "deleteStore",
        "tags": [ "stores" ],
        "summary": "Delete a store",
        "description": "Deletes a store.",
        "responses": {
          "204": {
            "description": "It is deleted.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "404": { "$ref": "#/components/responses/NotFound" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "422": { "$ref": "#/components/responses/IdempotencyKeyReused" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/stores/{storeId}/name": {
      "parameters": [ { "$ref": "#/components/parameters/StoreId" } ],
      "put": {
        "operationId": "replaceStoreName",
        "tags": [ "stores" ],
        "summary": "Rename a store",
        "description": "Changes the name.",
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": { "schema": { "$ref": "#/components/schemas/StoreName" }, "example": { "name": "Annex" } }
          }
        },
        "responses": {
          "200": {
            "description": "The store.",
            "headers": {
              "ETag": {
                "required": true,
                "description": "Of the version that a later change may name.",
                "schema": { "type": "string", "pattern": "^\"[^\"]+\"$" },
                "example": "\"1-full\""
              },
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Store" } } }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "404": { "$ref": "#/components/responses/NotFound" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/IdempotencyKeyReused" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        }
      }
    },
    "/stores/{storeId}/books": {
      "parameters": [ { "$ref": "#/components/parameters/StoreId" } ],
      "get": {
        "operationId": "listStoreBooks",
        "tags": [ "stores" ],
        "summary": "List the books of a store",
        "description": "Returns books by title.",
        "parameters": [
          { "$ref": "#/components/parameters/Limit" },
          {
            "name": "format",
            "in": "query",
            "description": "Return only books of this format.",
            "schema": { "$ref": "#/components/schemas/Format" },
            "example": "ebook"
          },
          {
            "name": "title",
            "in": "query",
            "description": "Return only books whose title begins with this text.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[^\\x00]*$" },
            "example": "The"
          },
          { "$ref": "#/components/parameters/Cursor" }
        ],
        "responses": {
          "200": {
            "description": "A page of books.",
            "headers": {
              "Link": { "$ref": "#/components/headers/Link" },
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Books" } } }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "404": { "$ref": "#/components/responses/NotFound" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        }
      }
    },
    "/sales": {
      "get": {
        "operationId": "listSales",
        "tags": [ "stores" ],
        "summary": "List sales",
        "description": "Returns sales, the latest first.",
        "parameters": [
          { "$ref": "#/components/parameters/Limit" },
          {
            "name": "buyer",
            "in": "query",
            "description": "Return only sales to buyers whose name begins with this text.",
            "schema": { "type": "string", "minLength": 2, "maxLength": 100, "pattern": "^[^\\x00]*$" },
            "example": "Ada"
          },
          { "$ref": "#/components/parameters/Cursor" }
        ],
        "responses": {
          "200": {
            "description": "A page of sales.",
            "headers": {
              "Link": { "$ref": "#/components/headers/Link" },
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": {
              "application/json": { "schema": { "type": "array", "maxItems": 100, "items": { "$ref": "#/components/schemas/Sale" } } }
            }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        }
      },
      "post": {
        "operationId": "createSale",
        "tags": [ "stores" ],
        "summary": "Sell books",
        "description": "Adds a sale.",
        "parameters": [
          {
            "name": "X-Cashier",
            "in": "header",
            "description": "Who sells.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[ -~]*$" },
            "example": "Grace"
          },
          { "$ref": "#/components/parameters/IdempotencyKey" }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": { "$ref": "#/components/schemas/NewSale" },
              "example": {
                "soldAt": "2026-11-24T10:15:30.123456Z",
                "due": "2026-12-24",
                "price": "19.90",
                "buyer": { "name": "Ada" },
                "titles": [ "Emma" ],
                "labels": { "campaign": "winter" }
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The sale.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Sale" } } }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/IdempotencyKeyReused" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        }
      }
    },
    "/sales/{saleId}": {
      "parameters": [
        {
          "name": "saleId",
          "in": "path",
          "required": true,
          "description": "The identifier of the sale.",
          "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 },
          "example": 1
        }
      ],
      "get": {
        "operationId": "getSale",
        "tags": [ "stores" ],
        "summary": "Get a sale",
        "description": "Returns a sale.",
        "responses": {
          "200": {
            "description": "The sale.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Sale" } } }
          },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "404": { "$ref": "#/components/responses/NotFound" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        }
      },
      "patch": {
        "operationId": "labelSale",
        "tags": [ "stores" ],
        "summary": "Label a sale",
        "description": "Replaces the labels.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": { "$ref": "#/components/schemas/SaleChange" },
              "example": { "labels": { "campaign": "spring" } }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The sale.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Sale" } } }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "404": { "$ref": "#/components/responses/NotFound" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/IdempotencyKeyReused" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/stores/{storeId}/stock": {
      "parameters": [ { "$ref": "#/components/parameters/StoreId" } ],
      "get": {
        "operationId": "getStock",
        "tags": [ "stores" ],
        "summary": "Count books",
        "description": "Counts the books of the store.",
        "parameters": [
          {
            "name": "format",
            "in": "query",
            "description": "Count only books of this format.",
            "schema": { "$ref": "#/components/schemas/Format" },
            "example": "ebook"
          }
        ],
        "responses": {
          "200": {
            "description": "The counts.",
            "headers": {
              "Last-Modified": {
                "description": "When it last changed.",
                "schema": {
                  "type": "string",
                  "pattern": "^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$"
                },
                "example": "Mon, 23 Nov 2026 00:00:00 GMT"
              },
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Stock" } } }
          },
          "400": { "$ref": "#/components/responses/BadRequest" },
          "401": { "$ref": "#/components/responses/Unauthorized" },
          "404": { "$ref": "#/components/responses/NotFound" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        }
      }
    }
  },
  "components": {
    "securitySchemes": {
      "bearerAuth": {
        "type": "http",
        "scheme": "bearer",
        "description": "The API key, as `Authorization: Bearer <API_KEY>`. Keys are issued and revoked by the operator.\n"
      }
    },
    "schemas": {
      "Format": { "description": "How a book is made.", "type": "string", "enum": [ "hardcover", "paperback", "ebook" ] },
      "NewBook": {
        "description": "A book to add.",
        "type": "object",
        "required": [ "title", "storeId" ],
        "additionalProperties": false,
        "properties": {
          "title": {
            "description": "Its title.",
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "example": "The Dispossessed",
            "pattern": "^[^\\x00]*$"
          },
          "storeId": {
            "description": "The store that has it. Not checked.",
            "type": "integer",
            "format": "int64",
            "minimum": -9007199254740991,
            "maximum": 9007199254740991,
            "example": 7
          },
          "format": { "$ref": "#/components/schemas/Format" }
        }
      },
      "Book": {
        "description": "A book of a store.",
        "type": "object",
        "required": [ "id", "title", "storeId" ],
        "properties": {
          "id": {
            "description": "Assigned by the service.",
            "type": "integer",
            "format": "int64",
            "minimum": -9007199254740991,
            "maximum": 9007199254740991,
            "example": 1
          },
          "title": {
            "description": "Its title.",
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "example": "The Dispossessed"
          },
          "storeId": {
            "description": "The store that has it. Not checked.",
            "type": "integer",
            "format": "int64",
            "minimum": -9007199254740991,
            "maximum": 9007199254740991,
            "example": 7
          },
          "format": { "description": "Absent if it was not given.", "$ref": "#/components/schemas/Format" }
        }
      },
      "Books": {
        "description": "A page of books, in ascending order of `id`.",
        "type": "array",
        "maxItems": 100,
        "items": { "$ref": "#/components/schemas/Book" }
      },
      "StoreState": { "description": "Whether it takes books.", "type": "string", "enum": [ "open", "full", "closed" ] },
      "NewStore": {
        "description": "A store to open.",
        "type": "object",
        "required": [ "name", "city" ],
        "additionalProperties": false,
        "properties": {
          "name": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main", "pattern": "^[^\\x00]*$" },
          "city": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main", "pattern": "^[^\\x00]*$" },
          "capacity": { "type": "integer", "minimum": 0, "maximum": 100000, "example": 500 }
        }
      },
      "StoreChange": {
        "description": "New values.",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": false,
        "properties": {
          "name": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main", "pattern": "^[^\\x00]*$" },
          "capacity": { "type": "integer", "minimum": 0, "maximum": 100000, "example": 500 },
          "state": { "$ref": "#/components/schemas/StoreState" }
        }
      },
      "StoreName": {
        "description": "A new name.",
        "type": "object",
        "required": [ "name" ],
        "additionalProperties": false,
        "properties": { "name": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main", "pattern": "^[^\\x00]*$" } }
      },
      "Store": {
        "description": "A store.",
        "type": "object",
        "required": [ "id", "name", "city", "state" ],
        "properties": {
          "id": {
            "description": "Assigned by the service.",
            "type": "integer",
            "format": "int64",
            "minimum": -9007199254740991,
            "maximum": 9007199254740991,
            "example": 1
          },
          "name": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main" },
          "city": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main" },
          "capacity": { "type": "integer", "minimum": 0, "maximum": 100000, "example": 500 },
          "state": { "$ref": "#/components/schemas/StoreState" }
        }
      },
      "Stores": {
        "description": "A page of stores.",
        "type": "array",
        "maxItems": 100,
        "items": { "$ref": "#/components/schemas/Store" }
      },
      "Stock": {
        "description": "The books of a store.",
        "type": "object",
        "required": [ "store", "books" ],
        "properties": {
          "store": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main" },
          "books": {
            "description": "Assigned by the service.",
            "type": "integer",
            "format": "int64",
            "minimum": -9007199254740991,
            "maximum": 9007199254740991,
            "example": 1
          }
        }
      },
      "Buyer": {
        "description": "Who buys.",
        "type": "object",
        "required": [ "name" ],
        "additionalProperties": false,
        "properties": {
          "name": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main", "pattern": "^[^\\x00]*$" },
          "city": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main", "pattern": "^[^\\x00]*$" }
        }
      },
      "Labels": {
        "description": "Any texts, by name.",
        "type": "object",
        "maxProperties": 10,
        "additionalProperties": { "type": "string", "maxLength": 100, "pattern": "^[^\\x00]*$" }
      },
      "NewSale": {
        "description": "A sale to add.",
        "type": "object",
        "required": [ "soldAt", "due", "price", "buyer", "titles" ],
        "additionalProperties": false,
        "properties": {
          "soldAt": { "type": "string", "format": "date-time", "maxLength": 40, "example": "2026-11-24T10:15:30.123456Z" },
          "due": {
            "description": "When it is to be paid.",
            "type": "string",
            "format": "date",
            "maxLength": 10,
            "example": "2026-12-24"
          },
          "price": { "type": "string", "pattern": "^[0-9]{1,8}\\.[0-9]{2}$", "maxLength": 11, "example": "19.90" },
          "buyer": { "$ref": "#/components/schemas/Buyer" },
          "titles": {
            "type": "array",
            "maxItems": 10,
            "items": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main", "pattern": "^[^\\x00]*$" }
          },
          "labels": { "$ref": "#/components/schemas/Labels" }
        }
      },
      "SaleChange": {
        "description": "New labels.",
        "type": "object",
        "required": [ "labels" ],
        "additionalProperties": false,
        "properties": { "labels": { "$ref": "#/components/schemas/Labels" } }
      },
      "Sale": {
        "description": "A sale.",
        "type": "object",
        "required": [ "id", "soldAt", "due", "price", "buyer", "titles", "isLarge" ],
        "properties": {
          "id": {
            "description": "Assigned by the service.",
            "type": "integer",
            "format": "int64",
            "minimum": -9007199254740991,
            "maximum": 9007199254740991,
            "example": 1
          },
          "soldAt": { "type": "string", "format": "date-time", "maxLength": 40, "example": "2026-11-24T10:15:30.123456Z" },
          "due": {
            "description": "When it is to be paid.",
            "type": "string",
            "format": "date",
            "maxLength": 10,
            "example": "2026-12-24"
          },
          "price": { "type": "string", "pattern": "^[0-9]{1,8}\\.[0-9]{2}$", "maxLength": 11, "example": "19.90" },
          "buyer": { "$ref": "#/components/schemas/Buyer" },
          "titles": {
            "type": "array",
            "maxItems": 10,
            "items": { "type": "string", "minLength": 1, "maxLength": 255, "example": "Main" }
          },
          "labels": { "$ref": "#/components/schemas/Labels" },
          "cashier": { "type": "string", "maxLength": 100, "example": "Grace" },
          "isLarge": { "description": "Whether it has a price of 100 or more.", "type": "boolean", "example": false }
        }
      },
      "Error": {
        "description": "The body of every error response.",
        "type": "object",
        "required": [ "code", "message", "status" ],
        "properties": {
          "code": {
            "description": "Machine-readable error code. New codes may be added; handle an unknown code by its `status`.",
            "type": "string",
            "x-extensible-enum": [
              "invalid_request",
              "unauthorized",
              "api_key_missing",
              "api_key_invalid",
              "api_key_expired",
              "payment_required",
              "forbidden",
              "not_found",
              "method_not_allowed",
              "not_acceptable",
              "request_timeout",
              "conflict",
              "idempotency_key_in_use",
              "gone",
              "precondition_failed",
              "payload_too_large",
              "uri_too_long",
              "unsupported_media_type",
              "expectation_failed",
              "unprocessable_content",
              "idempotency_key_reused",
              "locked",
              "precondition_required",
              "rate_limit_exceeded",
              "api_key_banned",
              "request_header_fields_too_large",
              "unavailable_for_legal_reasons",
              "internal_error",
              "not_implemented",
              "bad_gateway",
              "service_unavailable",
              "outcome_unknown",
              "gateway_timeout",
              "store_closed"
            ],
            "example": "invalid_request"
          },
          "message": {
            "description": "Human-readable description. It may change; do not parse it.",
            "type": "string",
            "example": "name is required"
          },
          "status": { "description": "The HTTP status code.", "type": "integer", "minimum": 400, "maximum": 599, "example": 400 },
          "errors": {
            "description": "Which values fail, for forms: each failure of the first part of the request that fails, of path, query, body and\nheader. Not every error has it.\n",
            "type": "array",
            "maxItems": 20,
            "items": { "$ref": "#/components/schemas/FieldError" }
          }
        }
      },
      "FieldError": {
        "description": "A value of a request that fails.",
        "type": "object",
        "required": [ "pointer", "message" ],
        "properties": {
          "pointer": {
            "description": "Where it is, as a JSON Pointer (RFC 6901) that begins with `/path`, `/query`, `/header` or `/body`.",
            "type": "string",
            "example": "/body/name"
          },
          "message": {
            "description": "Human-readable description, without the name of the value. It may change; do not parse it.",
            "type": "string",
            "example": "is required"
          }
        }
      }
    },
    "parameters": {
      "Limit": {
        "name": "limit",
        "in": "query",
        "description": "The maximum number of items to return.",
        "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 },
        "example": 20
      },
      "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Makes the request safe to repeat.",
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      },
      "StoreId": {
        "name": "storeId",
        "in": "path",
        "required": true,
        "description": "The identifier of the store.",
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 },
        "example": 1
      },
      "Cursor": {
        "name": "cursor",
        "in": "query",
        "description": "Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it.\n",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 4096,
          "pattern": "^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]u|Lg|[A-Za-z0-9_-][CSiy]4)$"
        }
      }
    },
    "headers": {
      "X-RateLimit-Limit": {
        "required": true,
        "description": "The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.",
        "schema": { "type": "integer", "minimum": 0 },
        "example": 60
      },
      "X-RateLimit-Remaining": {
        "required": true,
        "description": "Requests remaining in the current window.",
        "schema": { "type": "integer", "minimum": 0 },
        "example": 59
      },
      "X-RateLimit-Reset": {
        "required": true,
        "description": "Unix timestamp in seconds at which the limit resets.",
        "schema": { "type": "integer", "minimum": 0 },
        "example": 1795176060
      },
      "RateLimit-Policy": {
        "required": true,
        "description": "Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a\nvalid key there is only the minute.\n",
        "schema": {
          "type": "string",
          "pattern": "^\"[a-z]+\";q=[0-9]{1,15};w=[0-9]{1,15}(, \"[a-z]+\";q=[0-9]{1,15};w=[0-9]{1,15})*$"
        },
        "example": "\"minute\";q=60;w=60, \"day\";q=1000;w=86400"
      },
      "RateLimit": {
        "required": true,
        "description": "Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.",
        "schema": {
          "type": "string",
          "pattern": "^\"[a-z]+\";r=[0-9]{1,15};t=[0-9]{1,15}(, \"[a-z]+\";r=[0-9]{1,15};t=[0-9]{1,15})*$"
        },
        "example": "\"minute\";r=59;t=30, \"day\";r=999;t=43200"
      },
      "Retry-After": {
        "description": "Seconds to wait before the next request (RFC 9110, section 10.2.3).",
        "schema": { "type": "integer", "minimum": 0 },
        "example": 30
      },
      "WWW-Authenticate": {
        "required": true,
        "description": "The authentication scheme (RFC 6750, section 3).",
        "schema": { "type": "string", "pattern": "^Bearer realm=\"[^\"\\\\]+\"(, error=\"[a-z_]+\")?$" },
        "example": "Bearer realm=\"service\""
      },
      "Link": {
        "description": "Related resources (RFC 8288). `rel=\"next\"`: the next page, absent on the last one. `rel=\"successor-version\"`:\nthe replacement of a deprecated operation.\n",
        "schema": { "type": "string", "pattern": "^<[^<>\" ]+>; rel=\"[a-z-]+\"(, <[^<>\" ]+>; rel=\"[a-z-]+\")*$" },
        "example": "</v1/items?limit=20&cursor=YWZ0ZXI6NC4>; rel=\"next\""
      },
      "Deprecation": {
        "required": true,
        "description": "Time of the deprecation: `@` and a Unix timestamp (RFC 9745).",
        "schema": { "type": "string", "pattern": "^@[0-9]{1,15}$" },
        "example": "@1795132800"
      },
      "Sunset": {
        "required": true,
        "description": "Time of the removal (RFC 8594).",
        "schema": {
          "type": "string",
          "pattern": "^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$"
        },
        "example": "Thu, 05 Dec 2030 00:00:00 GMT"
      }
    },
    "responses": {
      "BadRequest": {
        "description": "The request contains an invalid value or lacks a required one. Nothing was changed.",
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "examples": {
              "missing": { "value": { "code": "invalid_request", "message": "body.name is required", "status": 400 } },
              "outOfRange": {
                "value": { "code": "invalid_request", "message": "query parameter limit must be at most 100", "status": 400 }
              }
            }
          }
        }
      },
      "Unauthorized": {
        "description": "The API key is missing, invalid or expired.",
        "headers": {
          "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" },
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "examples": {
              "missing": {
                "value": {
                  "code": "api_key_missing",
                  "message": "Send your API key as Authorization: Bearer <API_KEY>",
                  "status": 401
                }
              },
              "invalid": { "value": { "code": "api_key_invalid", "message": "The API key is not valid", "status": 401 } },
              "expired": { "value": { "code": "api_key_expired", "message": "The API key has expired", "status": 401 } }
            }
          }
        }
      },
      "NotFound": {
        "description": "There is no such resource.",
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "example": { "code": "not_found", "message": "There is no such resource", "status": 404 }
          }
        }
      },
      "IdempotencyKeyInUse": {
        "description": "A request with the same `Idempotency-Key` is in progress: retry after a second. Or the change conflicts with what is stored\n(`conflict`), and changed nothing.\n",
        "headers": {
          "Retry-After": { "$ref": "#/components/headers/Retry-After" },
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "examples": {
              "inUse": {
                "value": {
                  "code": "idempotency_key_in_use",
                  "message": "A request with this Idempotency-Key is in progress",
                  "status": 409
                }
              },
              "conflict": { "value": { "code": "conflict", "message": "The change conflicts with what is stored", "status": 409 } }
            }
          }
        }
      },
      "ContentTooLarge": {
        "description": "The body is larger than the service accepts.",
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "example": { "code": "payload_too_large", "message": "The body is larger than 65536 bytes", "status": 413 }
          }
        }
      },
      "UnsupportedMediaType": {
        "description": "The body is not `application/json`.",
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "example": { "code": "unsupported_media_type", "message": "Send the body as application/json", "status": 415 }
          }
        }
      },
      "IdempotencyKeyReused": {
        "description": "The `Idempotency-Key` was already used with another request. Nothing was changed.",
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "example": {
              "code": "idempotency_key_reused",
              "message": "This Idempotency-Key was used with another body",
              "status": 422
            }
          }
        }
      },
      "TooManyRequests": {
        "description": "Rate limit exceeded, or the key is banned for sending more requests after a 429. Wait for `Retry-After` seconds.\nRequests refused within a second of the first 429 do not count towards a ban.\n",
        "headers": {
          "Retry-After": { "$ref": "#/components/headers/Retry-After" },
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "examples": {
              "limit": {
                "value": {
                  "code": "rate_limit_exceeded",
                  "message": "The limit of 60 requests per minute is reached; retry in 30 seconds",
                  "status": 429
                }
              },
              "banned": {
                "value": {
                  "code": "api_key_banned",
                  "message": "Temporarily banned for sending more requests after a 429; retry in 600 seconds",
                  "status": 429
                }
              }
            }
          }
        }
      },
      "InternalServerError": {
        "description": "Internal error.",
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "example": { "code": "internal_error", "message": "Internal error", "status": 500 }
          }
        }
      },
      "ServiceUnavailable": {
        "description": "The service is temporarily unavailable, and did not process the request: retry after `Retry-After` seconds. Only\nwith the code `outcome_unknown`, the change may or may not have been made, because the connection to the database\nwas lost: repeat that request only if it had an `Idempotency-Key`.\n",
        "headers": {
          "Retry-After": { "$ref": "#/components/headers/Retry-After" },
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "examples": {
              "unavailable": {
                "value": { "code": "service_unavailable", "message": "The service is temporarily unavailable", "status": 503 }
              },
              "unknown": {
                "value": { "code": "outcome_unknown", "message": "It is not known whether the change was made", "status": 503 }
              }
            }
          }
        }
      },
      "OtherFailure": {
        "description": "Any other error, such as a malformed or incomplete HTTP request.",
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        },
        "content": {
          "application/json": {
            "schema": { "$ref": "#/components/schemas/Error" },
            "example": { "code": "request_header_fields_too_large", "message": "The request headers are too large", "status": 431 }
          }
        }
      }
    }
  },
  "x-rate-limit-plans": {
    "free": { "perMinute": 60, "perDay": 1000 },
    "pro": { "perMinute": 300, "perDay": 10000 },
    "business": { "perMinute": 1000, "perDay": 100000 },
    "enterprise": { "perMinute": null, "perDay": null }
  },
  "security": [ { "bearerAuth": [] } ]
};

/** The document of the reference page as JSON: the contract with its extensions written out as text. */
export const reference = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Bookstore\",\"version\":\"1.0.0\",\"description\":\"The books of a chain of stores.\\n\\n| Plan | Per minute | Per day |\\n|---|---|---|\\n| free | 60 | 1,000 |\\n| pro | 300 | 10,000 |\\n| business | 1,000 | 100,000 |\\n| enterprise | as agreed | as agreed |\\n\\nEvery response has these headers:\\n- `X-RateLimit-Limit`: The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.\\n- `X-RateLimit-Remaining`: Requests remaining in the current window.\\n- `X-RateLimit-Reset`: Unix timestamp in seconds at which the limit resets.\\n- `RateLimit-Policy`: Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a valid key there is only the minute.\\n- `RateLimit`: Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.\",\"contact\":{\"name\":\"Bookstore maintainers\",\"url\":\"https://bookstore.example/support\"},\"license\":{\"name\":\"MIT\",\"identifier\":\"MIT\"}},\"servers\":[{\"url\":\"/v1\",\"description\":\"This server\"},{\"url\":\"https://api.bookstore.example/v1\",\"description\":\"Production\",\"x-environment\":\"production\"},{\"url\":\"https://api.staging.bookstore.example/v1\",\"description\":\"Staging\",\"x-environment\":\"staging\"}],\"tags\":[{\"name\":\"books\",\"description\":\"The books.\"},{\"name\":\"stores\",\"description\":\"The stores.\"}],\"x-error-codes\":[\"store_closed\"],\"paths\":{\"/books\":{\"get\":{\"operationId\":\"listBooks\",\"tags\":[\"books\"],\"summary\":\"List all books\",\"description\":\"Returns books in the order in which they were added.\",\"parameters\":[{\"$ref\":\"#/components/parameters/Limit\"},{\"name\":\"format\",\"in\":\"query\",\"description\":\"Return only books of this format.\",\"schema\":{\"$ref\":\"#/components/schemas/Format\"},\"example\":\"hardcover\"},{\"$ref\":\"#/components/parameters/Cursor\"}],\"responses\":{\"200\":{\"description\":\"A page of books.\",\"headers\":{\"Link\":{\"$ref\":\"#/components/headers/Link\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Books\"},\"example\":[{\"id\":1,\"title\":\"The Dispossessed\",\"storeId\":7,\"format\":\"hardcover\"}]}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst books = bookstore.listBooks({\\n  limit: 20,\\n  format: \\\"hardcover\\\"\\n});\\nfor await (const book of books) console.log(book);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://api.bookstore.example/v1/books?limit=20&format=hardcover' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]},\"post\":{\"operationId\":\"createBook\",\"tags\":[\"books\"],\"summary\":\"Add a book\",\"description\":\"Adds a book, once for each `Idempotency-Key`.\",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/NewBook\"},\"example\":{\"title\":\"The Dispossessed\",\"storeId\":7,\"format\":\"hardcover\"}}}},\"responses\":{\"201\":{\"description\":\"The book that was added.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Book\"},\"example\":{\"id\":1,\"title\":\"The Dispossessed\",\"storeId\":7,\"format\":\"hardcover\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst book = await bookstore.createBook({\\n  title: \\\"The Dispossessed\\\",\\n  storeId: 7,\\n  format: \\\"hardcover\\\"\\n});\\nconsole.log(book);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request POST 'https://api.bookstore.example/v1/books' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\" \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"title\\\":\\\"The Dispossessed\\\",\\\"storeId\\\":7,\\\"format\\\":\\\"hardcover\\\"}'\"}]}},\"/books/{bookId}\":{\"parameters\":[{\"name\":\"bookId\",\"in\":\"path\",\"required\":true,\"description\":\"The identifier of the book.\",\"schema\":{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991},\"example\":1}],\"get\":{\"operationId\":\"getBook\",\"tags\":[\"books\"],\"summary\":\"Get a book\",\"description\":\"Returns a single book.\\n\\n**Deprecated.** Since 20 November 2026; removed on 5 December 2030. Use `listBooks` with `format=hardcover` instead.\",\"deprecated\":true,\"x-deprecated-at\":\"2026-11-20\",\"x-sunset\":\"2030-12-05\",\"x-replaced-by\":{\"operationId\":\"listBooks\",\"parameters\":{\"format\":\"hardcover\"}},\"responses\":{\"200\":{\"description\":\"The book.\",\"headers\":{\"Deprecation\":{\"$ref\":\"#/components/headers/Deprecation\"},\"Sunset\":{\"$ref\":\"#/components/headers/Sunset\"},\"Link\":{\"$ref\":\"#/components/headers/Link\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Book\"},\"example\":{\"id\":1,\"title\":\"The Dispossessed\",\"storeId\":7,\"format\":\"hardcover\"}}}},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"// getBook will be removed on 5 December 2030.\\n// Use listBooks instead.\\nimport { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst books = bookstore.listBooks({\\n  format: \\\"hardcover\\\"\\n});\\nfor await (const book of books) console.log(book);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"# getBook will be removed on 5 December 2030.\\n# Use listBooks instead.\\ncurl --request GET 'https://api.bookstore.example/v1/books?format=hardcover' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]},\"delete\":{\"operationId\":\"deleteBook\",\"tags\":[\"books\"],\"summary\":\"Delete a book\",\"description\":\"Deletes a book, once for each `Idempotency-Key`.\",\"responses\":{\"204\":{\"description\":\"The book is deleted.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nawait bookstore.deleteBook({\\n  bookId: 1\\n});\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request DELETE 'https://api.bookstore.example/v1/books/1' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\"\"}]}},\"/stores\":{\"get\":{\"operationId\":\"listStores\",\"tags\":[\"stores\"],\"summary\":\"List stores\",\"description\":\"Returns stores, the newest first.\",\"parameters\":[{\"$ref\":\"#/components/parameters/Limit\"},{\"name\":\"city\",\"in\":\"query\",\"description\":\"Return only stores in this city.\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":100},\"example\":\"Bern\"},{\"$ref\":\"#/components/parameters/Cursor\"}],\"responses\":{\"200\":{\"description\":\"A page of stores.\",\"headers\":{\"Link\":{\"$ref\":\"#/components/headers/Link\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Stores\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst stores = bookstore.listStores({\\n  limit: 20,\\n  city: \\\"Bern\\\"\\n});\\nfor await (const store of stores) console.log(store);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://api.bookstore.example/v1/stores?limit=20&city=Bern' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]},\"post\":{\"operationId\":\"createStore\",\"tags\":[\"stores\"],\"summary\":\"Open a store\",\"description\":\"Adds a store.\",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/NewStore\"},\"example\":{\"name\":\"Main\",\"city\":\"Bern\",\"capacity\":500}}}},\"responses\":{\"201\":{\"description\":\"The store.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Store\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst store = await bookstore.createStore({\\n  name: \\\"Main\\\",\\n  city: \\\"Bern\\\",\\n  capacity: 500\\n});\\nconsole.log(store);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request POST 'https://api.bookstore.example/v1/stores' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\" \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"name\\\":\\\"Main\\\",\\\"city\\\":\\\"Bern\\\",\\\"capacity\\\":500}'\"}]}},\"/stores/{storeId}\":{\"parameters\":[{\"$ref\":\"#/components/parameters/StoreId\"}],\"get\":{\"operationId\":\"getStore\",\"tags\":[\"stores\"],\"summary\":\"Get a store\",\"description\":\"Returns a store.\",\"responses\":{\"200\":{\"description\":\"The store.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Store\"}}}},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst store = await bookstore.getStore({\\n  storeId: 1\\n});\\nconsole.log(store);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://api.bookstore.example/v1/stores/1' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]},\"patch\":{\"operationId\":\"updateStore\",\"tags\":[\"stores\"],\"summary\":\"Change a store\",\"description\":\"Changes the fields that are sent. A closed store stays closed.\",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/StoreChange\"},\"example\":{\"state\":\"full\"}}}},\"responses\":{\"200\":{\"description\":\"The store.\",\"headers\":{\"ETag\":{\"required\":true,\"description\":\"Of the version that a later change may name.\",\"schema\":{\"type\":\"string\",\"pattern\":\"^\\\"[^\\\"]+\\\"$\"},\"example\":\"\\\"1-full\\\"\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Store\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst store = await bookstore.updateStore({\\n  storeId: 1\\n}, {\\n  state: \\\"full\\\"\\n});\\nconsole.log(store);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request PATCH 'https://api.bookstore.example/v1/stores/1' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\" \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"state\\\":\\\"full\\\"}'\"}]},\"delete\":{\"operationId\":\"deleteStore\",\"tags\":[\"stores\"],\"summary\":\"Delete a store\",\"description\":\"Deletes a store.\",\"responses\":{\"204\":{\"description\":\"It is deleted.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nawait bookstore.deleteStore({\\n  storeId: 1\\n});\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request DELETE 'https://api.bookstore.example/v1/stores/1' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\"\"}]}},\"/stores/{storeId}/name\":{\"parameters\":[{\"$ref\":\"#/components/parameters/StoreId\"}],\"put\":{\"operationId\":\"replaceStoreName\",\"tags\":[\"stores\"],\"summary\":\"Rename a store\",\"description\":\"Changes the name.\",\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/StoreName\"},\"example\":{\"name\":\"Annex\"}}}},\"responses\":{\"200\":{\"description\":\"The store.\",\"headers\":{\"ETag\":{\"required\":true,\"description\":\"Of the version that a later change may name.\",\"schema\":{\"type\":\"string\",\"pattern\":\"^\\\"[^\\\"]+\\\"$\"},\"example\":\"\\\"1-full\\\"\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Store\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst store = await bookstore.replaceStoreName({\\n  storeId: 1\\n}, {\\n  name: \\\"Annex\\\"\\n});\\nconsole.log(store);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request PUT 'https://api.bookstore.example/v1/stores/1/name' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\" \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"name\\\":\\\"Annex\\\"}'\"}]}},\"/stores/{storeId}/books\":{\"parameters\":[{\"$ref\":\"#/components/parameters/StoreId\"}],\"get\":{\"operationId\":\"listStoreBooks\",\"tags\":[\"stores\"],\"summary\":\"List the books of a store\",\"description\":\"Returns books by title.\",\"parameters\":[{\"$ref\":\"#/components/parameters/Limit\"},{\"name\":\"format\",\"in\":\"query\",\"description\":\"Return only books of this format.\",\"schema\":{\"$ref\":\"#/components/schemas/Format\"},\"example\":\"ebook\"},{\"name\":\"title\",\"in\":\"query\",\"description\":\"Return only books whose title begins with this text.\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255},\"example\":\"The\"},{\"$ref\":\"#/components/parameters/Cursor\"}],\"responses\":{\"200\":{\"description\":\"A page of books.\",\"headers\":{\"Link\":{\"$ref\":\"#/components/headers/Link\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Books\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst books = bookstore.listStoreBooks({\\n  storeId: 1,\\n  limit: 20,\\n  format: \\\"ebook\\\",\\n  title: \\\"The\\\"\\n});\\nfor await (const book of books) console.log(book);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://api.bookstore.example/v1/stores/1/books?limit=20&format=ebook&title=The' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]}},\"/sales\":{\"get\":{\"operationId\":\"listSales\",\"tags\":[\"stores\"],\"summary\":\"List sales\",\"description\":\"Returns sales, the latest first.\",\"parameters\":[{\"$ref\":\"#/components/parameters/Limit\"},{\"name\":\"buyer\",\"in\":\"query\",\"description\":\"Return only sales to buyers whose name begins with this text.\",\"schema\":{\"type\":\"string\",\"minLength\":2,\"maxLength\":100},\"example\":\"Ada\"},{\"$ref\":\"#/components/parameters/Cursor\"}],\"responses\":{\"200\":{\"description\":\"A page of sales.\",\"headers\":{\"Link\":{\"$ref\":\"#/components/headers/Link\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"type\":\"array\",\"maxItems\":100,\"items\":{\"$ref\":\"#/components/schemas/Sale\"}}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst result = bookstore.listSales({\\n  limit: 20,\\n  buyer: \\\"Ada\\\"\\n});\\nfor await (const item of result) console.log(item);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://api.bookstore.example/v1/sales?limit=20&buyer=Ada' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]},\"post\":{\"operationId\":\"createSale\",\"tags\":[\"stores\"],\"summary\":\"Sell books\",\"description\":\"Adds a sale.\",\"parameters\":[{\"name\":\"X-Cashier\",\"in\":\"header\",\"description\":\"Who sells.\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":100,\"pattern\":\"^[ -~]*$\"},\"example\":\"Grace\"},{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/NewSale\"},\"example\":{\"soldAt\":\"2026-11-24T10:15:30.123456Z\",\"due\":\"2026-12-24\",\"price\":\"19.90\",\"buyer\":{\"name\":\"Ada\"},\"titles\":[\"Emma\"],\"labels\":{\"campaign\":\"winter\"}}}}},\"responses\":{\"201\":{\"description\":\"The sale.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Sale\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst sale = await bookstore.createSale({\\n  soldAt: \\\"2026-11-24T10:15:30.123456Z\\\",\\n  due: \\\"2026-12-24\\\",\\n  price: \\\"19.90\\\",\\n  buyer: {\\n    name: \\\"Ada\\\"\\n  },\\n  titles: [\\n    \\\"Emma\\\"\\n  ],\\n  labels: {\\n    campaign: \\\"winter\\\"\\n  }\\n});\\nconsole.log(sale);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request POST 'https://api.bookstore.example/v1/sales' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\" \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"soldAt\\\":\\\"2026-11-24T10:15:30.123456Z\\\",\\\"due\\\":\\\"2026-12-24\\\",\\\"price\\\":\\\"19.90\\\",\\\"buyer\\\":{\\\"name\\\":\\\"Ada\\\"},\\\"titles\\\":[\\\"Emma\\\"],\\\"labels\\\":{\\\"campaign\\\":\\\"winter\\\"}}'\"}]}},\"/sales/{saleId}\":{\"parameters\":[{\"name\":\"saleId\",\"in\":\"path\",\"required\":true,\"description\":\"The identifier of the sale.\",\"schema\":{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991},\"example\":1}],\"get\":{\"operationId\":\"getSale\",\"tags\":[\"stores\"],\"summary\":\"Get a sale\",\"description\":\"Returns a sale.\",\"responses\":{\"200\":{\"description\":\"The sale.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Sale\"}}}},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst sale = await bookstore.getSale({\\n  saleId: 1\\n});\\nconsole.log(sale);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://api.bookstore.example/v1/sales/1' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]},\"patch\":{\"operationId\":\"labelSale\",\"tags\":[\"stores\"],\"summary\":\"Label a sale\",\"description\":\"Replaces the labels.\",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/SaleChange\"},\"example\":{\"labels\":{\"campaign\":\"spring\"}}}}},\"responses\":{\"200\":{\"description\":\"The sale.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Sale\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst sale = await bookstore.labelSale({\\n  saleId: 1\\n}, {\\n  labels: {\\n    campaign: \\\"spring\\\"\\n  }\\n});\\nconsole.log(sale);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request PATCH 'https://api.bookstore.example/v1/sales/1' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\" \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"labels\\\":{\\\"campaign\\\":\\\"spring\\\"}}'\"}]}},\"/stores/{storeId}/stock\":{\"parameters\":[{\"$ref\":\"#/components/parameters/StoreId\"}],\"get\":{\"operationId\":\"getStock\",\"tags\":[\"stores\"],\"summary\":\"Count books\",\"description\":\"Counts the books of the store.\",\"parameters\":[{\"name\":\"format\",\"in\":\"query\",\"description\":\"Count only books of this format.\",\"schema\":{\"$ref\":\"#/components/schemas/Format\"},\"example\":\"ebook\"}],\"responses\":{\"200\":{\"description\":\"The counts.\",\"headers\":{\"Last-Modified\":{\"description\":\"When it last changed.\",\"schema\":{\"type\":\"string\",\"pattern\":\"^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$\"},\"example\":\"Mon, 23 Nov 2026 00:00:00 GMT\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Stock\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/bookstore\",\"source\":\"import { createClient } from \\\"@repo/bookstore\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst stock = await bookstore.getStock({\\n  storeId: 1,\\n  format: \\\"ebook\\\"\\n});\\nconsole.log(stock);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://api.bookstore.example/v1/stores/1/stock?format=ebook' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]}}},\"components\":{\"securitySchemes\":{\"bearerAuth\":{\"type\":\"http\",\"scheme\":\"bearer\",\"description\":\"The API key, as `Authorization: Bearer <API_KEY>`. Keys are issued and revoked by the operator.\\n\"}},\"schemas\":{\"Format\":{\"description\":\"How a book is made.\",\"type\":\"string\",\"enum\":[\"hardcover\",\"paperback\",\"ebook\"]},\"NewBook\":{\"description\":\"A book to add.\",\"type\":\"object\",\"required\":[\"title\",\"storeId\"],\"additionalProperties\":false,\"properties\":{\"title\":{\"description\":\"Its title.\",\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"The Dispossessed\"},\"storeId\":{\"description\":\"The store that has it. Not checked.\",\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991,\"example\":7},\"format\":{\"$ref\":\"#/components/schemas/Format\"}}},\"Book\":{\"description\":\"A book of a store.\",\"type\":\"object\",\"required\":[\"id\",\"title\",\"storeId\"],\"properties\":{\"id\":{\"description\":\"Assigned by the service.\",\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991,\"example\":1},\"title\":{\"description\":\"Its title.\",\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"The Dispossessed\"},\"storeId\":{\"description\":\"The store that has it. Not checked.\",\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991,\"example\":7},\"format\":{\"description\":\"Absent if it was not given.\",\"$ref\":\"#/components/schemas/Format\"}}},\"Books\":{\"description\":\"A page of books, in ascending order of `id`.\",\"type\":\"array\",\"maxItems\":100,\"items\":{\"$ref\":\"#/components/schemas/Book\"}},\"StoreState\":{\"description\":\"Whether it takes books.\",\"type\":\"string\",\"enum\":[\"open\",\"full\",\"closed\"]},\"NewStore\":{\"description\":\"A store to open.\",\"type\":\"object\",\"required\":[\"name\",\"city\"],\"additionalProperties\":false,\"properties\":{\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"},\"city\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"},\"capacity\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":100000,\"example\":500}}},\"StoreChange\":{\"description\":\"New values.\",\"type\":\"object\",\"minProperties\":1,\"additionalProperties\":false,\"properties\":{\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"},\"capacity\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":100000,\"example\":500},\"state\":{\"$ref\":\"#/components/schemas/StoreState\"}}},\"StoreName\":{\"description\":\"A new name.\",\"type\":\"object\",\"required\":[\"name\"],\"additionalProperties\":false,\"properties\":{\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"}}},\"Store\":{\"description\":\"A store.\",\"type\":\"object\",\"required\":[\"id\",\"name\",\"city\",\"state\"],\"properties\":{\"id\":{\"description\":\"Assigned by the service.\",\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991,\"example\":1},\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"},\"city\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"},\"capacity\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":100000,\"example\":500},\"state\":{\"$ref\":\"#/components/schemas/StoreState\"}}},\"Stores\":{\"description\":\"A page of stores.\",\"type\":\"array\",\"maxItems\":100,\"items\":{\"$ref\":\"#/components/schemas/Store\"}},\"Stock\":{\"description\":\"The books of a store.\",\"type\":\"object\",\"required\":[\"store\",\"books\"],\"properties\":{\"store\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"},\"books\":{\"description\":\"Assigned by the service.\",\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991,\"example\":1}}},\"Buyer\":{\"description\":\"Who buys.\",\"type\":\"object\",\"required\":[\"name\"],\"additionalProperties\":false,\"properties\":{\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"},\"city\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"}}},\"Labels\":{\"description\":\"Any texts, by name.\",\"type\":\"object\",\"maxProperties\":10,\"additionalProperties\":{\"type\":\"string\",\"maxLength\":100}},\"NewSale\":{\"description\":\"A sale to add.\",\"type\":\"object\",\"required\":[\"soldAt\",\"due\",\"price\",\"buyer\",\"titles\"],\"additionalProperties\":false,\"properties\":{\"soldAt\":{\"type\":\"string\",\"format\":\"date-time\",\"maxLength\":40,\"example\":\"2026-11-24T10:15:30.123456Z\"},\"due\":{\"description\":\"When it is to be paid.\",\"type\":\"string\",\"format\":\"date\",\"maxLength\":10,\"example\":\"2026-12-24\"},\"price\":{\"type\":\"string\",\"pattern\":\"^[0-9]{1,8}\\\\.[0-9]{2}$\",\"maxLength\":11,\"example\":\"19.90\"},\"buyer\":{\"$ref\":\"#/components/schemas/Buyer\"},\"titles\":{\"type\":\"array\",\"maxItems\":10,\"items\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"}},\"labels\":{\"$ref\":\"#/components/schemas/Labels\"}}},\"SaleChange\":{\"description\":\"New labels.\",\"type\":\"object\",\"required\":[\"labels\"],\"additionalProperties\":false,\"properties\":{\"labels\":{\"$ref\":\"#/components/schemas/Labels\"}}},\"Sale\":{\"description\":\"A sale.\",\"type\":\"object\",\"required\":[\"id\",\"soldAt\",\"due\",\"price\",\"buyer\",\"titles\",\"isLarge\"],\"properties\":{\"id\":{\"description\":\"Assigned by the service.\",\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991,\"example\":1},\"soldAt\":{\"type\":\"string\",\"format\":\"date-time\",\"maxLength\":40,\"example\":\"2026-11-24T10:15:30.123456Z\"},\"due\":{\"description\":\"When it is to be paid.\",\"type\":\"string\",\"format\":\"date\",\"maxLength\":10,\"example\":\"2026-12-24\"},\"price\":{\"type\":\"string\",\"pattern\":\"^[0-9]{1,8}\\\\.[0-9]{2}$\",\"maxLength\":11,\"example\":\"19.90\"},\"buyer\":{\"$ref\":\"#/components/schemas/Buyer\"},\"titles\":{\"type\":\"array\",\"maxItems\":10,\"items\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Main\"}},\"labels\":{\"$ref\":\"#/components/schemas/Labels\"},\"cashier\":{\"type\":\"string\",\"maxLength\":100,\"example\":\"Grace\"},\"isLarge\":{\"description\":\"Whether it has a price of 100 or more.\",\"type\":\"boolean\",\"example\":false}}},\"Error\":{\"description\":\"The body of every error response.\",\"type\":\"object\",\"required\":[\"code\",\"message\",\"status\"],\"properties\":{\"code\":{\"description\":\"Machine-readable error code. New codes may be added; handle an unknown code by its `status`.\",\"type\":\"string\",\"x-extensible-enum\":[\"invalid_request\",\"unauthorized\",\"api_key_missing\",\"api_key_invalid\",\"api_key_expired\",\"payment_required\",\"forbidden\",\"not_found\",\"method_not_allowed\",\"not_acceptable\",\"request_timeout\",\"conflict\",\"idempotency_key_in_use\",\"gone\",\"precondition_failed\",\"payload_too_large\",\"uri_too_long\",\"unsupported_media_type\",\"expectation_failed\",\"unprocessable_content\",\"idempotency_key_reused\",\"locked\",\"precondition_required\",\"rate_limit_exceeded\",\"api_key_banned\",\"request_header_fields_too_large\",\"unavailable_for_legal_reasons\",\"internal_error\",\"not_implemented\",\"bad_gateway\",\"service_unavailable\",\"outcome_unknown\",\"gateway_timeout\",\"store_closed\"],\"example\":\"invalid_request\"},\"message\":{\"description\":\"Human-readable description. It may change; do not parse it.\",\"type\":\"string\",\"example\":\"name is required\"},\"status\":{\"description\":\"The HTTP status code.\",\"type\":\"integer\",\"minimum\":400,\"maximum\":599,\"example\":400},\"errors\":{\"description\":\"Which values fail, for forms: each failure of the first part of the request that fails, of path, query, body and\\nheader. Not every error has it.\\n\",\"type\":\"array\",\"maxItems\":20,\"items\":{\"$ref\":\"#/components/schemas/FieldError\"}}}},\"FieldError\":{\"description\":\"A value of a request that fails.\",\"type\":\"object\",\"required\":[\"pointer\",\"message\"],\"properties\":{\"pointer\":{\"description\":\"Where it is, as a JSON Pointer (RFC 6901) that begins with `/path`, `/query`, `/header` or `/body`.\",\"type\":\"string\",\"example\":\"/body/name\"},\"message\":{\"description\":\"Human-readable description, without the name of the value. It may change; do not parse it.\",\"type\":\"string\",\"example\":\"is required\"}}}},\"parameters\":{\"Limit\":{\"name\":\"limit\",\"in\":\"query\",\"description\":\"The maximum number of items to return.\",\"schema\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"default\":20},\"example\":20},\"IdempotencyKey\":{\"name\":\"Idempotency-Key\",\"in\":\"header\",\"description\":\"Makes the request safe to repeat.\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"pattern\":\"^\\\"*[!#-~][!-~]*$\"}},\"StoreId\":{\"name\":\"storeId\",\"in\":\"path\",\"required\":true,\"description\":\"The identifier of the store.\",\"schema\":{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991},\"example\":1},\"Cursor\":{\"name\":\"cursor\",\"in\":\"query\",\"description\":\"Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it.\\n\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096}}},\"headers\":{\"X-RateLimit-Limit\":{\"required\":true,\"description\":\"The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":60},\"X-RateLimit-Remaining\":{\"required\":true,\"description\":\"Requests remaining in the current window.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":59},\"X-RateLimit-Reset\":{\"required\":true,\"description\":\"Unix timestamp in seconds at which the limit resets.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":1795176060},\"RateLimit-Policy\":{\"required\":true,\"description\":\"Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a\\nvalid key there is only the minute.\\n\",\"schema\":{\"type\":\"string\",\"pattern\":\"^\\\"[a-z]+\\\";q=[0-9]{1,15};w=[0-9]{1,15}(, \\\"[a-z]+\\\";q=[0-9]{1,15};w=[0-9]{1,15})*$\"},\"example\":\"\\\"minute\\\";q=60;w=60, \\\"day\\\";q=1000;w=86400\"},\"RateLimit\":{\"required\":true,\"description\":\"Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.\",\"schema\":{\"type\":\"string\",\"pattern\":\"^\\\"[a-z]+\\\";r=[0-9]{1,15};t=[0-9]{1,15}(, \\\"[a-z]+\\\";r=[0-9]{1,15};t=[0-9]{1,15})*$\"},\"example\":\"\\\"minute\\\";r=59;t=30, \\\"day\\\";r=999;t=43200\"},\"Retry-After\":{\"description\":\"Seconds to wait before the next request (RFC 9110, section 10.2.3).\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":30},\"WWW-Authenticate\":{\"required\":true,\"description\":\"The authentication scheme (RFC 6750, section 3).\",\"schema\":{\"type\":\"string\",\"pattern\":\"^Bearer realm=\\\"[^\\\"\\\\\\\\]+\\\"(, error=\\\"[a-z_]+\\\")?$\"},\"example\":\"Bearer realm=\\\"service\\\"\"},\"Link\":{\"description\":\"Related resources (RFC 8288). `rel=\\\"next\\\"`: the next page, absent on the last one. `rel=\\\"successor-version\\\"`:\\nthe replacement of a deprecated operation.\\n\",\"schema\":{\"type\":\"string\",\"pattern\":\"^<[^<>\\\" ]+>; rel=\\\"[a-z-]+\\\"(, <[^<>\\\" ]+>; rel=\\\"[a-z-]+\\\")*$\"},\"example\":\"</v1/items?limit=20&cursor=YWZ0ZXI6NC4>; rel=\\\"next\\\"\"},\"Deprecation\":{\"required\":true,\"description\":\"Time of the deprecation: `@` and a Unix timestamp (RFC 9745).\",\"schema\":{\"type\":\"string\",\"pattern\":\"^@[0-9]{1,15}$\"},\"example\":\"@1795132800\"},\"Sunset\":{\"required\":true,\"description\":\"Time of the removal (RFC 8594).\",\"schema\":{\"type\":\"string\",\"pattern\":\"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$\"},\"example\":\"Thu, 05 Dec 2030 00:00:00 GMT\"}},\"responses\":{\"BadRequest\":{\"description\":\"The request contains an invalid value or lacks a required one. Nothing was changed.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"missing\":{\"value\":{\"code\":\"invalid_request\",\"message\":\"body.name is required\",\"status\":400}},\"outOfRange\":{\"value\":{\"code\":\"invalid_request\",\"message\":\"query parameter limit must be at most 100\",\"status\":400}}}}}},\"Unauthorized\":{\"description\":\"The API key is missing, invalid or expired.\",\"headers\":{\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"missing\":{\"value\":{\"code\":\"api_key_missing\",\"message\":\"Send your API key as Authorization: Bearer <API_KEY>\",\"status\":401}},\"invalid\":{\"value\":{\"code\":\"api_key_invalid\",\"message\":\"The API key is not valid\",\"status\":401}},\"expired\":{\"value\":{\"code\":\"api_key_expired\",\"message\":\"The API key has expired\",\"status\":401}}}}}},\"NotFound\":{\"description\":\"There is no such resource.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"not_found\",\"message\":\"There is no such resource\",\"status\":404}}}},\"IdempotencyKeyInUse\":{\"description\":\"A request with the same `Idempotency-Key` is in progress: retry after a second. Or the change conflicts with what is stored\\n(`conflict`), and changed nothing.\\n\",\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"inUse\":{\"value\":{\"code\":\"idempotency_key_in_use\",\"message\":\"A request with this Idempotency-Key is in progress\",\"status\":409}},\"conflict\":{\"value\":{\"code\":\"conflict\",\"message\":\"The change conflicts with what is stored\",\"status\":409}}}}}},\"ContentTooLarge\":{\"description\":\"The body is larger than the service accepts.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"payload_too_large\",\"message\":\"The body is larger than 65536 bytes\",\"status\":413}}}},\"UnsupportedMediaType\":{\"description\":\"The body is not `application/json`.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"unsupported_media_type\",\"message\":\"Send the body as application/json\",\"status\":415}}}},\"IdempotencyKeyReused\":{\"description\":\"The `Idempotency-Key` was already used with another request. Nothing was changed.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"idempotency_key_reused\",\"message\":\"This Idempotency-Key was used with another body\",\"status\":422}}}},\"TooManyRequests\":{\"description\":\"Rate limit exceeded, or the key is banned for sending more requests after a 429. Wait for `Retry-After` seconds.\\nRequests refused within a second of the first 429 do not count towards a ban.\\n\",\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"limit\":{\"value\":{\"code\":\"rate_limit_exceeded\",\"message\":\"The limit of 60 requests per minute is reached; retry in 30 seconds\",\"status\":429}},\"banned\":{\"value\":{\"code\":\"api_key_banned\",\"message\":\"Temporarily banned for sending more requests after a 429; retry in 600 seconds\",\"status\":429}}}}}},\"InternalServerError\":{\"description\":\"Internal error.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"internal_error\",\"message\":\"Internal error\",\"status\":500}}}},\"ServiceUnavailable\":{\"description\":\"The service is temporarily unavailable, and did not process the request: retry after `Retry-After` seconds. Only\\nwith the code `outcome_unknown`, the change may or may not have been made, because the connection to the database\\nwas lost: repeat that request only if it had an `Idempotency-Key`.\\n\",\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"unavailable\":{\"value\":{\"code\":\"service_unavailable\",\"message\":\"The service is temporarily unavailable\",\"status\":503}},\"unknown\":{\"value\":{\"code\":\"outcome_unknown\",\"message\":\"It is not known whether the change was made\",\"status\":503}}}}}},\"OtherFailure\":{\"description\":\"Any other error, such as a malformed or incomplete HTTP request.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"request_header_fields_too_large\",\"message\":\"The request headers are too large\",\"status\":431}}}}}},\"x-rate-limit-plans\":{\"free\":{\"perMinute\":60,\"perDay\":1000},\"pro\":{\"perMinute\":300,\"perDay\":10000},\"business\":{\"perMinute\":1000,\"perDay\":100000},\"enterprise\":{\"perMinute\":null,\"perDay\":null}},\"security\":[{\"bearerAuth\":[]}]}";
