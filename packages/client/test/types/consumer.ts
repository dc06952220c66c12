// This is the code of an app. It is compiled, but never run; types.test.ts checks its deprecations in an editor.
import { QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import {
  type Call,
  createClient,
  type ErrorBody,
  type Fetch,
  type FetchClient,
  isPetstoreError,
  type Middleware,
  type NewPet,
  type PagedCall,
  type PageResult,
  type Pet,
  type Pets,
  type paths,
} from '../../src/generated/index.ts';
import { petstoreQueries } from '../../src/generated/react-query.ts';

const petstore = createClient({ apiKey: 'YOUR_API_KEY', environment: 'staging', timeout: 5_000 });
const { signal } = new AbortController();
const biscuit: NewPet = { name: 'Biscuit', categoryId: 7 };
const maybe = Math.random() < 0.5 ? ('available' as const) : undefined;

export const pets: Promise<Pets> = petstore.listPets();
export const available: Promise<Pet[]> = petstore.listPets({ status: 'available', limit: 5 }, { signal });
export const some: PagedCall<Pets> = petstore.listPets({ status: maybe }, { signal: null, maxRetries: undefined });
export const created: Call<Pet> = petstore.createPet({ ...biscuit, status: maybe }, { signal });
export const found: Promise<Pet> = petstore.getPet({ petId: 1 });

export async function walk(): Promise<number | undefined> {
  for await (const pet of petstore.listPets()) console.log(pet.name);
  for await (const page of petstore.listPets().pages()) console.log(page.length);
  const { data, rateLimit, attempts } = await petstore.listPets().withResponse();
  const first: Pet | undefined = data[0];
  return first ? rateLimit?.windows.minute?.reset.getTime() : attempts;
}

export async function next(cursor: string | undefined): Promise<string | undefined> {
  const { nextCursor }: PageResult<Pets> = await petstore.listPets({ cursor }).withResponse();
  const { value, done } = await petstore.listPets().pages().next();
  const page: Pets | undefined = value;
  return done ? undefined : (nextCursor ?? page?.[0]?.name);
}

export const tracing: Middleware = { onRequest: ({ request }) => request.headers.set('X-Trace', '1') };
export const quick = petstore.withOptions({ timeout: 500, headers: { 'X-Tenant': undefined }, middleware: [tracing] });
export const photos: Call<string[]> = quick.request<string[]>('GET', '/pets/1/photos', { query: { limit: 1 } });
export const unknown: Call<unknown> = quick.request('DELETE', '/pets/1', { idempotencyKey: 'a' });
export const fetches: Fetch[] = [fetch, (url, init) => fetch(url, { ...init, cache: 'no-store' })];
export const keyed = createClient({ apiKey: async () => 'YOUR_API_KEY', fetch });

export async function viaOpenapiFetch({ GET, POST }: FetchClient): Promise<Pet | undefined> {
  type List = paths['/pets']['get']['responses'][200]['content']['application/json'];
  const { data, error } = await GET('/pets', {
    params: { query: { status: 'sold', limit: 5 } },
    signal,
    maxRetries: 0,
  });
  const list: List | undefined = data;
  const code: string = error?.code ?? 'none';
  const added = await POST('/pets', { body: biscuit, params: { header: { 'Idempotency-Key': code } } });
  return added.data ?? list?.[0];
}

export function bodyOf(error: unknown): ErrorBody | undefined {
  if (isPetstoreError(error, 'getPet', 404)) {
    const status: 404 = error.status;
    const operation: 'getPet' = error.operation;
    const body: ErrorBody = error.body;
    return { ...body, status, message: operation };
  }
  if (isPetstoreError(error)) console.log(error.code, error.method, error.url);
  // The codes of the status, and any that is added later.
  if (isPetstoreError(error, 'createPet', 409) && error.code === 'conflict') console.log(error.body.code);
  if (isPetstoreError(error, 'createPet', 409) && error.code === 'added_later') console.log(error.status);
  return isPetstoreError(error) ? error.body : undefined;
}

export const byPath = () =>
  petstore.fetchClient.GET('/pets/{petId}', { params: { path: { petId: 1 } }, timeout: 5_000 });

export function usePets(): Pet[] {
  const queries = petstoreQueries(petstore);
  const { data: list, error } = useQuery(queries.listPets({ status: 'available' }));
  if (error) console.log(error.code, error.requestId);
  const { data: all } = useInfiniteQuery(queries.listPets.infinite());
  const { data: one } = useQuery(queries.getPet({ petId: 1 }));
  const adding = useMutation(queries.createPet());
  adding.mutate({ body: biscuit, idempotencyKey: 'form-1' }, { onError: (error) => console.log(error.retryAfter) });
  const cached: Pets | undefined = new QueryClient().getQueryData(queries.listPets().queryKey);
  return [list, all?.pages.flatMap((page) => page.items), one, cached].flatMap((pets) => pets ?? []);
}
