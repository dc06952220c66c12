// Each statement of this file must not compile.
import { createClient, isPetstoreError } from '../../src/generated/index.ts';
import { createTestClient, pageResponse } from '../../src/generated/testing.ts';

const petstore = createClient({ apiKey: 'YOUR_API_KEY' });
const { signal } = new AbortController();

// @ts-expect-error unknown query parameter
petstore.listPets({ stauts: 'available' });
// @ts-expect-error no such status
petstore.listPets({ status: 'missing' });
// @ts-expect-error options in the place of the parameters
petstore.listPets({ signal });
// @ts-expect-error unknown option of a call
petstore.listPets({}, { singal: signal });
// @ts-expect-error the operation has no idempotency key
petstore.listPets({}, { idempotencyKey: 'a' });
// @ts-expect-error unknown field of the body
petstore.createPet({ name: 'Biscuit', categoryId: 7, colour: 'brown' });
// @ts-expect-error categoryId is missing
petstore.createPet({ name: 'Biscuit' });
// @ts-expect-error petId is missing
petstore.getPet({});
// @ts-expect-error an operation without pages
petstore.getPet({ petId: 1 }).pages();
// @ts-expect-error no operation is experimental
petstore.experimental;
// @ts-expect-error unknown option of the client
createClient({ apiKey: 'YOUR_API_KEY', enviroment: 'staging' });
// @ts-expect-error no such environment
createClient({ apiKey: 'YOUR_API_KEY', environment: 'stagging' });
// @ts-expect-error createPet declares no 404
isPetstoreError(undefined, 'createPet', 404);
// @ts-expect-error no such operation
createTestClient({ listPet: () => [] });
// @ts-expect-error wrong response type of the operation
createTestClient({ listPets: () => [{ id: '1' }] });
// @ts-expect-error an item of no list
pageResponse([{ nonsense: 1 }], 'second');
// @ts-expect-error unknown option of a request
petstore.request('GET', '/pets', { parameters: { limit: 1 } });
// @ts-expect-error middleware answers with a Response
createClient({ middleware: [{ onRequest: () => 'no' }] });
// @ts-expect-error a page is no any
petstore.listPets().pages().next().value.nonsense;
// @ts-expect-error unknown query parameter
petstore.fetchClient.GET('/pets', { params: { query: { stauts: 'available' } } });
// @ts-expect-error no such path
petstore.fetchClient.GET('/pet');
// @ts-expect-error categoryId is missing
petstore.fetchClient.POST('/pets', { body: { name: 'Biscuit' } });
// @ts-expect-error unknown option of a call
petstore.fetchClient.GET('/pets', { timout: 5 });
// @ts-expect-error the path has a parameter
petstore.fetchClient.GET('/pets/{petId}');
