import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../src/generated/table.ts';
import { isPetstoreError } from '../src/index.ts';
import {
  createTestClient,
  errorResponse,
  MissingHandlerError,
  pageResponse,
  type TestHandlers,
} from '../src/testing.ts';
import type { Operations } from './fixture/generated/operations.ts';
import { operations as fixtureOperations } from './fixture/generated/table.ts';
import { failureOf, pet, rejectionOf } from './helpers.ts';

test('handlers get the arguments of the method and return its data', async () => {
  const calls: unknown[][] = [];
  const petstore = createTestClient({
    listPets: (...args) => {
      calls.push(args);
      return [pet];
    },
    createPet: async (newPet) => ({ ...newPet, id: 2 }),
    getPet: ({ petId }) => ({ ...pet, id: petId }),
  });
  expect(await petstore.listPets()).toEqual([pet]);
  await petstore.listPets({ status: 'sold' }, { timeout: 5, headers: { 'X-Trace': '1' } });
  expect(calls).toEqual([
    [{}, {}],
    [{ status: 'sold' }, { timeout: 5, headers: { 'X-Trace': '1' } }],
  ]);
  expect(await petstore.createPet({ name: 'Olive', categoryId: 2 })).toEqual({ name: 'Olive', categoryId: 2, id: 2 });
  expect(await petstore.getPet({ petId: 7 })).toEqual({ ...pet, id: 7 });
});

test('a failure is a PetstoreError as from the service', async () => {
  const petstore = createTestClient({
    getPet: () => errorResponse(404, 'not_found', 'There is no animal 1', { 'Retry-After': '30' }),
  });
  const error = await failureOf(petstore.getPet({ petId: 1 }));
  expect(error).toMatchObject({ status: 404, code: 'not_found', retryAfter: 30, attempts: 1 });
  expect(error.message).toBe('getPet failed: 404 not_found: There is no animal 1');
});

test('pages are iterated', async () => {
  const petstore = createTestClient({
    listPets: ({ cursor }) => (cursor === 'a & b' ? [pet] : pageResponse([], 'a & b')),
  });
  const pages: unknown[] = [];
  for await (const page of petstore.listPets().pages()) pages.push(page);
  expect(pages).toEqual([[], [pet]]);
});

test('a handler that throws is a failed connection; retries are optional', async () => {
  const cause = new Error('unplugged');
  let calls = 0;
  const handlers: TestHandlers = {
    listPets: () => {
      if (calls++ < 1) throw cause;
      return [pet];
    },
  };
  expect(await failureOf(createTestClient(handlers).listPets())).toMatchObject({ code: 'network_error', cause });
  calls = 0;
  expect(await createTestClient(handlers, { maxRetries: 1 }).listPets()).toEqual([pet]);
});

test('an operation without a handler throws an error that is not a PetstoreError', async () => {
  const error = await rejectionOf(createTestClient({}, { maxRetries: 2 }).listPets());
  expect(error).toBeInstanceOf(MissingHandlerError);
  expect(isPetstoreError(error)).toBe(false);
  expect(String(error)).toBe('MissingHandlerError: createTestClient has no handler for listPets');
});

test('request() and clients of withOptions use the handlers', async () => {
  const petstore = createTestClient({ request: (method, path, { query }) => [method, path, query] }, { maxRetries: 1 });
  const patient = petstore.withOptions({ maxRetries: 5 });
  expect(await patient.request('GET', '/pets/1/photos', { query: { limit: 2 } })).toEqual([
    'GET',
    '/pets/1/photos',
    { limit: 2 },
  ]);
});

test('invalid arguments are refused as by the real client', async () => {
  const petstore = createTestClient({ listPets: () => [] });
  await expect(petstore.listPets({ stauts: 'sold' } as object)).rejects.toThrow('unknown parameter "stauts"');
});

test('the handler of an unstable operation is in its group', async () => {
  // The contract has no unstable operation.
  const { getOrder, searchOrders } = fixtureOperations;
  const table: Record<string, unknown> = Object.assign(operations, { getOrder, searchOrders });
  onTestFinished(() => {
    delete table.getOrder;
    delete table.searchOrders;
  });
  const handlers: TestHandlers<Operations> = { beta: { getOrder: ({ orderId }) => ({ id: orderId }) } };
  const fixture = createTestClient(handlers as TestHandlers) as unknown as Operations;
  expect(await fixture.beta.getOrder({ storeId: 'a', orderId: 2 })).toEqual({ id: 2 });
  await expect(fixture.experimental.searchOrders()).rejects.toThrow('createTestClient has no handler for searchOrders');
});
