import { Suspense } from 'react';
import { PetForm } from './form.tsx';
import { PetList } from './pets.tsx';

export default function Page() {
  return (
    <>
      <PetForm />
      <Suspense fallback="Loading">
        <PetList />
      </Suspense>
    </>
  );
}
