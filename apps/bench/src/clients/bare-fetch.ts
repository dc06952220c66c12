import type { Create } from './candidate.ts';

export const create: Create = (baseUrl, apiKey) => {
  const send = async (path: string, init?: RequestInit) => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${response.status}`);
    return response.json();
  };
  return {
    listPets: (limit) => send(`/pets?limit=${limit}`),
    createPet: (body) => send('/pets', { method: 'POST', body: JSON.stringify(body) }),
    getPet: (petId) => send(`/pets/${encodeURIComponent(petId)}`),
  };
};
