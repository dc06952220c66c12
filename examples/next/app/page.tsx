import { createClient } from '@petstore/client';
import { PetForm } from './form.tsx';

// A build has no key.
const petstore = createClient({ apiKey: () => process.env.PETSTORE_API_KEY });

export const dynamic = 'force-dynamic';

/** Rendered on the server, from the API itself. */
export default async function Page() {
  const pets = await petstore.listPets({ status: 'available', limit: 100 }, { cache: 'no-store' });
  return (
    <>
      <PetForm />
      <ul>
        {pets.map((pet) => (
          <li key={pet.id}>{pet.name}</li>
        ))}
      </ul>
    </>
  );
}
