// Generated from packages/server-runtime/test/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

export const document = {
  "openapi": "3.1.0",
  "info": {
    "title": "Bookstore",
    "version": "1.0.0",
    "description": "The books of a store.",
    "contact": {
      "name": "Bookstore maintainers",
      "url": "https://bookstore.example/support"
    },
    "license": {
      "name": "MIT",
      "identifier": "MIT"
    }
  },
  "servers": [
    {
      "url": "https://api.bookstore.example/v1",
      "description": "Production",
      "x-environment": "production"
    }
  ],
  "security": [
    {
      "bearerAuth": []
    }
  ],
  "tags": [
    {
      "name": "books",
      "description": "The books."
    }
  ],
  "x-rate-limit-plans": {
    "reader": {
      "perMinute": 30,
      "perDay": 500
    },
    "publisher": {
      "perMinute": null,
      "perDay": null
    }
  },
  "paths": {
    "/books": {
      "get": {
        "operationId": "listBooks",
        "tags": [
          "books"
        ],
        "summary": "List all books",
        "description": "Returns books in the order in which they were added.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Limit"
          },
          {
            "name": "author",
            "in": "query",
            "description": "Return only books of this author.",
            "schema": {
              "type": "string",
              "minLength": 1,
              "maxLength": 200
            },
            "example": "Le Guin"
          },
          {
            "$ref": "#/components/parameters/Cursor"
          }
        ],
        "responses": {
          "200": {
            "description": "A page of books.",
            "headers": {
              "Link": {
                "$ref": "#/components/headers/Link"
              },
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "RateLimit-Policy": {
                "$ref": "#/components/headers/RateLimit-Policy"
              },
              "RateLimit": {
                "$ref": "#/components/headers/RateLimit"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Books"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          },
          "429": {
            "$ref": "#/components/responses/TooManyRequests"
          },
          "500": {
            "$ref": "#/components/responses/InternalServerError"
          },
          "503": {
            "$ref": "#/components/responses/ServiceUnavailable"
          },
          "default": {
            "$ref": "#/components/responses/OtherFailure"
          }
        }
      },
      "post": {
        "operationId": "createBook",
        "tags": [
          "books"
        ],
        "summary": "Add a book",
        "description": "Adds a book, once for each `Idempotency-Key`.",
        "parameters": [
          {
            "$ref": "#/components/parameters/IdempotencyKey"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/NewBook"
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The book that was added.",
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "RateLimit-Policy": {
                "$ref": "#/components/headers/RateLimit-Policy"
              },
              "RateLimit": {
                "$ref": "#/components/headers/RateLimit"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Book"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          },
          "409": {
            "$ref": "#/components/responses/IdempotencyKeyInUse"
          },
          "413": {
            "$ref": "#/components/responses/ContentTooLarge"
          },
          "415": {
            "$ref": "#/components/responses/UnsupportedMediaType"
          },
          "422": {
            "$ref": "#/components/responses/IdempotencyKeyReused"
          },
          "429": {
            "$ref": "#/components/responses/TooManyRequests"
          },
          "500": {
            "$ref": "#/components/responses/InternalServerError"
          },
          "503": {
            "$ref": "#/components/responses/ServiceUnavailable"
          },
          "default": {
            "$ref": "#/components/responses/OtherFailure"
          }
        }
      }
    },
    "/books/{bookId}": {
      "parameters": [
        {
          "name": "bookId",
          "in": "path",
          "required": true,
          "description": "The identifier of the book.",
          "schema": {
            "type": "integer",
            "format": "int64",
            "minimum": 1,
            "maximum": 9007199254740991
          },
          "example": 1
        }
      ],
      "get": {
        "operationId": "getBook",
        "tags": [
          "books"
        ],
        "summary": "Get a book",
        "description": "Returns a single book.",
        "responses": {
          "200": {
            "description": "The book.",
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "RateLimit-Policy": {
                "$ref": "#/components/headers/RateLimit-Policy"
              },
              "RateLimit": {
                "$ref": "#/components/headers/RateLimit"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Book"
                }
              }
            }
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
          },
          "429": {
            "$ref": "#/components/responses/TooManyRequests"
          },
          "500": {
            "$ref": "#/components/responses/InternalServerError"
          },
          "503": {
            "$ref": "#/components/responses/ServiceUnavailable"
          },
          "default": {
            "$ref": "#/components/responses/OtherFailure"
          }
        }
      },
      "delete": {
        "operationId": "deleteBook",
        "tags": [
          "books"
        ],
        "summary": "Delete a book",
        "description": "Deletes a book, once for each `Idempotency-Key`.",
        "parameters": [
          {
            "$ref": "#/components/parameters/IdempotencyKey"
          }
        ],
        "responses": {
          "204": {
            "description": "The book is deleted.",
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "RateLimit-Policy": {
                "$ref": "#/components/headers/RateLimit-Policy"
              },
              "RateLimit": {
                "$ref": "#/components/headers/RateLimit"
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
          },
          "409": {
            "$ref": "#/components/responses/IdempotencyKeyInUse"
          },
          "422": {
            "$ref": "#/components/responses/IdempotencyKeyReused"
          },
          "429": {
            "$ref": "#/components/responses/TooManyRequests"
          },
          "500": {
            "$ref": "#/components/responses/InternalServerError"
          },
          "503": {
            "$ref": "#/components/responses/ServiceUnavailable"
          },
          "default": {
            "$ref": "#/components/responses/OtherFailure"
          }
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
      "NewBook": {
        "description": "A book to add.",
        "type": "object",
        "required": [
          "title",
          "author"
        ],
        "additionalProperties": false,
        "properties": {
          "title": {
            "description": "Its title.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "example": "The Dispossessed"
          },
          "author": {
            "description": "Its author.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "example": "Le Guin"
          },
          "year": {
            "description": "Of its publication.",
            "type": "integer",
            "minimum": -3000,
            "maximum": 3000,
            "example": 1974
          }
        }
      },
      "Book": {
        "description": "A book of the store.",
        "type": "object",
        "required": [
          "id",
          "title",
          "author"
        ],
        "properties": {
          "id": {
            "description": "Assigned by the service.",
            "type": "integer",
            "format": "int64",
            "minimum": 1,
            "maximum": 9007199254740991,
            "example": 1
          },
          "title": {
            "description": "Its title.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "example": "The Dispossessed"
          },
          "author": {
            "description": "Its author.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "example": "Le Guin"
          },
          "year": {
            "description": "Of its publication. Absent if unknown.",
            "type": "integer",
            "minimum": -3000,
            "maximum": 3000,
            "example": 1974
          }
        }
      },
      "Books": {
        "description": "A page of books, in ascending order of `id`.",
        "type": "array",
        "maxItems": 100,
        "items": {
          "$ref": "#/components/schemas/Book"
        }
      },
      "Error": {
        "description": "The body of every error response.",
        "type": "object",
        "required": [
          "code",
          "message",
          "status"
        ],
        "properties": {
          "code": {
            "description": "Machine-readable error code. New codes may be added; handle an unknown code by its `status`.",
            "type": "string",
            "x-extensible-enum": [
              "invalid_request",
              "api_key_missing",
              "api_key_invalid",
              "not_found",
              "method_not_allowed",
              "request_timeout",
              "payload_too_large",
              "uri_too_long",
              "unsupported_media_type",
              "expectation_failed",
              "conflict",
              "idempotency_key_in_use",
              "idempotency_key_reused",
              "rate_limit_exceeded",
              "api_key_banned",
              "request_header_fields_too_large",
              "internal_error",
              "service_unavailable",
              "outcome_unknown"
            ],
            "example": "invalid_request"
          },
          "message": {
            "description": "Human-readable description. It may change; do not parse it.",
            "type": "string",
            "example": "name is required"
          },
          "status": {
            "description": "The HTTP status code.",
            "type": "integer",
            "minimum": 400,
            "maximum": 599,
            "example": 400
          }
        }
      }
    },
    "parameters": {
      "Limit": {
        "name": "limit",
        "in": "query",
        "description": "The maximum number of items to return.",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100,
          "default": 20
        },
        "example": 20
      },
      "Cursor": {
        "name": "cursor",
        "in": "query",
        "description": "Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it.\n",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 128
        },
        "example": "bGlzdE5vdGVzOjQu"
      },
      "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value, such as a\nUUID, with each new change; it is kept for 24 hours. A repetition of the request gets the first response, or 409\nif that is not ready yet; another request with the same value gets 422.\n",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^(?!\"\"$)[!-~]+$"
        },
        "example": "8e03978e-40d5-43dd-bc93-6894a57f9324"
      }
    },
    "headers": {
      "X-RateLimit-Limit": {
        "required": true,
        "description": "The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.",
        "schema": {
          "type": "integer",
          "minimum": 0
        },
        "example": 60
      },
      "X-RateLimit-Remaining": {
        "required": true,
        "description": "Requests remaining in the current window.",
        "schema": {
          "type": "integer",
          "minimum": 0
        },
        "example": 59
      },
      "X-RateLimit-Reset": {
        "required": true,
        "description": "Unix timestamp in seconds at which the limit resets.",
        "schema": {
          "type": "integer",
          "minimum": 0
        },
        "example": 1795176060
      },
      "RateLimit-Policy": {
        "required": true,
        "description": "Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a\nvalid key there is only the minute.\n",
        "schema": {
          "type": "string"
        },
        "example": "\"minute\";q=60;w=60, \"day\";q=1000;w=86400"
      },
      "RateLimit": {
        "required": true,
        "description": "Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.",
        "schema": {
          "type": "string"
        },
        "example": "\"minute\";r=59;t=30, \"day\";r=999;t=43200"
      },
      "Link": {
        "description": "Related resources (RFC 8288). `rel=\"next\"`: the next page, absent on the last one. `rel=\"successor-version\"`:\nthe replacement of a deprecated operation.\n",
        "schema": {
          "type": "string"
        },
        "example": "</v1/notes?limit=20&cursor=bGlzdE5vdGVzOjQu>; rel=\"next\""
      },
      "WWW-Authenticate": {
        "description": "The authentication scheme (RFC 6750, section 3).",
        "schema": {
          "type": "string"
        },
        "example": "Bearer realm=\"service\""
      },
      "Retry-After": {
        "description": "Seconds to wait before the next request (RFC 9110, section 10.2.3).",
        "schema": {
          "type": "integer",
          "minimum": 0
        },
        "example": 30
      }
    },
    "responses": {
      "OtherFailure": {
        "description": "Any other error, such as a malformed or incomplete HTTP request.",
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "request_header_fields_too_large",
              "message": "The request headers are too large",
              "status": 431
            }
          }
        }
      },
      "BadRequest": {
        "description": "The request contains an invalid value or lacks a required one. Nothing was changed.",
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "examples": {
              "missing": {
                "value": {
                  "code": "invalid_request",
                  "message": "body.name is required",
                  "status": 400
                }
              },
              "outOfRange": {
                "value": {
                  "code": "invalid_request",
                  "message": "query parameter limit must be at most 100",
                  "status": 400
                }
              }
            }
          }
        }
      },
      "Unauthorized": {
        "description": "The API key is missing or invalid.",
        "headers": {
          "WWW-Authenticate": {
            "$ref": "#/components/headers/WWW-Authenticate"
          },
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "examples": {
              "missing": {
                "value": {
                  "code": "api_key_missing",
                  "message": "Send your API key as Authorization: Bearer <API_KEY>",
                  "status": 401
                }
              },
              "invalid": {
                "value": {
                  "code": "api_key_invalid",
                  "message": "The API key is not valid",
                  "status": 401
                }
              }
            }
          }
        }
      },
      "TooManyRequests": {
        "description": "Rate limit exceeded, or the key is banned for sending more requests after a 429. Wait for `Retry-After` seconds.\nRequests refused within a second of the first 429 do not count towards a ban.\n",
        "headers": {
          "Retry-After": {
            "$ref": "#/components/headers/Retry-After"
          },
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
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
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "internal_error",
              "message": "Internal error",
              "status": 500
            }
          }
        }
      },
      "ServiceUnavailable": {
        "description": "The service is temporarily unavailable, and did not process the request: retry after `Retry-After` seconds. Only\nwith the code `outcome_unknown`, the change may or may not have been made, because the connection to the database\nwas lost: repeat that request only if it had an `Idempotency-Key`.\n",
        "headers": {
          "Retry-After": {
            "$ref": "#/components/headers/Retry-After"
          },
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "service_unavailable",
              "message": "The service is temporarily unavailable",
              "status": 503
            }
          }
        }
      },
      "IdempotencyKeyInUse": {
        "description": "A request with the same `Idempotency-Key` is in progress: retry after a second. Or the change conflicts with what is stored\n(`conflict`), and changed nothing.\n",
        "headers": {
          "Retry-After": {
            "$ref": "#/components/headers/Retry-After"
          },
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "idempotency_key_in_use",
              "message": "A request with this Idempotency-Key is in progress",
              "status": 409
            }
          }
        }
      },
      "ContentTooLarge": {
        "description": "The body is larger than the service accepts.",
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "payload_too_large",
              "message": "The body is larger than 65536 bytes",
              "status": 413
            }
          }
        }
      },
      "UnsupportedMediaType": {
        "description": "The body is not `application/json`.",
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "unsupported_media_type",
              "message": "Send the body as application/json",
              "status": 415
            }
          }
        }
      },
      "IdempotencyKeyReused": {
        "description": "The `Idempotency-Key` was already used with another request. Nothing was changed.",
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "idempotency_key_reused",
              "message": "This Idempotency-Key was used with another body",
              "status": 422
            }
          }
        }
      },
      "NotFound": {
        "description": "There is no such resource.",
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "RateLimit-Policy": {
            "$ref": "#/components/headers/RateLimit-Policy"
          },
          "RateLimit": {
            "$ref": "#/components/headers/RateLimit"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "not_found",
              "message": "There is no such resource",
              "status": 404
            }
          }
        }
      }
    }
  }
};

/** For the reference page: the same with what its extensions say in words, as JSON. */
export const reference = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Bookstore\",\"version\":\"1.0.0\",\"description\":\"The books of a store.\\n\\n| Plan | Per minute | Per day |\\n|---|---|---|\\n| reader | 30 | 500 |\\n| publisher | as agreed | as agreed |\\n\\nEvery response has these headers:\\n- `X-RateLimit-Limit`: The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.\\n- `X-RateLimit-Remaining`: Requests remaining in the current window.\\n- `X-RateLimit-Reset`: Unix timestamp in seconds at which the limit resets.\\n- `RateLimit-Policy`: Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a valid key there is only the minute.\\n- `RateLimit`: Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.\",\"contact\":{\"name\":\"Bookstore maintainers\",\"url\":\"https://bookstore.example/support\"},\"license\":{\"name\":\"MIT\",\"identifier\":\"MIT\"}},\"servers\":[{\"url\":\"/v1\",\"description\":\"This server\"},{\"url\":\"https://api.bookstore.example/v1\",\"description\":\"Production\",\"x-environment\":\"production\"}],\"security\":[{\"bearerAuth\":[]}],\"tags\":[{\"name\":\"books\",\"description\":\"The books.\"}],\"x-rate-limit-plans\":{\"reader\":{\"perMinute\":30,\"perDay\":500},\"publisher\":{\"perMinute\":null,\"perDay\":null}},\"paths\":{\"/books\":{\"get\":{\"operationId\":\"listBooks\",\"tags\":[\"books\"],\"summary\":\"List all books\",\"description\":\"Returns books in the order in which they were added.\",\"parameters\":[{\"$ref\":\"#/components/parameters/Limit\"},{\"name\":\"author\",\"in\":\"query\",\"description\":\"Return only books of this author.\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":200},\"example\":\"Le Guin\"},{\"$ref\":\"#/components/parameters/Cursor\"}],\"responses\":{\"200\":{\"description\":\"A page of books.\",\"headers\":{\"Link\":{\"$ref\":\"#/components/headers/Link\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Books\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/client-runtime\",\"source\":\"import { createClient } from \\\"@repo/client-runtime\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst books = bookstore.listBooks({\\n  limit: 20,\\n  author: \\\"Le Guin\\\"\\n});\\nfor await (const book of books) console.log(book);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://api.bookstore.example/v1/books?limit=20&author=Le+Guin' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]},\"post\":{\"operationId\":\"createBook\",\"tags\":[\"books\"],\"summary\":\"Add a book\",\"description\":\"Adds a book, once for each `Idempotency-Key`.\",\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/NewBook\"}}}},\"responses\":{\"201\":{\"description\":\"The book that was added.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Book\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[]}},\"/books/{bookId}\":{\"parameters\":[{\"name\":\"bookId\",\"in\":\"path\",\"required\":true,\"description\":\"The identifier of the book.\",\"schema\":{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":1,\"maximum\":9007199254740991},\"example\":1}],\"get\":{\"operationId\":\"getBook\",\"tags\":[\"books\"],\"summary\":\"Get a book\",\"description\":\"Returns a single book.\",\"responses\":{\"200\":{\"description\":\"The book.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Book\"}}}},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/client-runtime\",\"source\":\"import { createClient } from \\\"@repo/client-runtime\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst book = await bookstore.getBook({\\n  bookId: 1\\n});\\nconsole.log(book);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://api.bookstore.example/v1/books/1' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]},\"delete\":{\"operationId\":\"deleteBook\",\"tags\":[\"books\"],\"summary\":\"Delete a book\",\"description\":\"Deletes a book, once for each `Idempotency-Key`.\",\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"responses\":{\"204\":{\"description\":\"The book is deleted.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/client-runtime\",\"source\":\"import { createClient } from \\\"@repo/client-runtime\\\";\\n\\nconst bookstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nawait bookstore.deleteBook({\\n  bookId: 1\\n});\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request DELETE 'https://api.bookstore.example/v1/books/1' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\"\"}]}}},\"components\":{\"securitySchemes\":{\"bearerAuth\":{\"type\":\"http\",\"scheme\":\"bearer\",\"description\":\"The API key, as `Authorization: Bearer <API_KEY>`. Keys are issued and revoked by the operator.\\n\"}},\"schemas\":{\"NewBook\":{\"description\":\"A book to add.\",\"type\":\"object\",\"required\":[\"title\",\"author\"],\"additionalProperties\":false,\"properties\":{\"title\":{\"description\":\"Its title.\",\"type\":\"string\",\"minLength\":1,\"maxLength\":200,\"example\":\"The Dispossessed\"},\"author\":{\"description\":\"Its author.\",\"type\":\"string\",\"minLength\":1,\"maxLength\":200,\"example\":\"Le Guin\"},\"year\":{\"description\":\"Of its publication.\",\"type\":\"integer\",\"minimum\":-3000,\"maximum\":3000,\"example\":1974}}},\"Book\":{\"description\":\"A book of the store.\",\"type\":\"object\",\"required\":[\"id\",\"title\",\"author\"],\"properties\":{\"id\":{\"description\":\"Assigned by the service.\",\"type\":\"integer\",\"format\":\"int64\",\"minimum\":1,\"maximum\":9007199254740991,\"example\":1},\"title\":{\"description\":\"Its title.\",\"type\":\"string\",\"minLength\":1,\"maxLength\":200,\"example\":\"The Dispossessed\"},\"author\":{\"description\":\"Its author.\",\"type\":\"string\",\"minLength\":1,\"maxLength\":200,\"example\":\"Le Guin\"},\"year\":{\"description\":\"Of its publication. Absent if unknown.\",\"type\":\"integer\",\"minimum\":-3000,\"maximum\":3000,\"example\":1974}}},\"Books\":{\"description\":\"A page of books, in ascending order of `id`.\",\"type\":\"array\",\"maxItems\":100,\"items\":{\"$ref\":\"#/components/schemas/Book\"}},\"Error\":{\"description\":\"The body of every error response.\",\"type\":\"object\",\"required\":[\"code\",\"message\",\"status\"],\"properties\":{\"code\":{\"description\":\"Machine-readable error code. New codes may be added; handle an unknown code by its `status`.\",\"type\":\"string\",\"x-extensible-enum\":[\"invalid_request\",\"api_key_missing\",\"api_key_invalid\",\"not_found\",\"method_not_allowed\",\"request_timeout\",\"payload_too_large\",\"uri_too_long\",\"unsupported_media_type\",\"expectation_failed\",\"conflict\",\"idempotency_key_in_use\",\"idempotency_key_reused\",\"rate_limit_exceeded\",\"api_key_banned\",\"request_header_fields_too_large\",\"internal_error\",\"service_unavailable\",\"outcome_unknown\"],\"example\":\"invalid_request\"},\"message\":{\"description\":\"Human-readable description. It may change; do not parse it.\",\"type\":\"string\",\"example\":\"name is required\"},\"status\":{\"description\":\"The HTTP status code.\",\"type\":\"integer\",\"minimum\":400,\"maximum\":599,\"example\":400}}}},\"parameters\":{\"Limit\":{\"name\":\"limit\",\"in\":\"query\",\"description\":\"The maximum number of items to return.\",\"schema\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"default\":20},\"example\":20},\"Cursor\":{\"name\":\"cursor\",\"in\":\"query\",\"description\":\"Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it.\\n\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":128}},\"IdempotencyKey\":{\"name\":\"Idempotency-Key\",\"in\":\"header\",\"description\":\"Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value, such as a\\nUUID, with each new change; it is kept for 24 hours. A repetition of the request gets the first response, or 409\\nif that is not ready yet; another request with the same value gets 422.\\n\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"pattern\":\"^(?!\\\"\\\"$)[!-~]+$\"}}},\"headers\":{\"X-RateLimit-Limit\":{\"required\":true,\"description\":\"The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":60},\"X-RateLimit-Remaining\":{\"required\":true,\"description\":\"Requests remaining in the current window.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":59},\"X-RateLimit-Reset\":{\"required\":true,\"description\":\"Unix timestamp in seconds at which the limit resets.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":1795176060},\"RateLimit-Policy\":{\"required\":true,\"description\":\"Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a\\nvalid key there is only the minute.\\n\",\"schema\":{\"type\":\"string\"},\"example\":\"\\\"minute\\\";q=60;w=60, \\\"day\\\";q=1000;w=86400\"},\"RateLimit\":{\"required\":true,\"description\":\"Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.\",\"schema\":{\"type\":\"string\"},\"example\":\"\\\"minute\\\";r=59;t=30, \\\"day\\\";r=999;t=43200\"},\"Link\":{\"description\":\"Related resources (RFC 8288). `rel=\\\"next\\\"`: the next page, absent on the last one. `rel=\\\"successor-version\\\"`:\\nthe replacement of a deprecated operation.\\n\",\"schema\":{\"type\":\"string\"},\"example\":\"</v1/notes?limit=20&cursor=bGlzdE5vdGVzOjQu>; rel=\\\"next\\\"\"},\"WWW-Authenticate\":{\"description\":\"The authentication scheme (RFC 6750, section 3).\",\"schema\":{\"type\":\"string\"},\"example\":\"Bearer realm=\\\"service\\\"\"},\"Retry-After\":{\"description\":\"Seconds to wait before the next request (RFC 9110, section 10.2.3).\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":30}},\"responses\":{\"OtherFailure\":{\"description\":\"Any other error, such as a malformed or incomplete HTTP request.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"request_header_fields_too_large\",\"message\":\"The request headers are too large\",\"status\":431}}}},\"BadRequest\":{\"description\":\"The request contains an invalid value or lacks a required one. Nothing was changed.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"missing\":{\"value\":{\"code\":\"invalid_request\",\"message\":\"body.name is required\",\"status\":400}},\"outOfRange\":{\"value\":{\"code\":\"invalid_request\",\"message\":\"query parameter limit must be at most 100\",\"status\":400}}}}}},\"Unauthorized\":{\"description\":\"The API key is missing or invalid.\",\"headers\":{\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"missing\":{\"value\":{\"code\":\"api_key_missing\",\"message\":\"Send your API key as Authorization: Bearer <API_KEY>\",\"status\":401}},\"invalid\":{\"value\":{\"code\":\"api_key_invalid\",\"message\":\"The API key is not valid\",\"status\":401}}}}}},\"TooManyRequests\":{\"description\":\"Rate limit exceeded, or the key is banned for sending more requests after a 429. Wait for `Retry-After` seconds.\\nRequests refused within a second of the first 429 do not count towards a ban.\\n\",\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"limit\":{\"value\":{\"code\":\"rate_limit_exceeded\",\"message\":\"The limit of 60 requests per minute is reached; retry in 30 seconds\",\"status\":429}},\"banned\":{\"value\":{\"code\":\"api_key_banned\",\"message\":\"Temporarily banned for sending more requests after a 429; retry in 600 seconds\",\"status\":429}}}}}},\"InternalServerError\":{\"description\":\"Internal error.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"internal_error\",\"message\":\"Internal error\",\"status\":500}}}},\"ServiceUnavailable\":{\"description\":\"The service is temporarily unavailable, and did not process the request: retry after `Retry-After` seconds. Only\\nwith the code `outcome_unknown`, the change may or may not have been made, because the connection to the database\\nwas lost: repeat that request only if it had an `Idempotency-Key`.\\n\",\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"service_unavailable\",\"message\":\"The service is temporarily unavailable\",\"status\":503}}}},\"IdempotencyKeyInUse\":{\"description\":\"A request with the same `Idempotency-Key` is in progress: retry after a second. Or the change conflicts with what is stored\\n(`conflict`), and changed nothing.\\n\",\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"idempotency_key_in_use\",\"message\":\"A request with this Idempotency-Key is in progress\",\"status\":409}}}},\"ContentTooLarge\":{\"description\":\"The body is larger than the service accepts.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"payload_too_large\",\"message\":\"The body is larger than 65536 bytes\",\"status\":413}}}},\"UnsupportedMediaType\":{\"description\":\"The body is not `application/json`.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"unsupported_media_type\",\"message\":\"Send the body as application/json\",\"status\":415}}}},\"IdempotencyKeyReused\":{\"description\":\"The `Idempotency-Key` was already used with another request. Nothing was changed.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"idempotency_key_reused\",\"message\":\"This Idempotency-Key was used with another body\",\"status\":422}}}},\"NotFound\":{\"description\":\"There is no such resource.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"not_found\",\"message\":\"There is no such resource\",\"status\":404}}}}}}}";
