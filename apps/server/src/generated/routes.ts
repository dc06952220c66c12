// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

import type { Contract } from '@petstore-platform/server-runtime';

/** The path that all operations share. */
export const basePath = '/v1';

/** By operationId. `announcement`: the headers of every response that announce a removal. */
export const operations = {
  "listPets": {
    "id": "listPets",
    "method": "GET",
    "path": "/v1/pets",
    "parameters": [
      {
        "in": "query",
        "name": "limit",
        "required": false,
        "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 }
      },
      {
        "in": "query",
        "name": "status",
        "required": false,
        "schema": { "type": "string", "enum": [ "available", "pending", "sold" ] }
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
        "categoryId": { "required": true, "type": "integer", "format": "int64" },
        "status": { "required": false, "type": "string", "enum": [ "available", "pending", "sold" ] }
      }
    },
    "announcement": {}
  },
  "createPet": {
    "id": "createPet",
    "method": "POST",
    "path": "/v1/pets",
    "parameters": [
      {
        "in": "header",
        "name": "Idempotency-Key",
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^\"*[!#-~][!-~]*$" }
      }
    ],
    "body": { "required": true, "schema": { "$ref": "#/schemas/NewPet" } },
    "response": {
      "status": 201,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "name": { "required": true, "type": "string" },
        "categoryId": { "required": true, "type": "integer", "format": "int64" },
        "status": { "required": false, "type": "string", "enum": [ "available", "pending", "sold" ] }
      }
    },
    "announcement": {}
  },
  "getPet": {
    "id": "getPet",
    "method": "GET",
    "path": "/v1/pets/{petId}",
    "parameters": [
      {
        "in": "path",
        "name": "petId",
        "required": true,
        "schema": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 }
      }
    ],
    "response": {
      "status": 200,
      "fields": {
        "id": { "required": true, "type": "integer", "format": "int64" },
        "name": { "required": true, "type": "string" },
        "categoryId": { "required": true, "type": "integer", "format": "int64" },
        "status": { "required": false, "type": "string", "enum": [ "available", "pending", "sold" ] }
      }
    },
    "announcement": {
      "Deprecation": "@1795132800",
      "Sunset": "Thu, 05 Dec 2030 00:00:00 GMT",
      "Link": "</v1/pets?status=available>; rel=\"successor-version\""
    }
  }
} satisfies Contract['operations'];

/** The schemas to which those of the operations refer, by name. An unknown field is refused. */
export const schemas: Contract['schemas'] = {
  "NewPet": {
    "type": "object",
    "required": [ "name", "categoryId" ],
    "additionalProperties": false,
    "properties": {
      "name": { "type": "string", "minLength": 1, "maxLength": 255 },
      "categoryId": { "type": "integer", "format": "int64", "minimum": -9007199254740991, "maximum": 9007199254740991 },
      "status": { "$ref": "#/schemas/PetStatus" }
    }
  },
  "PetStatus": { "type": "string", "enum": [ "available", "pending", "sold" ] }
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
  "Sunset"
];
