import { createClient } from '@petstore/client';
import { connection } from 'next/server';

const petstore = createClient({ apiKey: () => process.env.PETSTORE_API_KEY });

/** Rendered by the server for each request. In a page, it stands within `<Suspense>`. */
export async function PetList() {
  await connection(); // Not in a build, which has no key.
  const pets = await petstore.listPets({ status: 'available', limit: 100 });
  return (
    <ul>
      {pets.map((pet) => (
        <li key={pet.id}>{pet.name}</li>
      ))}
    </ul>
  );
}
