'use client';

import { createClient, isPetstoreError, type PetstoreError } from '@petstore/client';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useRef, useState } from 'react';

/** Talks to app/api, which has the API key. */
const petstore = createClient({ baseUrl: '/api', apiKey: null });

/** Adds an animal. Marks the field that the service refuses. */
export function PetForm() {
  const router = useRouter();
  // One for what the form says: a second click, or a second try after a lost connection, adds no second animal.
  const key = useRef<string>(undefined);
  const forgetKey = () => {
    key.current = undefined;
  };
  const [failure, setFailure] = useState<PetstoreError>();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('name'));
    key.current ??= crypto.randomUUID();
    try {
      await petstore.createPet({ name, categoryId: 7, status: 'available' }, { idempotencyKey: key.current });
    } catch (error) {
      if (!isPetstoreError(error)) throw error;
      return setFailure(error);
    }
    setFailure(undefined);
    form.reset();
    forgetKey();
    router.refresh();
  };
  const nameFails = failure?.errors.find(({ pointer }) => pointer === '/body/name')?.message;
  return (
    <form onSubmit={(event) => void submit(event)} onChange={forgetKey}>
      <label>
        Name <input name="name" aria-invalid={nameFails !== undefined} /> {nameFails}
      </label>
      <button type="submit">Add</button>
      {failure && failure.errors.length === 0 && <p role="alert">{failure.message}</p>}
    </form>
  );
}
