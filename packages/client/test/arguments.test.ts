import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClient } from '../src/index.ts';
import { apiKey } from './helpers.ts';

const requests: { url: string }[] = [];
const petstore = createClient({
  apiKey,
  fetch: async (url) => {
    requests.push({ url });
    return Response.json({});
  },
});
// Untyped, as in JavaScript.
const untyped = petstore as unknown as Record<
  'listPets' | 'createPet' | 'getPet',
  (...args: unknown[]) => Promise<unknown>
>;

test('any identifier is sent as one path segment or refused before sending', async () => {
  const identifiers = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[./%2eE\\]{0,6}$/),
    fc.double(),
    fc.anything(),
  );
  await fc.assert(
    fc.asyncProperty(identifiers, async (petId) => {
      requests.length = 0;
      const refusal = await untyped.getPet({ petId }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal) {
        expect(refusal).toBeInstanceOf(TypeError);
        expect(String(refusal)).toContain('petId');
        expect(requests).toEqual([]);
      } else {
        expect(['string', 'number']).toContain(typeof petId);
        const [, v1, pets, segment, ...more] = new URL(requests[0]?.url ?? '').pathname.split('/');
        expect([v1, pets, decodeURIComponent(segment ?? ''), more]).toEqual(['v1', 'pets', String(petId), []]);
      }
    }),
    { numRuns: 1000 },
  );
});

test.each<[string, () => Promise<unknown>]>([
  ['getPet: petId', () => untyped.getPet()],
  ['getPet: petId', () => untyped.getPet({})],
  ['getPet: petId', () => untyped.getPet({ petId: '..' })],
  ['getPet: unknown parameter "id"', () => untyped.getPet({ petId: 1, id: 1 })],
  ['listPets: unknown parameter "stauts"', () => untyped.listPets({ stauts: 'available' })],
  ['listPets: unknown parameter "signal"', () => untyped.listPets({ signal: AbortSignal.abort() })],
  ['listPets: the parameters must be an object', () => untyped.listPets('available')],
  ['listPets: status', () => untyped.listPets({ status: {} })],
  ['listPets: status', () => untyped.listPets({ status: null })],
  ['getPet: petId must be a string or a safe number', () => untyped.getPet({ petId: 2 ** 53 })],
  ['getPet: petId must be a string or a safe number', () => untyped.getPet({ petId: -(2 ** 53) })],
  ['listPets: limit must be a string or a safe number', () => untyped.listPets({ limit: 2 ** 53 })],
  ['listPets: unknown option "singal"', () => untyped.listPets({}, { singal: null })],
  ['listPets: unknown option "idempotencyKey"', () => untyped.listPets({}, { idempotencyKey: 'a' })],
  ['createPet: unknown option "maxRetrys"', () => untyped.createPet({ name: 'a', categoryId: 7 }, { maxRetrys: 1 })],
  ['listPets: the options must be an object', () => untyped.listPets({}, 'fast')],
  ['listPets: limit', () => untyped.listPets({ limit: Number.NaN })],
  ['listPets: cursor', () => untyped.listPets({ cursor: '\uD800' })],
  ['createPet: the body is missing', () => untyped.createPet()],
  ['BigInt', () => untyped.createPet({ name: 'Biscuit', categoryId: 7n })],
  ['createPet: signal', () => untyped.createPet({ name: 'Biscuit', categoryId: 7 }, { signal: 'stop' })],
  ['timeout', () => untyped.listPets({}, { timeout: 'soon' })],
])('a wrong argument rejects the promise before the network: %s', async (message, call) => {
  requests.length = 0;
  let promise: Promise<unknown> | undefined;
  expect(() => {
    promise = call();
  }).not.toThrow();
  const refusal = await promise?.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(TypeError);
  expect(String(refusal)).toContain(message);
  expect(requests).toEqual([]);
});
