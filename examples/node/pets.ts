// Adds an animal and lists those that are available. Run with PETSTORE_API_KEY and PETSTORE_BASE_URL.
import { createClient, isPetstoreError } from '@petstore/client';

const petstore = createClient();

try {
  const biscuit = await petstore.createPet({ name: 'Biscuit', categoryId: 7, status: 'available' });
  console.log(`Added ${biscuit.name} as ${biscuit.id}`);
  let available = 0;
  for await (const pet of petstore.listPets({ status: 'available', limit: 100 })) {
    available++;
    if (pet.id === biscuit.id) console.log(`${pet.name} is available`);
  }
  console.log(`${available} are available`);
} catch (error) {
  if (!isPetstoreError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
