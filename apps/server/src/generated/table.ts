// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

/** The path that all operations share. */
export const basePath = '/v1';

/** By operationId. `announcement`: the headers of every response that announce a removal. */
export const operations = {
  "listPets": {
    "id": "listPets",
    "path": "/v1/pets",
    "queryParameters": [
      "limit",
      "status",
      "cursor"
    ],
    "headers": [],
    "bodyRequired": false,
    "announcement": {}
  },
  "createPet": {
    "id": "createPet",
    "path": "/v1/pets",
    "queryParameters": [],
    "headers": [
      "idempotency-key"
    ],
    "bodyRequired": true,
    "announcement": {}
  },
  "getPet": {
    "id": "getPet",
    "path": "/v1/pets/{petId}",
    "queryParameters": [],
    "headers": [],
    "bodyRequired": false,
    "announcement": {
      "Deprecation": "@1795132800",
      "Sunset": "Thu, 05 Dec 2030 00:00:00 GMT",
      "Link": "</v1/pets?status=available>; rel=\"successor-version\""
    }
  }
};
