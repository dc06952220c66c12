// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

/** Base URLs of the environments. */
export const environments = {
  production: 'https://api.petstore.example/v1',
  staging: 'https://api.staging.petstore.example/v1',
} as const;

/** How each operation is sent. */
export const operations = {
  listPets: { method: 'GET', path: '/pets', parameters: { limit: 'query', status: 'query', cursor: 'query' }, result: 'array', pages: true },
  createPet: { method: 'POST', path: '/pets', body: 'required', result: 'object', idempotencyKey: true },
  getPet: { method: 'GET', path: '/pets/{petId}', parameters: { petId: 'path' }, result: 'object', notFound: true },
} as const;
