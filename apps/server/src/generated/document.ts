// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

export const document = {
  "openapi": "3.1.0",
  "info": {
    "title": "Petstore",
    "version": "1.0.0",
    "summary": "A catalogue of animals available for adoption.",
    "description": "List the animals of the store, filter them by availability, and add new ones.\n\n**Authentication.** Every request carries an API key: `Authorization: Bearer <API_KEY>`.\n\n**Errors.** Every error response has the same body: `code` for programs, `message` for people, and the HTTP\n`status`.\n\n**Versions.** Changes within `/v1` are compatible. A deprecated operation announces its removal in the\n`Deprecation`, `Sunset` and `Link` headers of its responses.\n\n**Limits.** Each key has a number of requests per minute and per day, set by its plan. Every response shows how\nmany remain; a request over the limit gets 429 with `Retry-After`. A client that keeps sending requests for more\nthan a second after its first 429 may be banned temporarily. Requests without a valid key count for their address.\n",
    "contact": { "name": "Petstore maintainers", "url": "https://petstore.example/support" },
    "license": { "name": "MIT", "identifier": "MIT" }
  },
  "servers": [
    { "url": "https://api.petstore.example/v1", "description": "Production", "x-environment": "production" },
    { "url": "https://api.staging.petstore.example/v1", "description": "Staging", "x-environment": "staging" }
  ],
  "tags": [ { "name": "animals", "description": "The animals of the store." } ],
  "x-rate-limit-plans": {
    "free": { "perMinute": 60, "perDay": 1000 },
    "pro": { "perMinute": 300, "perDay": 10000 },
    "business": { "perMinute": 1000, "perDay": 100000 },
    "enterprise": { "perMinute": null, "perDay": null }
  },
  "paths": {
    "/pets": {
      "get": {
        "operationId": "listPets",
        "tags": [ "animals" ],
        "summary": "List all animals",
        "description": "Returns animals in the order in which they were added (ascending `id`), at most `limit` at a time. If there\nare more, the `Link` header points to the next page.\n",
        "parameters": [
          { "$ref": "#/components/parameters/Limit" },
          {
            "name": "status",
            "in": "query",
            "description": "Return only animals with this status. Without it, all animals are returned.",
            "schema": { "$ref": "#/components/schemas/PetStatus" },
            "example": "available"
          },
          { "$ref": "#/components/parameters/Cursor" }
        ],
        "responses": {
          "200": {
            "description": "A page of animals.",
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
                "schema": { "$ref": "#/components/schemas/Pets" },
                "example": [
                  { "id": 1, "name": "Biscuit", "categoryId": 7, "status": "available" },
                  { "id": 4, "name": "Olive", "categoryId": 2, "status": "available" }
                ]
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
        "operationId": "createPet",
        "tags": [ "animals" ],
        "summary": "Add an animal",
        "description": "Adds an animal to the store and returns it with the `id` that the service assigned. With an `Idempotency-Key`,\nthe request can be repeated safely: the animal is added once.\n",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": { "$ref": "#/components/schemas/NewPet" },
              "example": { "name": "Biscuit", "categoryId": 7, "status": "available" }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The animal that was added.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": {
              "application/json": {
                "schema": { "$ref": "#/components/schemas/Pet" },
                "example": { "id": 1, "name": "Biscuit", "categoryId": 7, "status": "available" }
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
    "/pets/{petId}": {
      "get": {
        "operationId": "getPet",
        "tags": [ "animals" ],
        "summary": "Get an animal",
        "description": "Returns a single animal. Every response, including errors, has the `Deprecation`, `Sunset` and `Link` headers,\nwhich announce the removal.\n",
        "deprecated": true,
        "x-deprecated-at": "2026-11-20",
        "x-sunset": "2030-12-05",
        "x-replaced-by": { "operationId": "listPets", "parameters": { "status": "available" } },
        "parameters": [ { "$ref": "#/components/parameters/PetId" } ],
        "responses": {
          "200": {
            "description": "The animal.",
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
                "schema": { "$ref": "#/components/schemas/Pet" },
                "example": { "id": 1, "name": "Biscuit", "categoryId": 7, "status": "available" }
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
      "PetStatus": { "description": "Availability for adoption.", "type": "string", "enum": [ "available", "pending", "sold" ] },
      "NewPet": {
        "description": "An animal to add.",
        "type": "object",
        "required": [ "name", "categoryId" ],
        "additionalProperties": false,
        "properties": {
          "name": {
            "description": "The animal's name.",
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "example": "Biscuit",
            "pattern": "^[^\\x00]*$"
          },
          "categoryId": {
            "description": "Identifier of the category the animal belongs to. Opaque to this service.",
            "type": "integer",
            "format": "int64",
            "example": 7,
            "minimum": -9007199254740991,
            "maximum": 9007199254740991
          },
          "status": { "$ref": "#/components/schemas/PetStatus" }
        }
      },
      "Pet": {
        "description": "An animal of the store.",
        "type": "object",
        "required": [ "id", "name", "categoryId" ],
        "properties": {
          "id": {
            "description": "Unique identifier, assigned by the service on creation.",
            "type": "integer",
            "format": "int64",
            "example": 1,
            "minimum": -9007199254740991,
            "maximum": 9007199254740991
          },
          "name": {
            "description": "The animal's name.",
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "example": "Biscuit"
          },
          "categoryId": {
            "description": "Identifier of the category the animal belongs to.",
            "type": "integer",
            "format": "int64",
            "example": 7,
            "minimum": -9007199254740991,
            "maximum": 9007199254740991
          },
          "status": { "description": "Absent if it was not given at creation.", "$ref": "#/components/schemas/PetStatus" }
        }
      },
      "Pets": {
        "description": "A page of animals, in ascending order of `id`.",
        "type": "array",
        "maxItems": 100,
        "items": { "$ref": "#/components/schemas/Pet" }
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
              "gateway_timeout"
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
      "PetId": {
        "name": "petId",
        "in": "path",
        "required": true,
        "description": "The identifier of the animal.",
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 },
        "example": 1
      },
      "Limit": {
        "name": "limit",
        "in": "query",
        "description": "The maximum number of items to return.",
        "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 },
        "example": 20
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
      },
      "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with\neach new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept\nfor 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another\nrequest with the same value gets 422.\n",
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
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
  "security": [ { "bearerAuth": [] } ]
};

/** The document of the reference page as JSON: the contract with its extensions written out as text. */
export const reference = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Petstore\",\"version\":\"1.0.0\",\"summary\":\"A catalogue of animals available for adoption.\",\"description\":\"List the animals of the store, filter them by availability, and add new ones.\\n\\n**Authentication.** Every request carries an API key: `Authorization: Bearer <API_KEY>`.\\n\\n**Errors.** Every error response has the same body: `code` for programs, `message` for people, and the HTTP\\n`status`.\\n\\n**Versions.** Changes within `/v1` are compatible. A deprecated operation announces its removal in the\\n`Deprecation`, `Sunset` and `Link` headers of its responses.\\n\\n**Limits.** Each key has a number of requests per minute and per day, set by its plan. Every response shows how\\nmany remain; a request over the limit gets 429 with `Retry-After`. A client that keeps sending requests for more\\nthan a second after its first 429 may be banned temporarily. Requests without a valid key count for their address.\\n\\n\\n| Plan | Per minute | Per day |\\n|---|---|---|\\n| free | 60 | 1,000 |\\n| pro | 300 | 10,000 |\\n| business | 1,000 | 100,000 |\\n| enterprise | as agreed | as agreed |\\n\\nEvery response has these headers:\\n- `X-RateLimit-Limit`: The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.\\n- `X-RateLimit-Remaining`: Requests remaining in the current window.\\n- `X-RateLimit-Reset`: Unix timestamp in seconds at which the limit resets.\\n- `RateLimit-Policy`: Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a valid key there is only the minute.\\n- `RateLimit`: Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.\",\"contact\":{\"name\":\"Petstore maintainers\",\"url\":\"https://petstore.example/support\"},\"license\":{\"name\":\"MIT\",\"identifier\":\"MIT\"}},\"servers\":[{\"url\":\"/v1\",\"description\":\"This server\"},{\"url\":\"https://api.petstore.example/v1\",\"description\":\"Production\",\"x-environment\":\"production\"},{\"url\":\"https://api.staging.petstore.example/v1\",\"description\":\"Staging\",\"x-environment\":\"staging\"}],\"tags\":[{\"name\":\"animals\",\"description\":\"The animals of the store.\"}],\"x-rate-limit-plans\":{\"free\":{\"perMinute\":60,\"perDay\":1000},\"pro\":{\"perMinute\":300,\"perDay\":10000},\"business\":{\"perMinute\":1000,\"perDay\":100000},\"enterprise\":{\"perMinute\":null,\"perDay\":null}},\"paths\":{\"/pets\":{\"get\":{\"operationId\":\"listPets\",\"tags\":[\"animals\"],\"summary\":\"List all animals\",\"description\":\"Returns animals in the order in which they were added (ascending `id`), at most `limit` at a time. If there\\nare more, the `Link` header points to the next page.\\n\",\"parameters\":[{\"$ref\":\"#/components/parameters/Limit\"},{\"name\":\"status\",\"in\":\"query\",\"description\":\"Return only animals with this status. Without it, all animals are returned.\",\"schema\":{\"$ref\":\"#/components/schemas/PetStatus\"},\"example\":\"available\"},{\"$ref\":\"#/components/parameters/Cursor\"}],\"responses\":{\"200\":{\"description\":\"A page of animals.\",\"headers\":{\"Link\":{\"$ref\":\"#/components/headers/Link\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Pets\"},\"example\":[{\"id\":1,\"name\":\"Biscuit\",\"categoryId\":7,\"status\":\"available\"},{\"id\":4,\"name\":\"Olive\",\"categoryId\":2,\"status\":\"available\"}]}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@petstore/client\",\"source\":\"import { createClient } from \\\"@petstore/client\\\";\\n\\nconst petstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst pets = petstore.listPets({\\n  limit: 20,\\n  status: \\\"available\\\"\\n});\\nfor await (const pet of pets) console.log(pet);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://api.petstore.example/v1/pets?limit=20&status=available' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]},\"post\":{\"operationId\":\"createPet\",\"tags\":[\"animals\"],\"summary\":\"Add an animal\",\"description\":\"Adds an animal to the store and returns it with the `id` that the service assigned. With an `Idempotency-Key`,\\nthe request can be repeated safely: the animal is added once.\\n\",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/NewPet\"},\"example\":{\"name\":\"Biscuit\",\"categoryId\":7,\"status\":\"available\"}}}},\"responses\":{\"201\":{\"description\":\"The animal that was added.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Pet\"},\"example\":{\"id\":1,\"name\":\"Biscuit\",\"categoryId\":7,\"status\":\"available\"}}}},\"400\":{\"$ref\":\"#/components/responses/BadRequest\"},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/IdempotencyKeyReused\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@petstore/client\",\"source\":\"import { createClient } from \\\"@petstore/client\\\";\\n\\nconst petstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst pet = await petstore.createPet({\\n  name: \\\"Biscuit\\\",\\n  categoryId: 7,\\n  status: \\\"available\\\"\\n});\\nconsole.log(pet);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request POST 'https://api.petstore.example/v1/pets' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\" \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"name\\\":\\\"Biscuit\\\",\\\"categoryId\\\":7,\\\"status\\\":\\\"available\\\"}'\"}]}},\"/pets/{petId}\":{\"get\":{\"operationId\":\"getPet\",\"tags\":[\"animals\"],\"summary\":\"Get an animal\",\"description\":\"Returns a single animal. Every response, including errors, has the `Deprecation`, `Sunset` and `Link` headers,\\nwhich announce the removal.\\n\\n\\n**Deprecated.** Since 20 November 2026; removed on 5 December 2030. Use `listPets` with `status=available` instead.\",\"deprecated\":true,\"x-deprecated-at\":\"2026-11-20\",\"x-sunset\":\"2030-12-05\",\"x-replaced-by\":{\"operationId\":\"listPets\",\"parameters\":{\"status\":\"available\"}},\"parameters\":[{\"$ref\":\"#/components/parameters/PetId\"}],\"responses\":{\"200\":{\"description\":\"The animal.\",\"headers\":{\"Deprecation\":{\"$ref\":\"#/components/headers/Deprecation\"},\"Sunset\":{\"$ref\":\"#/components/headers/Sunset\"},\"Link\":{\"$ref\":\"#/components/headers/Link\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Pet\"},\"example\":{\"id\":1,\"name\":\"Biscuit\",\"categoryId\":7,\"status\":\"available\"}}}},\"401\":{\"$ref\":\"#/components/responses/Unauthorized\"},\"404\":{\"$ref\":\"#/components/responses/NotFound\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@petstore/client\",\"source\":\"// getPet will be removed on 5 December 2030.\\n// Use listPets instead.\\nimport { createClient } from \\\"@petstore/client\\\";\\n\\nconst petstore = createClient({\\n  apiKey: \\\"YOUR_API_KEY\\\"\\n});\\n\\nconst pets = petstore.listPets({\\n  status: \\\"available\\\"\\n});\\nfor await (const pet of pets) console.log(pet);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"# getPet will be removed on 5 December 2030.\\n# Use listPets instead.\\ncurl --request GET 'https://api.petstore.example/v1/pets?status=available' \\\\\\n  --header 'Authorization: Bearer YOUR_API_KEY'\"}]}}},\"components\":{\"securitySchemes\":{\"bearerAuth\":{\"type\":\"http\",\"scheme\":\"bearer\",\"description\":\"The API key, as `Authorization: Bearer <API_KEY>`. Keys are issued and revoked by the operator.\\n\"}},\"schemas\":{\"PetStatus\":{\"description\":\"Availability for adoption.\",\"type\":\"string\",\"enum\":[\"available\",\"pending\",\"sold\"]},\"NewPet\":{\"description\":\"An animal to add.\",\"type\":\"object\",\"required\":[\"name\",\"categoryId\"],\"additionalProperties\":false,\"properties\":{\"name\":{\"description\":\"The animal's name.\",\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Biscuit\"},\"categoryId\":{\"description\":\"Identifier of the category the animal belongs to. Opaque to this service.\",\"type\":\"integer\",\"format\":\"int64\",\"example\":7,\"minimum\":-9007199254740991,\"maximum\":9007199254740991},\"status\":{\"$ref\":\"#/components/schemas/PetStatus\"}}},\"Pet\":{\"description\":\"An animal of the store.\",\"type\":\"object\",\"required\":[\"id\",\"name\",\"categoryId\"],\"properties\":{\"id\":{\"description\":\"Unique identifier, assigned by the service on creation.\",\"type\":\"integer\",\"format\":\"int64\",\"example\":1,\"minimum\":-9007199254740991,\"maximum\":9007199254740991},\"name\":{\"description\":\"The animal's name.\",\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"example\":\"Biscuit\"},\"categoryId\":{\"description\":\"Identifier of the category the animal belongs to.\",\"type\":\"integer\",\"format\":\"int64\",\"example\":7,\"minimum\":-9007199254740991,\"maximum\":9007199254740991},\"status\":{\"description\":\"Absent if it was not given at creation.\",\"$ref\":\"#/components/schemas/PetStatus\"}}},\"Pets\":{\"description\":\"A page of animals, in ascending order of `id`.\",\"type\":\"array\",\"maxItems\":100,\"items\":{\"$ref\":\"#/components/schemas/Pet\"}},\"Error\":{\"description\":\"The body of every error response.\",\"type\":\"object\",\"required\":[\"code\",\"message\",\"status\"],\"properties\":{\"code\":{\"description\":\"Machine-readable error code. New codes may be added; handle an unknown code by its `status`.\",\"type\":\"string\",\"x-extensible-enum\":[\"invalid_request\",\"unauthorized\",\"api_key_missing\",\"api_key_invalid\",\"api_key_expired\",\"payment_required\",\"forbidden\",\"not_found\",\"method_not_allowed\",\"not_acceptable\",\"request_timeout\",\"conflict\",\"idempotency_key_in_use\",\"gone\",\"precondition_failed\",\"payload_too_large\",\"uri_too_long\",\"unsupported_media_type\",\"expectation_failed\",\"unprocessable_content\",\"idempotency_key_reused\",\"locked\",\"precondition_required\",\"rate_limit_exceeded\",\"api_key_banned\",\"request_header_fields_too_large\",\"unavailable_for_legal_reasons\",\"internal_error\",\"not_implemented\",\"bad_gateway\",\"service_unavailable\",\"outcome_unknown\",\"gateway_timeout\"],\"example\":\"invalid_request\"},\"message\":{\"description\":\"Human-readable description. It may change; do not parse it.\",\"type\":\"string\",\"example\":\"name is required\"},\"status\":{\"description\":\"The HTTP status code.\",\"type\":\"integer\",\"minimum\":400,\"maximum\":599,\"example\":400},\"errors\":{\"description\":\"Which values fail, for forms: each failure of the first part of the request that fails, of path, query, body and\\nheader. Not every error has it.\\n\",\"type\":\"array\",\"maxItems\":20,\"items\":{\"$ref\":\"#/components/schemas/FieldError\"}}}},\"FieldError\":{\"description\":\"A value of a request that fails.\",\"type\":\"object\",\"required\":[\"pointer\",\"message\"],\"properties\":{\"pointer\":{\"description\":\"Where it is, as a JSON Pointer (RFC 6901) that begins with `/path`, `/query`, `/header` or `/body`.\",\"type\":\"string\",\"example\":\"/body/name\"},\"message\":{\"description\":\"Human-readable description, without the name of the value. It may change; do not parse it.\",\"type\":\"string\",\"example\":\"is required\"}}}},\"parameters\":{\"PetId\":{\"name\":\"petId\",\"in\":\"path\",\"required\":true,\"description\":\"The identifier of the animal.\",\"schema\":{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991},\"example\":1},\"Limit\":{\"name\":\"limit\",\"in\":\"query\",\"description\":\"The maximum number of items to return.\",\"schema\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"default\":20},\"example\":20},\"Cursor\":{\"name\":\"cursor\",\"in\":\"query\",\"description\":\"Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it.\\n\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096}},\"IdempotencyKey\":{\"name\":\"Idempotency-Key\",\"in\":\"header\",\"description\":\"Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with\\neach new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept\\nfor 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another\\nrequest with the same value gets 422.\\n\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"pattern\":\"^\\\"*[!#-~][!-~]*$\"}}},\"headers\":{\"X-RateLimit-Limit\":{\"required\":true,\"description\":\"The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":60},\"X-RateLimit-Remaining\":{\"required\":true,\"description\":\"Requests remaining in the current window.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":59},\"X-RateLimit-Reset\":{\"required\":true,\"description\":\"Unix timestamp in seconds at which the limit resets.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":1795176060},\"RateLimit-Policy\":{\"required\":true,\"description\":\"Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a\\nvalid key there is only the minute.\\n\",\"schema\":{\"type\":\"string\",\"pattern\":\"^\\\"[a-z]+\\\";q=[0-9]{1,15};w=[0-9]{1,15}(, \\\"[a-z]+\\\";q=[0-9]{1,15};w=[0-9]{1,15})*$\"},\"example\":\"\\\"minute\\\";q=60;w=60, \\\"day\\\";q=1000;w=86400\"},\"RateLimit\":{\"required\":true,\"description\":\"Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.\",\"schema\":{\"type\":\"string\",\"pattern\":\"^\\\"[a-z]+\\\";r=[0-9]{1,15};t=[0-9]{1,15}(, \\\"[a-z]+\\\";r=[0-9]{1,15};t=[0-9]{1,15})*$\"},\"example\":\"\\\"minute\\\";r=59;t=30, \\\"day\\\";r=999;t=43200\"},\"Retry-After\":{\"description\":\"Seconds to wait before the next request (RFC 9110, section 10.2.3).\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":30},\"WWW-Authenticate\":{\"required\":true,\"description\":\"The authentication scheme (RFC 6750, section 3).\",\"schema\":{\"type\":\"string\",\"pattern\":\"^Bearer realm=\\\"[^\\\"\\\\\\\\]+\\\"(, error=\\\"[a-z_]+\\\")?$\"},\"example\":\"Bearer realm=\\\"service\\\"\"},\"Link\":{\"description\":\"Related resources (RFC 8288). `rel=\\\"next\\\"`: the next page, absent on the last one. `rel=\\\"successor-version\\\"`:\\nthe replacement of a deprecated operation.\\n\",\"schema\":{\"type\":\"string\",\"pattern\":\"^<[^<>\\\" ]+>; rel=\\\"[a-z-]+\\\"(, <[^<>\\\" ]+>; rel=\\\"[a-z-]+\\\")*$\"},\"example\":\"</v1/items?limit=20&cursor=YWZ0ZXI6NC4>; rel=\\\"next\\\"\"},\"Deprecation\":{\"required\":true,\"description\":\"Time of the deprecation: `@` and a Unix timestamp (RFC 9745).\",\"schema\":{\"type\":\"string\",\"pattern\":\"^@[0-9]{1,15}$\"},\"example\":\"@1795132800\"},\"Sunset\":{\"required\":true,\"description\":\"Time of the removal (RFC 8594).\",\"schema\":{\"type\":\"string\",\"pattern\":\"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$\"},\"example\":\"Thu, 05 Dec 2030 00:00:00 GMT\"}},\"responses\":{\"BadRequest\":{\"description\":\"The request contains an invalid value or lacks a required one. Nothing was changed.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"missing\":{\"value\":{\"code\":\"invalid_request\",\"message\":\"body.name is required\",\"status\":400}},\"outOfRange\":{\"value\":{\"code\":\"invalid_request\",\"message\":\"query parameter limit must be at most 100\",\"status\":400}}}}}},\"Unauthorized\":{\"description\":\"The API key is missing, invalid or expired.\",\"headers\":{\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"missing\":{\"value\":{\"code\":\"api_key_missing\",\"message\":\"Send your API key as Authorization: Bearer <API_KEY>\",\"status\":401}},\"invalid\":{\"value\":{\"code\":\"api_key_invalid\",\"message\":\"The API key is not valid\",\"status\":401}},\"expired\":{\"value\":{\"code\":\"api_key_expired\",\"message\":\"The API key has expired\",\"status\":401}}}}}},\"NotFound\":{\"description\":\"There is no such resource.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"not_found\",\"message\":\"There is no such resource\",\"status\":404}}}},\"IdempotencyKeyInUse\":{\"description\":\"A request with the same `Idempotency-Key` is in progress: retry after a second. Or the change conflicts with what is stored\\n(`conflict`), and changed nothing.\\n\",\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"inUse\":{\"value\":{\"code\":\"idempotency_key_in_use\",\"message\":\"A request with this Idempotency-Key is in progress\",\"status\":409}},\"conflict\":{\"value\":{\"code\":\"conflict\",\"message\":\"The change conflicts with what is stored\",\"status\":409}}}}}},\"ContentTooLarge\":{\"description\":\"The body is larger than the service accepts.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"payload_too_large\",\"message\":\"The body is larger than 65536 bytes\",\"status\":413}}}},\"UnsupportedMediaType\":{\"description\":\"The body is not `application/json`.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"unsupported_media_type\",\"message\":\"Send the body as application/json\",\"status\":415}}}},\"IdempotencyKeyReused\":{\"description\":\"The `Idempotency-Key` was already used with another request. Nothing was changed.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"idempotency_key_reused\",\"message\":\"This Idempotency-Key was used with another body\",\"status\":422}}}},\"TooManyRequests\":{\"description\":\"Rate limit exceeded, or the key is banned for sending more requests after a 429. Wait for `Retry-After` seconds.\\nRequests refused within a second of the first 429 do not count towards a ban.\\n\",\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"limit\":{\"value\":{\"code\":\"rate_limit_exceeded\",\"message\":\"The limit of 60 requests per minute is reached; retry in 30 seconds\",\"status\":429}},\"banned\":{\"value\":{\"code\":\"api_key_banned\",\"message\":\"Temporarily banned for sending more requests after a 429; retry in 600 seconds\",\"status\":429}}}}}},\"InternalServerError\":{\"description\":\"Internal error.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"internal_error\",\"message\":\"Internal error\",\"status\":500}}}},\"ServiceUnavailable\":{\"description\":\"The service is temporarily unavailable, and did not process the request: retry after `Retry-After` seconds. Only\\nwith the code `outcome_unknown`, the change may or may not have been made, because the connection to the database\\nwas lost: repeat that request only if it had an `Idempotency-Key`.\\n\",\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"examples\":{\"unavailable\":{\"value\":{\"code\":\"service_unavailable\",\"message\":\"The service is temporarily unavailable\",\"status\":503}},\"unknown\":{\"value\":{\"code\":\"outcome_unknown\",\"message\":\"It is not known whether the change was made\",\"status\":503}}}}}},\"OtherFailure\":{\"description\":\"Any other error, such as a malformed or incomplete HTTP request.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"},\"example\":{\"code\":\"request_header_fields_too_large\",\"message\":\"The request headers are too large\",\"status\":431}}}}}},\"security\":[{\"bearerAuth\":[]}]}";
