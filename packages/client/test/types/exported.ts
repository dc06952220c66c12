// This is the code of a library that exports what calls give, without writing its types. Its declarations must name each of them.
import { createClient, isPetstoreError, PetstoreError } from '@petstore/client';
import { petstoreQueries } from '@petstore/client/react-query';
import { NewPet } from '@petstore/client/schemas';
import { createTestClient, errorResponse, pageResponse } from '@petstore/client/testing';

export const api = createClient({ apiKey: 'YOUR_API_KEY' });
export const list = () => api.listPets();
export const page = () => api.listPets().withResponse();
export const pages = () => api.listPets().pages();
export const made = (name: string) => api.createPet({ name, categoryId: 1 }).withResponse();
export const queries = petstoreQueries(api);
export const query = queries.listPets({ limit: 1 });
export const allQueries = queries.listPets;
export const infinite = queries.listPets.infinite();
export const mutation = queries.createPet();
export const test = createTestClient({ listPets: () => [] });
export const responses = [errorResponse, pageResponse] as const;
export const schema = NewPet;
export const { validate } = NewPet['~standard'];
export const { fetchClient } = api;
export const { GET } = fetchClient;
export const got = () => api.fetchClient.GET('/pets');
export const isOurs = isPetstoreError;
export class OwnError extends PetstoreError {}
export const other = api.request('GET', '/x');
export const options = (given: Parameters<typeof createClient>[0]) => given;
export const onRetry = (given: NonNullable<Parameters<typeof createClient>[0]>) => given.onRetry;
export const limits = async () => (await page()).rateLimit;
