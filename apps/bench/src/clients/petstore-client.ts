import { createClient } from '@petstore/client';
import type { Create } from './candidate.ts';

export const create: Create = (baseUrl, apiKey) => {
  const petstore = createClient({ apiKey, baseUrl });
  return {
    listPets: (limit) => petstore.listPets({ limit }),
    createPet: (body) => petstore.createPet(body),
    getPet: (petId) => petstore.getPet({ petId }),
  };
};
