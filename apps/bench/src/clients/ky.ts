import ky from 'ky';
import type { Create } from './candidate.ts';

export const create: Create = (baseUrl, apiKey) => {
  const client = ky.create({
    baseUrl: `${baseUrl}/`,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: (...args) => fetch(...args),
  });
  return {
    listPets: (limit) => client.get('pets', { searchParams: { limit } }).json(),
    createPet: (json) => client.post('pets', { json }).json(),
    getPet: (petId) => client.get(`pets/${encodeURIComponent(petId)}`).json(),
  };
};
