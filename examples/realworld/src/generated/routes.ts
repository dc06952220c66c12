// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

import type { Contract } from '@petstore-platform/server-runtime';

/** The path that all operations share. */
export const basePath = '/api';

/** By operationId. `announcement`: the headers of every response that announce a removal. */
export const operations = {
  "Login": {
    "id": "Login",
    "method": "POST",
    "path": "/api/users/login",
    "parameters": [],
    "body": {
      "required": true,
      "schema": {
        "type": "object",
        "required": [ "user" ],
        "properties": { "user": { "$ref": "#/schemas/LoginUser" } },
        "additionalProperties": false
      }
    },
    "security": [],
    "invalid": 422,
    "response": { "status": 200, "fields": { "user": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "CreateUser": {
    "id": "CreateUser",
    "method": "POST",
    "path": "/api/users",
    "parameters": [],
    "body": {
      "required": true,
      "schema": {
        "type": "object",
        "required": [ "user" ],
        "properties": { "user": { "$ref": "#/schemas/NewUser" } },
        "additionalProperties": false
      }
    },
    "security": [],
    "invalid": 422,
    "response": { "status": 201, "fields": { "user": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "GetCurrentUser": {
    "id": "GetCurrentUser",
    "method": "GET",
    "path": "/api/user",
    "parameters": [],
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 200, "fields": { "user": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "UpdateCurrentUser": {
    "id": "UpdateCurrentUser",
    "method": "PUT",
    "path": "/api/user",
    "parameters": [],
    "body": {
      "required": true,
      "schema": {
        "type": "object",
        "required": [ "user" ],
        "properties": { "user": { "$ref": "#/schemas/UpdateUser" } },
        "additionalProperties": false
      }
    },
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 200, "fields": { "user": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "GetProfileByUsername": {
    "id": "GetProfileByUsername",
    "method": "GET",
    "path": "/api/profiles/{username}",
    "parameters": [ { "in": "path", "name": "username", "required": true, "schema": { "type": "string" } } ],
    "security": [ [], [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 200, "fields": { "profile": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "FollowUserByUsername": {
    "id": "FollowUserByUsername",
    "method": "POST",
    "path": "/api/profiles/{username}/follow",
    "parameters": [
      { "in": "path", "name": "username", "required": true, "schema": { "type": "string" } },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 200, "fields": { "profile": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "UnfollowUserByUsername": {
    "id": "UnfollowUserByUsername",
    "method": "DELETE",
    "path": "/api/profiles/{username}/follow",
    "parameters": [
      { "in": "path", "name": "username", "required": true, "schema": { "type": "string" } },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 200, "fields": { "profile": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "GetArticlesFeed": {
    "id": "GetArticlesFeed",
    "method": "GET",
    "path": "/api/articles/feed",
    "parameters": [
      { "in": "query", "name": "offset", "required": false, "schema": { "type": "integer", "minimum": 0 } },
      {
        "in": "query",
        "name": "limit",
        "required": false,
        "schema": { "type": "integer", "minimum": 1, "default": 20 }
      }
    ],
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": {
      "status": 200,
      "fields": { "articles": { "required": true, "type": "array" }, "articlesCount": { "required": true, "type": "integer" } }
    },
    "announcement": {}
  },
  "GetArticles": {
    "id": "GetArticles",
    "method": "GET",
    "path": "/api/articles",
    "parameters": [
      { "in": "query", "name": "tag", "required": false, "schema": { "type": "string" } },
      { "in": "query", "name": "author", "required": false, "schema": { "type": "string" } },
      { "in": "query", "name": "favorited", "required": false, "schema": { "type": "string" } },
      { "in": "query", "name": "offset", "required": false, "schema": { "type": "integer", "minimum": 0 } },
      {
        "in": "query",
        "name": "limit",
        "required": false,
        "schema": { "type": "integer", "minimum": 1, "default": 20 }
      }
    ],
    "security": [ [], [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": {
      "status": 200,
      "fields": { "articles": { "required": true, "type": "array" }, "articlesCount": { "required": true, "type": "integer" } }
    },
    "announcement": {}
  },
  "CreateArticle": {
    "id": "CreateArticle",
    "method": "POST",
    "path": "/api/articles",
    "parameters": [
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "body": {
      "required": true,
      "schema": {
        "type": "object",
        "required": [ "article" ],
        "properties": { "article": { "$ref": "#/schemas/NewArticle" } },
        "additionalProperties": false
      }
    },
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 201, "fields": { "article": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "GetArticle": {
    "id": "GetArticle",
    "method": "GET",
    "path": "/api/articles/{slug}",
    "parameters": [ { "in": "path", "name": "slug", "required": true, "schema": { "type": "string" } } ],
    "security": [ [], [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 200, "fields": { "article": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "UpdateArticle": {
    "id": "UpdateArticle",
    "method": "PUT",
    "path": "/api/articles/{slug}",
    "parameters": [ { "in": "path", "name": "slug", "required": true, "schema": { "type": "string" } } ],
    "body": {
      "required": true,
      "schema": {
        "type": "object",
        "required": [ "article" ],
        "properties": { "article": { "$ref": "#/schemas/UpdateArticle" } },
        "additionalProperties": false
      }
    },
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 200, "fields": { "article": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "DeleteArticle": {
    "id": "DeleteArticle",
    "method": "DELETE",
    "path": "/api/articles/{slug}",
    "parameters": [
      { "in": "path", "name": "slug", "required": true, "schema": { "type": "string" } },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 204 },
    "announcement": {}
  },
  "GetArticleComments": {
    "id": "GetArticleComments",
    "method": "GET",
    "path": "/api/articles/{slug}/comments",
    "parameters": [ { "in": "path", "name": "slug", "required": true, "schema": { "type": "string" } } ],
    "security": [ [], [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 200, "fields": { "comments": { "required": true, "type": "array" } } },
    "announcement": {}
  },
  "CreateArticleComment": {
    "id": "CreateArticleComment",
    "method": "POST",
    "path": "/api/articles/{slug}/comments",
    "parameters": [
      { "in": "path", "name": "slug", "required": true, "schema": { "type": "string" } },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "body": {
      "required": true,
      "schema": {
        "type": "object",
        "required": [ "comment" ],
        "properties": { "comment": { "$ref": "#/schemas/NewComment" } },
        "additionalProperties": false
      }
    },
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 201, "fields": { "comment": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "DeleteArticleComment": {
    "id": "DeleteArticleComment",
    "method": "DELETE",
    "path": "/api/articles/{slug}/comments/{id}",
    "parameters": [
      { "in": "path", "name": "slug", "required": true, "schema": { "type": "string" } },
      { "in": "path", "name": "id", "required": true, "schema": { "type": "integer" } },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 204 },
    "announcement": {}
  },
  "CreateArticleFavorite": {
    "id": "CreateArticleFavorite",
    "method": "POST",
    "path": "/api/articles/{slug}/favorite",
    "parameters": [
      { "in": "path", "name": "slug", "required": true, "schema": { "type": "string" } },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 200, "fields": { "article": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "DeleteArticleFavorite": {
    "id": "DeleteArticleFavorite",
    "method": "DELETE",
    "path": "/api/articles/{slug}/favorite",
    "parameters": [
      { "in": "path", "name": "slug", "required": true, "schema": { "type": "string" } },
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "security": [ [ { "kind": "token", "in": "header", "name": "Authorization" } ] ],
    "invalid": 422,
    "response": { "status": 200, "fields": { "article": { "required": true, "type": "object" } } },
    "announcement": {}
  },
  "GetTags": {
    "id": "GetTags",
    "method": "GET",
    "path": "/api/tags",
    "parameters": [],
    "security": [],
    "invalid": 422,
    "response": { "status": 200, "fields": { "tags": { "required": true, "type": "array" } } },
    "announcement": {}
  }
} satisfies Contract['operations'];

/** The schemas to which those of the operations refer, by name. An unknown field is refused. */
export const schemas: Contract['schemas'] = {
  "LoginUser": {
    "type": "object",
    "required": [ "email", "password" ],
    "properties": { "email": { "type": "string" }, "password": { "type": "string", "format": "password" } },
    "additionalProperties": false
  },
  "GenericErrorModel": {
    "type": "object",
    "required": [ "errors" ],
    "properties": { "errors": { "type": "object", "additionalProperties": { "type": "array", "items": { "type": "string" } } } },
    "additionalProperties": false
  },
  "NewUser": {
    "type": "object",
    "required": [ "username", "email", "password" ],
    "properties": {
      "username": { "type": "string" },
      "email": { "type": "string" },
      "password": { "type": "string", "format": "password" }
    },
    "additionalProperties": false
  },
  "UpdateUser": {
    "type": "object",
    "properties": {
      "email": { "type": "string" },
      "username": { "type": "string" },
      "password": { "type": "string" },
      "bio": { "type": [ "string", "null" ] },
      "image": { "type": [ "string", "null" ] }
    },
    "additionalProperties": false
  },
  "NewArticle": {
    "type": "object",
    "required": [ "title", "description", "body" ],
    "properties": {
      "title": { "type": "string" },
      "description": { "type": "string" },
      "body": { "type": "string" },
      "tagList": { "type": "array", "items": { "type": "string" } }
    },
    "additionalProperties": false
  },
  "UpdateArticle": {
    "type": "object",
    "properties": {
      "title": { "type": "string" },
      "description": { "type": "string" },
      "body": { "type": "string" },
      "tagList": { "type": "array", "items": { "type": "string" } }
    },
    "additionalProperties": false
  },
  "NewComment": {
    "type": "object",
    "required": [ "body" ],
    "properties": { "body": { "type": "string" } },
    "additionalProperties": false
  }
};

/** The headers of all responses. */
export const responseHeaders = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
  "WWW-Authenticate",
  "X-Error-Code",
  "Retry-After"
];

/** The bodies of failures, by operationId and status. */
export const failures: NonNullable<Contract['failures']> = {
  "type": "application/json",
  "bodies": {
    "Login": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "413": { "$ref": "#/schemas/GenericErrorModel" },
      "415": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "CreateUser": {
      "409": { "$ref": "#/schemas/GenericErrorModel" },
      "413": { "$ref": "#/schemas/GenericErrorModel" },
      "415": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "GetCurrentUser": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "UpdateCurrentUser": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "413": { "$ref": "#/schemas/GenericErrorModel" },
      "415": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "GetProfileByUsername": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "FollowUserByUsername": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "409": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "UnfollowUserByUsername": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "409": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "GetArticlesFeed": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "GetArticles": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "CreateArticle": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "409": { "$ref": "#/schemas/GenericErrorModel" },
      "413": { "$ref": "#/schemas/GenericErrorModel" },
      "415": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "GetArticle": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "UpdateArticle": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "403": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "413": { "$ref": "#/schemas/GenericErrorModel" },
      "415": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "DeleteArticle": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "403": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "409": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "GetArticleComments": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "CreateArticleComment": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "409": { "$ref": "#/schemas/GenericErrorModel" },
      "413": { "$ref": "#/schemas/GenericErrorModel" },
      "415": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "DeleteArticleComment": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "403": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "409": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "CreateArticleFavorite": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "409": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "DeleteArticleFavorite": {
      "401": { "$ref": "#/schemas/GenericErrorModel" },
      "404": { "$ref": "#/schemas/GenericErrorModel" },
      "409": { "$ref": "#/schemas/GenericErrorModel" },
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    },
    "GetTags": {
      "422": { "$ref": "#/schemas/GenericErrorModel" },
      "429": { "$ref": "#/schemas/GenericErrorModel" },
      "500": { "$ref": "#/schemas/GenericErrorModel" },
      "503": { "$ref": "#/schemas/GenericErrorModel" }
    }
  }
};
