import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useRef } from 'react';
import { queries } from './petstore.ts';

/** Adds an animal. Marks the fields that the service refuses. */
export function PetForm() {
  const cache = useQueryClient();
  // One for what the form says: a second click, or a second try after a lost connection, adds no second animal.
  const key = useRef<string>(undefined);
  const forgetKey = () => {
    key.current = undefined;
  };
  const { mutate, error, data } = useMutation({
    ...queries.createPet(),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.listPets.key }),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { name, categoryId } = Object.fromEntries(new FormData(form));
    const body = { name: String(name), categoryId: Number(categoryId), status: 'available' as const };
    const onSuccess = () => {
      form.reset();
      forgetKey();
    };
    key.current ??= crypto.randomUUID();
    mutate({ body, idempotencyKey: key.current }, { onSuccess });
  };
  const failure = (pointer: string) => error?.errors.find((each) => each.pointer === pointer)?.message;
  return (
    <form onSubmit={submit} onChange={forgetKey}>
      <label>
        Name <input name="name" aria-invalid={failure('/body/name') !== undefined} /> {failure('/body/name')}
      </label>
      <label>
        Category <input name="categoryId" defaultValue="7" aria-invalid={failure('/body/categoryId') !== undefined} />{' '}
        {failure('/body/categoryId')}
      </label>
      <button type="submit">Add</button>
      <p role="status">{data && `Added ${data.name}`}</p>
      {error && error.errors.length === 0 && <p role="alert">{error.message}</p>}
    </form>
  );
}
