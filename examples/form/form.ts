import { createClient, isPetstoreError } from '@petstore/client';

const petstore = createClient({ baseUrl: '/api', apiKey: null });

const form = document.querySelector('form') as HTMLFormElement;
// They are named like the fields of the body.
const inputs = [...form.querySelectorAll('input')];
form.addEventListener('input', () => {
  for (const input of inputs) input.setCustomValidity('');
});
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { name, categoryId } = Object.fromEntries(new FormData(form));
  const call = petstore.createPet({ name: String(name), categoryId: Number(categoryId) });
  await call.catch((error) => {
    if (!isPetstoreError(error)) throw error;
    const failure = (name: string) => error.errors.find(({ pointer }) => pointer === `/body/${name}`);
    for (const input of inputs) input.setCustomValidity(failure(input.name)?.message ?? '');
    form.reportValidity();
  });
});
