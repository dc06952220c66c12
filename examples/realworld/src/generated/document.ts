// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

export const document = {
  "openapi": "3.1.0",
  "info": {
    "title": "Conduit",
    "description": "Articles that people write, comment and favorite. People follow each other.",
    "version": "1.0.0",
    "license": { "name": "MIT", "identifier": "MIT" }
  },
  "servers": [ { "url": "https://conduit.example/api" } ],
  "tags": [
    { "name": "users", "description": "Registration and login." },
    { "name": "profiles", "description": "People as others see them." },
    { "name": "articles", "description": "Articles and their tags." },
    { "name": "comments", "description": "Comments on articles." }
  ],
  "x-rate-limit-plans": { "free": { "perMinute": 600, "perDay": 100000 } },
  "security": [ { "user": [] } ],
  "paths": {
    "/users/login": {
      "post": {
        "operationId": "Login",
        "summary": "Log in",
        "tags": [ "users" ],
        "security": [],
        "x-not-idempotent": "The response has a token, which is not to be stored.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [ "user" ],
                "properties": { "user": { "$ref": "#/components/schemas/LoginUser" } }
              }
            }
          }
        },
        "responses": {
          "200": { "$ref": "#/components/responses/User" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" },
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      }
    },
    "/users": {
      "post": {
        "operationId": "CreateUser",
        "summary": "Register",
        "tags": [ "users" ],
        "security": [],
        "x-not-idempotent": "The response has a token, which is not to be stored.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [ "user" ],
                "properties": { "user": { "$ref": "#/components/schemas/NewUser" } }
              }
            }
          }
        },
        "responses": {
          "201": { "$ref": "#/components/responses/User" },
          "409": { "$ref": "#/components/responses/Failure" },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      }
    },
    "/user": {
      "get": {
        "operationId": "GetCurrentUser",
        "summary": "Get the caller",
        "tags": [ "users" ],
        "responses": {
          "200": { "$ref": "#/components/responses/User" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      },
      "put": {
        "operationId": "UpdateCurrentUser",
        "summary": "Change the caller",
        "tags": [ "users" ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [ "user" ],
                "properties": { "user": { "$ref": "#/components/schemas/UpdateUser" } }
              }
            }
          }
        },
        "responses": {
          "200": { "$ref": "#/components/responses/User" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      }
    },
    "/profiles/{username}": {
      "parameters": [ { "$ref": "#/components/parameters/username" } ],
      "get": {
        "operationId": "GetProfileByUsername",
        "summary": "Get a profile",
        "tags": [ "profiles" ],
        "security": [ {}, { "user": [] } ],
        "responses": {
          "200": { "$ref": "#/components/responses/Profile" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "404": { "$ref": "#/components/responses/Failure" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      }
    },
    "/profiles/{username}/follow": {
      "parameters": [ { "$ref": "#/components/parameters/username" } ],
      "post": {
        "operationId": "FollowUserByUsername",
        "summary": "Follow a person",
        "tags": [ "profiles" ],
        "responses": {
          "200": { "$ref": "#/components/responses/Profile" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "404": { "$ref": "#/components/responses/Failure" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422,
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      },
      "delete": {
        "operationId": "UnfollowUserByUsername",
        "summary": "Unfollow a person",
        "tags": [ "profiles" ],
        "responses": {
          "200": { "$ref": "#/components/responses/Profile" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "404": { "$ref": "#/components/responses/Failure" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422,
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/articles/feed": {
      "get": {
        "operationId": "GetArticlesFeed",
        "summary": "List the articles of those whom the caller follows",
        "tags": [ "articles" ],
        "parameters": [ { "$ref": "#/components/parameters/offset" }, { "$ref": "#/components/parameters/limit" } ],
        "responses": {
          "200": { "$ref": "#/components/responses/Articles" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      }
    },
    "/articles": {
      "get": {
        "operationId": "GetArticles",
        "summary": "List articles, the newest first",
        "tags": [ "articles" ],
        "security": [ {}, { "user": [] } ],
        "parameters": [
          {
            "name": "tag",
            "in": "query",
            "description": "A tag that they have.",
            "schema": { "type": "string", "pattern": "^[^\\x00]*$" }
          },
          {
            "name": "author",
            "in": "query",
            "description": "Who has written them.",
            "schema": { "type": "string", "pattern": "^[^\\x00]*$" }
          },
          {
            "name": "favorited",
            "in": "query",
            "description": "Who has favorited them.",
            "schema": { "type": "string", "pattern": "^[^\\x00]*$" }
          },
          { "$ref": "#/components/parameters/offset" },
          { "$ref": "#/components/parameters/limit" }
        ],
        "responses": {
          "200": { "$ref": "#/components/responses/Articles" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      },
      "post": {
        "operationId": "CreateArticle",
        "summary": "Write an article",
        "tags": [ "articles" ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [ "article" ],
                "properties": { "article": { "$ref": "#/components/schemas/NewArticle" } }
              }
            }
          }
        },
        "responses": {
          "201": { "$ref": "#/components/responses/Article" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "409": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "Retry-After": { "$ref": "#/components/headers/Retry-After" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422,
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/articles/{slug}": {
      "parameters": [ { "$ref": "#/components/parameters/slug" } ],
      "get": {
        "operationId": "GetArticle",
        "summary": "Get an article",
        "tags": [ "articles" ],
        "security": [ {}, { "user": [] } ],
        "responses": {
          "200": { "$ref": "#/components/responses/Article" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "404": { "$ref": "#/components/responses/Failure" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      },
      "put": {
        "operationId": "UpdateArticle",
        "summary": "Change an article",
        "tags": [ "articles" ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [ "article" ],
                "properties": { "article": { "$ref": "#/components/schemas/UpdateArticle" } }
              }
            }
          }
        },
        "responses": {
          "200": { "$ref": "#/components/responses/Article" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "403": { "$ref": "#/components/responses/Failure" },
          "404": { "$ref": "#/components/responses/Failure" },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      },
      "delete": {
        "operationId": "DeleteArticle",
        "summary": "Delete an article",
        "tags": [ "articles" ],
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
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "403": { "$ref": "#/components/responses/Failure" },
          "404": { "$ref": "#/components/responses/Failure" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422,
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/articles/{slug}/comments": {
      "parameters": [ { "$ref": "#/components/parameters/slug" } ],
      "get": {
        "operationId": "GetArticleComments",
        "summary": "List the comments on an article",
        "tags": [ "comments" ],
        "security": [ {}, { "user": [] } ],
        "responses": {
          "200": {
            "description": "The comments.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": [ "comments" ],
                  "properties": { "comments": { "type": "array", "items": { "$ref": "#/components/schemas/Comment" } } }
                }
              }
            }
          },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "404": { "$ref": "#/components/responses/Failure" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      },
      "post": {
        "operationId": "CreateArticleComment",
        "summary": "Comment an article",
        "tags": [ "comments" ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [ "comment" ],
                "properties": { "comment": { "$ref": "#/components/schemas/NewComment" } }
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The comment.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": [ "comment" ],
                  "properties": { "comment": { "$ref": "#/components/schemas/Comment" } }
                }
              }
            }
          },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "404": { "$ref": "#/components/responses/Failure" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "413": { "$ref": "#/components/responses/ContentTooLarge" },
          "415": { "$ref": "#/components/responses/UnsupportedMediaType" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422,
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/articles/{slug}/comments/{id}": {
      "parameters": [
        { "$ref": "#/components/parameters/slug" },
        {
          "name": "id",
          "in": "path",
          "required": true,
          "description": "Of the comment.",
          "schema": { "type": "integer" }
        }
      ],
      "delete": {
        "operationId": "DeleteArticleComment",
        "summary": "Delete a comment",
        "tags": [ "comments" ],
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
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "403": { "$ref": "#/components/responses/Failure" },
          "404": { "$ref": "#/components/responses/Failure" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422,
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/articles/{slug}/favorite": {
      "parameters": [ { "$ref": "#/components/parameters/slug" } ],
      "post": {
        "operationId": "CreateArticleFavorite",
        "summary": "Favorite an article",
        "tags": [ "articles" ],
        "responses": {
          "200": { "$ref": "#/components/responses/Article" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "404": { "$ref": "#/components/responses/Failure" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422,
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      },
      "delete": {
        "operationId": "DeleteArticleFavorite",
        "summary": "Unfavorite an article",
        "tags": [ "articles" ],
        "responses": {
          "200": { "$ref": "#/components/responses/Article" },
          "401": {
            "description": "The messages of a failure, by field.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" },
              "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" },
              "WWW-Authenticate": { "$ref": "#/components/headers/WWW-Authenticate" }
            },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } }
          },
          "404": { "$ref": "#/components/responses/Failure" },
          "409": { "$ref": "#/components/responses/IdempotencyKeyInUse" },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422,
        "parameters": [ { "$ref": "#/components/parameters/IdempotencyKey" } ]
      }
    },
    "/tags": {
      "get": {
        "operationId": "GetTags",
        "summary": "List the tags of all articles",
        "tags": [ "articles" ],
        "security": [],
        "responses": {
          "200": {
            "description": "The tags.",
            "headers": {
              "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
              "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
              "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
              "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
              "RateLimit": { "$ref": "#/components/headers/RateLimit" }
            },
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": [ "tags" ],
                  "properties": { "tags": { "type": "array", "items": { "type": "string" } } }
                }
              }
            }
          },
          "422": { "$ref": "#/components/responses/Failure" },
          "429": { "$ref": "#/components/responses/TooManyRequests" },
          "500": { "$ref": "#/components/responses/InternalServerError" },
          "503": { "$ref": "#/components/responses/ServiceUnavailable" },
          "default": { "$ref": "#/components/responses/OtherFailure" }
        },
        "x-invalid": 422
      }
    }
  },
  "components": {
    "securitySchemes": {
      "user": {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "x-token": true,
        "description": "As in `Token eyJ…`, with the token of a registration or login."
      }
    },
    "schemas": {
      "LoginUser": {
        "type": "object",
        "required": [ "email", "password" ],
        "properties": {
          "email": { "type": "string", "pattern": "^[^\\x00]*$" },
          "password": { "type": "string", "format": "password" }
        }
      },
      "NewUser": {
        "type": "object",
        "required": [ "username", "email", "password" ],
        "properties": {
          "username": { "type": "string", "pattern": "^[^\\x00]*$" },
          "email": { "type": "string", "pattern": "^[^\\x00]*$" },
          "password": { "type": "string", "format": "password" }
        }
      },
      "UpdateUser": {
        "type": "object",
        "properties": {
          "email": { "type": "string", "pattern": "^[^\\x00]*$" },
          "username": { "type": "string", "pattern": "^[^\\x00]*$" },
          "password": { "type": "string", "pattern": "^[^\\x00]*$" },
          "bio": { "type": [ "string", "null" ], "pattern": "^[^\\x00]*$" },
          "image": { "type": [ "string", "null" ], "pattern": "^[^\\x00]*$" }
        }
      },
      "User": {
        "type": "object",
        "required": [ "email", "token", "username", "bio", "image" ],
        "properties": {
          "email": { "type": "string" },
          "token": { "type": "string" },
          "username": { "type": "string" },
          "bio": { "type": [ "string", "null" ] },
          "image": { "type": [ "string", "null" ] }
        }
      },
      "Profile": {
        "type": "object",
        "required": [ "username", "bio", "image", "following" ],
        "properties": {
          "username": { "type": "string" },
          "bio": { "type": [ "string", "null" ] },
          "image": { "type": [ "string", "null" ] },
          "following": { "type": "boolean" }
        }
      },
      "ListedArticle": {
        "type": "object",
        "required": [ "slug", "title", "description", "tagList", "createdAt", "updatedAt", "favorited", "favoritesCount", "author" ],
        "properties": {
          "slug": { "type": "string" },
          "title": { "type": "string" },
          "description": { "type": "string" },
          "tagList": { "type": "array", "items": { "type": "string" } },
          "createdAt": { "type": "string", "format": "date-time" },
          "updatedAt": { "type": "string", "format": "date-time" },
          "favorited": { "type": "boolean" },
          "favoritesCount": { "type": "integer" },
          "author": { "$ref": "#/components/schemas/Profile" }
        }
      },
      "Article": {
        "type": "object",
        "required": [
          "slug",
          "title",
          "description",
          "body",
          "tagList",
          "createdAt",
          "updatedAt",
          "favorited",
          "favoritesCount",
          "author"
        ],
        "properties": {
          "slug": { "type": "string" },
          "title": { "type": "string" },
          "description": { "type": "string" },
          "tagList": { "type": "array", "items": { "type": "string" } },
          "createdAt": { "type": "string", "format": "date-time" },
          "updatedAt": { "type": "string", "format": "date-time" },
          "favorited": { "type": "boolean" },
          "favoritesCount": { "type": "integer" },
          "author": { "$ref": "#/components/schemas/Profile" },
          "body": { "type": "string" }
        }
      },
      "NewArticle": {
        "type": "object",
        "required": [ "title", "description", "body" ],
        "properties": {
          "title": { "type": "string", "pattern": "^[^\\x00]*$" },
          "description": { "type": "string", "pattern": "^[^\\x00]*$" },
          "body": { "type": "string", "pattern": "^[^\\x00]*$" },
          "tagList": { "type": "array", "items": { "type": "string", "pattern": "^[^\\x00]*$" } }
        }
      },
      "UpdateArticle": {
        "type": "object",
        "properties": {
          "title": { "type": "string", "pattern": "^[^\\x00]*$" },
          "description": { "type": "string", "pattern": "^[^\\x00]*$" },
          "body": { "type": "string", "pattern": "^[^\\x00]*$" },
          "tagList": { "type": "array", "items": { "type": "string", "pattern": "^[^\\x00]*$" } }
        }
      },
      "Comment": {
        "type": "object",
        "required": [ "id", "createdAt", "updatedAt", "body", "author" ],
        "properties": {
          "id": { "type": "integer" },
          "createdAt": { "type": "string", "format": "date-time" },
          "updatedAt": { "type": "string", "format": "date-time" },
          "body": { "type": "string" },
          "author": { "$ref": "#/components/schemas/Profile" }
        }
      },
      "NewComment": {
        "type": "object",
        "required": [ "body" ],
        "properties": { "body": { "type": "string", "pattern": "^[^\\x00]*$" } }
      },
      "GenericErrorModel": {
        "type": "object",
        "required": [ "errors" ],
        "properties": { "errors": { "type": "object", "additionalProperties": { "type": "array", "items": { "type": "string" } } } }
      }
    },
    "parameters": {
      "username": {
        "name": "username",
        "in": "path",
        "required": true,
        "description": "Of the person.",
        "schema": { "type": "string", "pattern": "^[^\\x00]*$" }
      },
      "slug": {
        "name": "slug",
        "in": "path",
        "required": true,
        "description": "The name of the article in URLs.",
        "schema": { "type": "string", "pattern": "^[^\\x00]*$" }
      },
      "offset": {
        "name": "offset",
        "in": "query",
        "description": "How many articles are skipped.",
        "schema": { "type": "integer", "minimum": 0 }
      },
      "limit": {
        "name": "limit",
        "in": "query",
        "description": "The most articles in the response.",
        "schema": { "type": "integer", "minimum": 1, "default": 20 }
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
      "X-Error-Code": {
        "required": true,
        "description": "The platform's code of the failure, where the body has no place for it.",
        "schema": { "type": "string", "pattern": "^[!-~]+$" },
        "example": "not_found"
      },
      "WWW-Authenticate": {
        "required": true,
        "description": "The authentication scheme (RFC 6750, section 3).",
        "schema": { "type": "string" }
      }
    },
    "responses": {
      "User": {
        "description": "The caller.",
        "content": {
          "application/json": {
            "schema": {
              "type": "object",
              "required": [ "user" ],
              "properties": { "user": { "$ref": "#/components/schemas/User" } }
            }
          }
        },
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        }
      },
      "Profile": {
        "description": "The profile.",
        "content": {
          "application/json": {
            "schema": {
              "type": "object",
              "required": [ "profile" ],
              "properties": { "profile": { "$ref": "#/components/schemas/Profile" } }
            }
          }
        },
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        }
      },
      "Article": {
        "description": "The article.",
        "content": {
          "application/json": {
            "schema": {
              "type": "object",
              "required": [ "article" ],
              "properties": { "article": { "$ref": "#/components/schemas/Article" } }
            }
          }
        },
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        }
      },
      "Articles": {
        "description": "A part of the articles, and how many there are.",
        "content": {
          "application/json": {
            "schema": {
              "type": "object",
              "required": [ "articles", "articlesCount" ],
              "properties": {
                "articles": { "type": "array", "items": { "$ref": "#/components/schemas/ListedArticle" } },
                "articlesCount": { "type": "integer" }
              }
            }
          }
        },
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" }
        }
      },
      "Failure": {
        "description": "The messages of a failure, by field.",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } },
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" },
          "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" }
        }
      },
      "IdempotencyKeyInUse": {
        "description": "A request with the same `Idempotency-Key` is in progress: retry after a second. Or the change conflicts with what is stored\n(`conflict`), and changed nothing.\n",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } },
        "headers": {
          "Retry-After": { "$ref": "#/components/headers/Retry-After" },
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" },
          "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" }
        }
      },
      "ContentTooLarge": {
        "description": "The body is larger than the service accepts.",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } },
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" },
          "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" }
        }
      },
      "UnsupportedMediaType": {
        "description": "The body is not `application/json`.",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } },
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" },
          "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" }
        }
      },
      "TooManyRequests": {
        "description": "Rate limit exceeded, or the key is banned for sending more requests after a 429. Wait for `Retry-After` seconds.\nRequests refused within a second of the first 429 do not count towards a ban.\n",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } },
        "headers": {
          "Retry-After": { "$ref": "#/components/headers/Retry-After" },
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" },
          "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" }
        }
      },
      "InternalServerError": {
        "description": "Internal error.",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } },
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" },
          "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" }
        }
      },
      "ServiceUnavailable": {
        "description": "The service is temporarily unavailable, and did not process the request: retry after `Retry-After` seconds. Only\nwith the code `outcome_unknown`, the change may or may not have been made, because the connection to the database\nwas lost: repeat that request only if it had an `Idempotency-Key`.\n",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } },
        "headers": {
          "Retry-After": { "$ref": "#/components/headers/Retry-After" },
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" },
          "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" }
        }
      },
      "OtherFailure": {
        "description": "Any other error, such as a malformed or incomplete HTTP request.",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/GenericErrorModel" } } },
        "headers": {
          "X-RateLimit-Limit": { "$ref": "#/components/headers/X-RateLimit-Limit" },
          "X-RateLimit-Remaining": { "$ref": "#/components/headers/X-RateLimit-Remaining" },
          "X-RateLimit-Reset": { "$ref": "#/components/headers/X-RateLimit-Reset" },
          "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
          "RateLimit": { "$ref": "#/components/headers/RateLimit" },
          "X-Error-Code": { "$ref": "#/components/headers/X-Error-Code" }
        }
      }
    }
  },
  "x-error": { "schema": "GenericErrorModel", "type": "application/json", "message": "/errors/body/0", "fields": "/errors" },
  "x-error-codes": [
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
    "token_missing",
    "token_invalid",
    "token_expired"
  ]
};

/** The document of the reference page as JSON: the contract with its extensions written out as text. */
export const reference = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Conduit\",\"description\":\"Articles that people write, comment and favorite. People follow each other.\\n\\n| Plan | Per minute | Per day |\\n|---|---|---|\\n| free | 600 | 100,000 |\\n\\nEvery response has these headers:\\n- `X-RateLimit-Limit`: The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.\\n- `X-RateLimit-Remaining`: Requests remaining in the current window.\\n- `X-RateLimit-Reset`: Unix timestamp in seconds at which the limit resets.\\n- `RateLimit-Policy`: Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a valid key there is only the minute.\\n- `RateLimit`: Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.\",\"version\":\"1.0.0\",\"license\":{\"name\":\"MIT\",\"identifier\":\"MIT\"}},\"servers\":[{\"url\":\"/api\",\"description\":\"This server\"},{\"url\":\"https://conduit.example/api\"}],\"tags\":[{\"name\":\"users\",\"description\":\"Registration and login.\"},{\"name\":\"profiles\",\"description\":\"People as others see them.\"},{\"name\":\"articles\",\"description\":\"Articles and their tags.\"},{\"name\":\"comments\",\"description\":\"Comments on articles.\"}],\"x-rate-limit-plans\":{\"free\":{\"perMinute\":600,\"perDay\":100000}},\"security\":[{\"user\":[]}],\"paths\":{\"/users/login\":{\"post\":{\"operationId\":\"Login\",\"summary\":\"Log in\",\"tags\":[\"users\"],\"security\":[],\"x-not-idempotent\":\"The response has a token, which is not to be stored.\",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"user\"],\"properties\":{\"user\":{\"$ref\":\"#/components/schemas/LoginUser\"}}}}}},\"responses\":{\"200\":{\"$ref\":\"#/components/responses/User\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs no credentials.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient();\\n\\nconst result = await conduit.Login({\\n  user: {\\n    email: \\\"text\\\",\\n    password: \\\"text\\\"\\n  }\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request POST 'https://conduit.example/api/users/login' \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"user\\\":{\\\"email\\\":\\\"text\\\",\\\"password\\\":\\\"text\\\"}}'\"}]}},\"/users\":{\"post\":{\"operationId\":\"CreateUser\",\"summary\":\"Register\",\"tags\":[\"users\"],\"security\":[],\"x-not-idempotent\":\"The response has a token, which is not to be stored.\",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"user\"],\"properties\":{\"user\":{\"$ref\":\"#/components/schemas/NewUser\"}}}}}},\"responses\":{\"201\":{\"$ref\":\"#/components/responses/User\"},\"409\":{\"$ref\":\"#/components/responses/Failure\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs no credentials.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient();\\n\\nconst result = await conduit.CreateUser({\\n  user: {\\n    username: \\\"text\\\",\\n    email: \\\"text\\\",\\n    password: \\\"text\\\"\\n  }\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request POST 'https://conduit.example/api/users' \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"user\\\":{\\\"username\\\":\\\"text\\\",\\\"email\\\":\\\"text\\\",\\\"password\\\":\\\"text\\\"}}'\"}]}},\"/user\":{\"get\":{\"operationId\":\"GetCurrentUser\",\"summary\":\"Get the caller\",\"tags\":[\"users\"],\"responses\":{\"200\":{\"$ref\":\"#/components/responses/User\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nconst result = await conduit.GetCurrentUser();\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://conduit.example/api/user' \\\\\\n  --header 'Authorization: YOUR_TOKEN'\"}]},\"put\":{\"operationId\":\"UpdateCurrentUser\",\"summary\":\"Change the caller\",\"tags\":[\"users\"],\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"user\"],\"properties\":{\"user\":{\"$ref\":\"#/components/schemas/UpdateUser\"}}}}}},\"responses\":{\"200\":{\"$ref\":\"#/components/responses/User\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nconst result = await conduit.UpdateCurrentUser({\\n  user: {}\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request PUT 'https://conduit.example/api/user' \\\\\\n  --header 'Authorization: YOUR_TOKEN' \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"user\\\":{}}'\"}]}},\"/profiles/{username}\":{\"parameters\":[{\"$ref\":\"#/components/parameters/username\"}],\"get\":{\"operationId\":\"GetProfileByUsername\",\"summary\":\"Get a profile\",\"tags\":[\"profiles\"],\"security\":[{},{\"user\":[]}],\"responses\":{\"200\":{\"$ref\":\"#/components/responses/Profile\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs nothing, or an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient();\\n\\nconst result = await conduit.GetProfileByUsername({\\n  username: \\\"text\\\"\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://conduit.example/api/profiles/text'\"}]}},\"/profiles/{username}/follow\":{\"parameters\":[{\"$ref\":\"#/components/parameters/username\"}],\"post\":{\"operationId\":\"FollowUserByUsername\",\"summary\":\"Follow a person\",\"tags\":[\"profiles\"],\"responses\":{\"200\":{\"$ref\":\"#/components/responses/Profile\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nconst result = await conduit.FollowUserByUsername({\\n  username: \\\"text\\\"\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request POST 'https://conduit.example/api/profiles/text/follow' \\\\\\n  --header 'Authorization: YOUR_TOKEN' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\"\"}]},\"delete\":{\"operationId\":\"UnfollowUserByUsername\",\"summary\":\"Unfollow a person\",\"tags\":[\"profiles\"],\"responses\":{\"200\":{\"$ref\":\"#/components/responses/Profile\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nconst result = await conduit.UnfollowUserByUsername({\\n  username: \\\"text\\\"\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request DELETE 'https://conduit.example/api/profiles/text/follow' \\\\\\n  --header 'Authorization: YOUR_TOKEN' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\"\"}]}},\"/articles/feed\":{\"get\":{\"operationId\":\"GetArticlesFeed\",\"summary\":\"List the articles of those whom the caller follows\",\"tags\":[\"articles\"],\"parameters\":[{\"$ref\":\"#/components/parameters/offset\"},{\"$ref\":\"#/components/parameters/limit\"}],\"responses\":{\"200\":{\"$ref\":\"#/components/responses/Articles\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nconst result = await conduit.GetArticlesFeed({});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://conduit.example/api/articles/feed' \\\\\\n  --header 'Authorization: YOUR_TOKEN'\"}]}},\"/articles\":{\"get\":{\"operationId\":\"GetArticles\",\"summary\":\"List articles, the newest first\",\"tags\":[\"articles\"],\"security\":[{},{\"user\":[]}],\"parameters\":[{\"name\":\"tag\",\"in\":\"query\",\"description\":\"A tag that they have.\",\"schema\":{\"type\":\"string\"}},{\"name\":\"author\",\"in\":\"query\",\"description\":\"Who has written them.\",\"schema\":{\"type\":\"string\"}},{\"name\":\"favorited\",\"in\":\"query\",\"description\":\"Who has favorited them.\",\"schema\":{\"type\":\"string\"}},{\"$ref\":\"#/components/parameters/offset\"},{\"$ref\":\"#/components/parameters/limit\"}],\"responses\":{\"200\":{\"$ref\":\"#/components/responses/Articles\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs nothing, or an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient();\\n\\nconst result = await conduit.GetArticles({});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://conduit.example/api/articles'\"}]},\"post\":{\"operationId\":\"CreateArticle\",\"summary\":\"Write an article\",\"tags\":[\"articles\"],\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"article\"],\"properties\":{\"article\":{\"$ref\":\"#/components/schemas/NewArticle\"}}}}}},\"responses\":{\"201\":{\"$ref\":\"#/components/responses/Article\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"409\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nconst result = await conduit.CreateArticle({\\n  article: {\\n    title: \\\"text\\\",\\n    description: \\\"text\\\",\\n    body: \\\"text\\\"\\n  }\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request POST 'https://conduit.example/api/articles' \\\\\\n  --header 'Authorization: YOUR_TOKEN' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\" \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"article\\\":{\\\"title\\\":\\\"text\\\",\\\"description\\\":\\\"text\\\",\\\"body\\\":\\\"text\\\"}}'\"}]}},\"/articles/{slug}\":{\"parameters\":[{\"$ref\":\"#/components/parameters/slug\"}],\"get\":{\"operationId\":\"GetArticle\",\"summary\":\"Get an article\",\"tags\":[\"articles\"],\"security\":[{},{\"user\":[]}],\"responses\":{\"200\":{\"$ref\":\"#/components/responses/Article\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs nothing, or an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient();\\n\\nconst result = await conduit.GetArticle({\\n  slug: \\\"text\\\"\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://conduit.example/api/articles/text'\"}]},\"put\":{\"operationId\":\"UpdateArticle\",\"summary\":\"Change an article\",\"tags\":[\"articles\"],\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"article\"],\"properties\":{\"article\":{\"$ref\":\"#/components/schemas/UpdateArticle\"}}}}}},\"responses\":{\"200\":{\"$ref\":\"#/components/responses/Article\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"403\":{\"$ref\":\"#/components/responses/Failure\"},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nconst result = await conduit.UpdateArticle({\\n  slug: \\\"text\\\"\\n}, {\\n  article: {}\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request PUT 'https://conduit.example/api/articles/text' \\\\\\n  --header 'Authorization: YOUR_TOKEN' \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"article\\\":{}}'\"}]},\"delete\":{\"operationId\":\"DeleteArticle\",\"summary\":\"Delete an article\",\"tags\":[\"articles\"],\"responses\":{\"204\":{\"description\":\"It is deleted.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}}},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"403\":{\"$ref\":\"#/components/responses/Failure\"},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nawait conduit.DeleteArticle({\\n  slug: \\\"text\\\"\\n});\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request DELETE 'https://conduit.example/api/articles/text' \\\\\\n  --header 'Authorization: YOUR_TOKEN' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\"\"}]}},\"/articles/{slug}/comments\":{\"parameters\":[{\"$ref\":\"#/components/parameters/slug\"}],\"get\":{\"operationId\":\"GetArticleComments\",\"summary\":\"List the comments on an article\",\"tags\":[\"comments\"],\"security\":[{},{\"user\":[]}],\"responses\":{\"200\":{\"description\":\"The comments.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"comments\"],\"properties\":{\"comments\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Comment\"}}}}}}},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs nothing, or an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient();\\n\\nconst result = await conduit.GetArticleComments({\\n  slug: \\\"text\\\"\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://conduit.example/api/articles/text/comments'\"}]},\"post\":{\"operationId\":\"CreateArticleComment\",\"summary\":\"Comment an article\",\"tags\":[\"comments\"],\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"comment\"],\"properties\":{\"comment\":{\"$ref\":\"#/components/schemas/NewComment\"}}}}}},\"responses\":{\"201\":{\"description\":\"The comment.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"comment\"],\"properties\":{\"comment\":{\"$ref\":\"#/components/schemas/Comment\"}}}}}},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"413\":{\"$ref\":\"#/components/responses/ContentTooLarge\"},\"415\":{\"$ref\":\"#/components/responses/UnsupportedMediaType\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nconst result = await conduit.CreateArticleComment({\\n  slug: \\\"text\\\"\\n}, {\\n  comment: {\\n    body: \\\"text\\\"\\n  }\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request POST 'https://conduit.example/api/articles/text/comments' \\\\\\n  --header 'Authorization: YOUR_TOKEN' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\" \\\\\\n  --header 'Content-Type: application/json' \\\\\\n  --data '{\\\"comment\\\":{\\\"body\\\":\\\"text\\\"}}'\"}]}},\"/articles/{slug}/comments/{id}\":{\"parameters\":[{\"$ref\":\"#/components/parameters/slug\"},{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"description\":\"Of the comment.\",\"schema\":{\"type\":\"integer\"}}],\"delete\":{\"operationId\":\"DeleteArticleComment\",\"summary\":\"Delete a comment\",\"tags\":[\"comments\"],\"responses\":{\"204\":{\"description\":\"It is deleted.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}}},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"403\":{\"$ref\":\"#/components/responses/Failure\"},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nawait conduit.DeleteArticleComment({\\n  slug: \\\"text\\\",\\n  id: 1\\n});\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request DELETE 'https://conduit.example/api/articles/text/comments/1' \\\\\\n  --header 'Authorization: YOUR_TOKEN' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\"\"}]}},\"/articles/{slug}/favorite\":{\"parameters\":[{\"$ref\":\"#/components/parameters/slug\"}],\"post\":{\"operationId\":\"CreateArticleFavorite\",\"summary\":\"Favorite an article\",\"tags\":[\"articles\"],\"responses\":{\"200\":{\"$ref\":\"#/components/responses/Article\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nconst result = await conduit.CreateArticleFavorite({\\n  slug: \\\"text\\\"\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request POST 'https://conduit.example/api/articles/text/favorite' \\\\\\n  --header 'Authorization: YOUR_TOKEN' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\"\"}]},\"delete\":{\"operationId\":\"DeleteArticleFavorite\",\"summary\":\"Unfavorite an article\",\"tags\":[\"articles\"],\"responses\":{\"200\":{\"$ref\":\"#/components/responses/Article\"},\"401\":{\"description\":\"The messages of a failure, by field.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"},\"WWW-Authenticate\":{\"$ref\":\"#/components/headers/WWW-Authenticate\"}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}}},\"404\":{\"$ref\":\"#/components/responses/Failure\"},\"409\":{\"$ref\":\"#/components/responses/IdempotencyKeyInUse\"},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"parameters\":[{\"$ref\":\"#/components/parameters/IdempotencyKey\"}],\"description\":\"Needs an access token.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient({\\n  token: \\\"YOUR_TOKEN\\\"\\n});\\n\\nconst result = await conduit.DeleteArticleFavorite({\\n  slug: \\\"text\\\"\\n});\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request DELETE 'https://conduit.example/api/articles/text/favorite' \\\\\\n  --header 'Authorization: YOUR_TOKEN' \\\\\\n  --header \\\"Idempotency-Key: $(uuidgen)\\\"\"}]}},\"/tags\":{\"get\":{\"operationId\":\"GetTags\",\"summary\":\"List the tags of all articles\",\"tags\":[\"articles\"],\"security\":[],\"responses\":{\"200\":{\"description\":\"The tags.\",\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}},\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"tags\"],\"properties\":{\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}}}},\"422\":{\"$ref\":\"#/components/responses/Failure\"},\"429\":{\"$ref\":\"#/components/responses/TooManyRequests\"},\"500\":{\"$ref\":\"#/components/responses/InternalServerError\"},\"503\":{\"$ref\":\"#/components/responses/ServiceUnavailable\"},\"default\":{\"$ref\":\"#/components/responses/OtherFailure\"}},\"x-invalid\":422,\"description\":\"Needs no credentials.\",\"x-codeSamples\":[{\"lang\":\"typescript\",\"label\":\"@repo/realworld\",\"source\":\"import { createClient } from \\\"@repo/realworld\\\";\\n\\nconst conduit = createClient();\\n\\nconst result = await conduit.GetTags();\\nconsole.log(result);\"},{\"lang\":\"shell\",\"label\":\"curl\",\"source\":\"curl --request GET 'https://conduit.example/api/tags'\"}]}}},\"components\":{\"securitySchemes\":{\"user\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"Authorization\",\"x-token\":true,\"description\":\"As in `Token eyJ…`, with the token of a registration or login.\"}},\"schemas\":{\"LoginUser\":{\"type\":\"object\",\"required\":[\"email\",\"password\"],\"properties\":{\"email\":{\"type\":\"string\"},\"password\":{\"type\":\"string\",\"format\":\"password\"}}},\"NewUser\":{\"type\":\"object\",\"required\":[\"username\",\"email\",\"password\"],\"properties\":{\"username\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"},\"password\":{\"type\":\"string\",\"format\":\"password\"}}},\"UpdateUser\":{\"type\":\"object\",\"properties\":{\"email\":{\"type\":\"string\"},\"username\":{\"type\":\"string\"},\"password\":{\"type\":\"string\"},\"bio\":{\"type\":[\"string\",\"null\"]},\"image\":{\"type\":[\"string\",\"null\"]}}},\"User\":{\"type\":\"object\",\"required\":[\"email\",\"token\",\"username\",\"bio\",\"image\"],\"properties\":{\"email\":{\"type\":\"string\"},\"token\":{\"type\":\"string\"},\"username\":{\"type\":\"string\"},\"bio\":{\"type\":[\"string\",\"null\"]},\"image\":{\"type\":[\"string\",\"null\"]}}},\"Profile\":{\"type\":\"object\",\"required\":[\"username\",\"bio\",\"image\",\"following\"],\"properties\":{\"username\":{\"type\":\"string\"},\"bio\":{\"type\":[\"string\",\"null\"]},\"image\":{\"type\":[\"string\",\"null\"]},\"following\":{\"type\":\"boolean\"}}},\"ListedArticle\":{\"type\":\"object\",\"required\":[\"slug\",\"title\",\"description\",\"tagList\",\"createdAt\",\"updatedAt\",\"favorited\",\"favoritesCount\",\"author\"],\"properties\":{\"slug\":{\"type\":\"string\"},\"title\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"tagList\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"createdAt\":{\"type\":\"string\",\"format\":\"date-time\"},\"updatedAt\":{\"type\":\"string\",\"format\":\"date-time\"},\"favorited\":{\"type\":\"boolean\"},\"favoritesCount\":{\"type\":\"integer\"},\"author\":{\"$ref\":\"#/components/schemas/Profile\"}}},\"Article\":{\"type\":\"object\",\"required\":[\"slug\",\"title\",\"description\",\"body\",\"tagList\",\"createdAt\",\"updatedAt\",\"favorited\",\"favoritesCount\",\"author\"],\"properties\":{\"slug\":{\"type\":\"string\"},\"title\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"tagList\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"createdAt\":{\"type\":\"string\",\"format\":\"date-time\"},\"updatedAt\":{\"type\":\"string\",\"format\":\"date-time\"},\"favorited\":{\"type\":\"boolean\"},\"favoritesCount\":{\"type\":\"integer\"},\"author\":{\"$ref\":\"#/components/schemas/Profile\"},\"body\":{\"type\":\"string\"}}},\"NewArticle\":{\"type\":\"object\",\"required\":[\"title\",\"description\",\"body\"],\"properties\":{\"title\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"body\":{\"type\":\"string\"},\"tagList\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}},\"UpdateArticle\":{\"type\":\"object\",\"properties\":{\"title\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"body\":{\"type\":\"string\"},\"tagList\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}},\"Comment\":{\"type\":\"object\",\"required\":[\"id\",\"createdAt\",\"updatedAt\",\"body\",\"author\"],\"properties\":{\"id\":{\"type\":\"integer\"},\"createdAt\":{\"type\":\"string\",\"format\":\"date-time\"},\"updatedAt\":{\"type\":\"string\",\"format\":\"date-time\"},\"body\":{\"type\":\"string\"},\"author\":{\"$ref\":\"#/components/schemas/Profile\"}}},\"NewComment\":{\"type\":\"object\",\"required\":[\"body\"],\"properties\":{\"body\":{\"type\":\"string\"}}},\"GenericErrorModel\":{\"type\":\"object\",\"required\":[\"errors\"],\"properties\":{\"errors\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}}},\"parameters\":{\"username\":{\"name\":\"username\",\"in\":\"path\",\"required\":true,\"description\":\"Of the person.\",\"schema\":{\"type\":\"string\"}},\"slug\":{\"name\":\"slug\",\"in\":\"path\",\"required\":true,\"description\":\"The name of the article in URLs.\",\"schema\":{\"type\":\"string\"}},\"offset\":{\"name\":\"offset\",\"in\":\"query\",\"description\":\"How many articles are skipped.\",\"schema\":{\"type\":\"integer\",\"minimum\":0}},\"limit\":{\"name\":\"limit\",\"in\":\"query\",\"description\":\"The most articles in the response.\",\"schema\":{\"type\":\"integer\",\"minimum\":1,\"default\":20}},\"IdempotencyKey\":{\"name\":\"Idempotency-Key\",\"in\":\"header\",\"description\":\"Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with\\neach new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept\\nfor 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another\\nrequest with the same value gets 422.\\n\",\"schema\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":255,\"pattern\":\"^\\\"*[!#-~][!-~]*$\"}}},\"headers\":{\"X-RateLimit-Limit\":{\"required\":true,\"description\":\"The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":60},\"X-RateLimit-Remaining\":{\"required\":true,\"description\":\"Requests remaining in the current window.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":59},\"X-RateLimit-Reset\":{\"required\":true,\"description\":\"Unix timestamp in seconds at which the limit resets.\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":1795176060},\"RateLimit-Policy\":{\"required\":true,\"description\":\"Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a\\nvalid key there is only the minute.\\n\",\"schema\":{\"type\":\"string\",\"pattern\":\"^\\\"[a-z]+\\\";q=[0-9]{1,15};w=[0-9]{1,15}(, \\\"[a-z]+\\\";q=[0-9]{1,15};w=[0-9]{1,15})*$\"},\"example\":\"\\\"minute\\\";q=60;w=60, \\\"day\\\";q=1000;w=86400\"},\"RateLimit\":{\"required\":true,\"description\":\"Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.\",\"schema\":{\"type\":\"string\",\"pattern\":\"^\\\"[a-z]+\\\";r=[0-9]{1,15};t=[0-9]{1,15}(, \\\"[a-z]+\\\";r=[0-9]{1,15};t=[0-9]{1,15})*$\"},\"example\":\"\\\"minute\\\";r=59;t=30, \\\"day\\\";r=999;t=43200\"},\"Retry-After\":{\"description\":\"Seconds to wait before the next request (RFC 9110, section 10.2.3).\",\"schema\":{\"type\":\"integer\",\"minimum\":0},\"example\":30},\"X-Error-Code\":{\"required\":true,\"description\":\"The platform's code of the failure, where the body has no place for it.\",\"schema\":{\"type\":\"string\",\"pattern\":\"^[!-~]+$\"},\"example\":\"not_found\"},\"WWW-Authenticate\":{\"required\":true,\"description\":\"The authentication scheme (RFC 6750, section 3).\",\"schema\":{\"type\":\"string\"}}},\"responses\":{\"User\":{\"description\":\"The caller.\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"user\"],\"properties\":{\"user\":{\"$ref\":\"#/components/schemas/User\"}}}}},\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}}},\"Profile\":{\"description\":\"The profile.\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"profile\"],\"properties\":{\"profile\":{\"$ref\":\"#/components/schemas/Profile\"}}}}},\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}}},\"Article\":{\"description\":\"The article.\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"article\"],\"properties\":{\"article\":{\"$ref\":\"#/components/schemas/Article\"}}}}},\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}}},\"Articles\":{\"description\":\"A part of the articles, and how many there are.\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"articles\",\"articlesCount\"],\"properties\":{\"articles\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/ListedArticle\"}},\"articlesCount\":{\"type\":\"integer\"}}}}},\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"}}},\"Failure\":{\"description\":\"The messages of a failure, by field.\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}},\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"}}},\"IdempotencyKeyInUse\":{\"description\":\"A request with the same `Idempotency-Key` is in progress: retry after a second. Or the change conflicts with what is stored\\n(`conflict`), and changed nothing.\\n\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}},\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"}}},\"ContentTooLarge\":{\"description\":\"The body is larger than the service accepts.\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}},\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"}}},\"UnsupportedMediaType\":{\"description\":\"The body is not `application/json`.\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}},\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"}}},\"TooManyRequests\":{\"description\":\"Rate limit exceeded, or the key is banned for sending more requests after a 429. Wait for `Retry-After` seconds.\\nRequests refused within a second of the first 429 do not count towards a ban.\\n\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}},\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"}}},\"InternalServerError\":{\"description\":\"Internal error.\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}},\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"}}},\"ServiceUnavailable\":{\"description\":\"The service is temporarily unavailable, and did not process the request: retry after `Retry-After` seconds. Only\\nwith the code `outcome_unknown`, the change may or may not have been made, because the connection to the database\\nwas lost: repeat that request only if it had an `Idempotency-Key`.\\n\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}},\"headers\":{\"Retry-After\":{\"$ref\":\"#/components/headers/Retry-After\"},\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"}}},\"OtherFailure\":{\"description\":\"Any other error, such as a malformed or incomplete HTTP request.\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/GenericErrorModel\"}}},\"headers\":{\"X-RateLimit-Limit\":{\"$ref\":\"#/components/headers/X-RateLimit-Limit\"},\"X-RateLimit-Remaining\":{\"$ref\":\"#/components/headers/X-RateLimit-Remaining\"},\"X-RateLimit-Reset\":{\"$ref\":\"#/components/headers/X-RateLimit-Reset\"},\"RateLimit-Policy\":{\"$ref\":\"#/components/headers/RateLimit-Policy\"},\"RateLimit\":{\"$ref\":\"#/components/headers/RateLimit\"},\"X-Error-Code\":{\"$ref\":\"#/components/headers/X-Error-Code\"}}}}},\"x-error\":{\"schema\":\"GenericErrorModel\",\"type\":\"application/json\",\"message\":\"/errors/body/0\",\"fields\":\"/errors\"},\"x-error-codes\":[\"invalid_request\",\"unauthorized\",\"api_key_missing\",\"api_key_invalid\",\"api_key_expired\",\"payment_required\",\"forbidden\",\"not_found\",\"method_not_allowed\",\"not_acceptable\",\"request_timeout\",\"conflict\",\"idempotency_key_in_use\",\"gone\",\"precondition_failed\",\"payload_too_large\",\"uri_too_long\",\"unsupported_media_type\",\"expectation_failed\",\"unprocessable_content\",\"idempotency_key_reused\",\"locked\",\"precondition_required\",\"rate_limit_exceeded\",\"api_key_banned\",\"request_header_fields_too_large\",\"unavailable_for_legal_reasons\",\"internal_error\",\"not_implemented\",\"bad_gateway\",\"service_unavailable\",\"outcome_unknown\",\"gateway_timeout\",\"token_missing\",\"token_invalid\",\"token_expired\"]}";
