// What an app writes. Compiled, never run; types.test.ts looks at the deprecations that an editor shows in here.
import { createClient, isPetstoreError, type NewPet, type Pet, type Pets } from '../../src/index.ts';

const petstore = createClient({ apiKey: 'YOUR_API_KEY', environment: 'staging' });
const { signal } = new AbortController();
const biscuit: NewPet = { name: 'Biscuit', categoryId: 7 };

export const pets: Promise<Pets> = petstore.listPets();
export const available: Promise<Pet[]> = petstore.listPets({ status: 'available', limit: 5 }, { signal });
export const created: Promise<Pet> = petstore.createPet(biscuit, { signal });
export const found: Promise<Pet> = petstore.getPet({ petId: 1 });

export function statusOf(error: unknown): number | undefined {
  return isPetstoreError(error) ? error.status : undefined;
}
