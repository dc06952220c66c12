import type { paths } from '@petstore/client';
import createClient from 'openapi-fetch';
import type { Create } from './candidate.ts';

const unwrap = ({ data, error, response }: { data?: unknown; error?: unknown; response: Response }) => {
  if (!response.ok) throw new Error(`${response.status}`, { cause: error });
  return data;
};

export const create: Create = (baseUrl, apiKey) => {
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: (request) => fetch(request),
  });
  return {
    listPets: async (limit) => unwrap(await client.GET('/pets', { params: { query: { limit } } })),
    createPet: async (body) => unwrap(await client.POST('/pets', { body })),
    getPet: async (petId) => unwrap(await client.GET('/pets/{petId}', { params: { path: { petId } } })),
  };
};
