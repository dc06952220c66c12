// The client that hey-api generates is written by the bench before this file is bundled; it is not part of the sources.
import type { Candidate, Create } from './candidate.ts';

interface Generated {
  createPet(options: object): Promise<{ data: unknown }>;
  getPet(options: object): Promise<{ data: unknown }>;
  listPets(options: object): Promise<{ data: unknown }>;
}

export const createWith =
  (sdk: Generated, createClient: (config: object) => unknown): Create =>
  (baseUrl, apiKey): Candidate => {
    const client = createClient({
      baseUrl,
      auth: apiKey,
      throwOnError: true,
      fetch: (request: Request) => fetch(request),
    });
    return {
      listPets: async (limit) => (await sdk.listPets({ client, query: { limit } })).data,
      createPet: async (body) => (await sdk.createPet({ client, body })).data,
      getPet: async (petId) => (await sdk.getPet({ client, path: { petId } })).data,
    };
  };
