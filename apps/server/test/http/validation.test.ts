import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { document } from '../../src/generated/document.ts';
import { countAnimals, errorOf, startServer, type TestServer, temporaryServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
const post = (body: string) => server.request('/v1/pets', { ...json, body });

/** Asserts a 400 whose message contains these texts. */
async function expectRefused(response: Response, ...named: string[]): Promise<void> {
  const body = await errorOf(response);
  expect(body).toMatchObject({ status: 400, code: 'invalid_request' });
  for (const text of named) expect(body.message).toContain(text);
}

/** Texts that resemble a number. */
const nearNumber = fc.oneof(
  fc.stringMatching(/^[-+]?[0-9]{0,3}[-+ _.,0-9exE１]{0,4}$/),
  fc.constantFrom('null', 'NaN', 'Infinity', '0x10', '1e1', ' 5', '5 ', '9007199254740993', '1'.repeat(400)),
);

describe('the query', () => {
  test('limit accepts only decimal digits from 1 to 100', async () => {
    const limit = fc.oneof(fc.integer({ min: -5, max: 200 }).map(String), nearNumber, fc.string());
    await fc.assert(
      fc.asyncProperty(limit, async (text) => {
        const response = await server.request(`/v1/pets?${new URLSearchParams({ limit: text })}`);
        const valid = /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 100;
        expect(response.status).toBe(valid ? 200 : 400);
        if (!valid) await expectRefused(response, 'query parameter limit');
      }),
      { numRuns: 200 },
    );
  });

  test('the message names the values of status, and the parameter that is repeated', async () => {
    for (const status of ['', 'Available', 'available%20', 'gone', 'available,sold', '%00'])
      await expectRefused(await server.request(`/v1/pets?status=${status}`), 'status', 'available, pending, sold');
    for (const query of ['limit=1&limit=1', 'status=sold&status=sold', 'cursor=a&cursor=b'])
      await expectRefused(await server.request(`/v1/pets?${query}`), `${query.split('=', 1)}`, 'more than once');
  });

  test('an unknown parameter, also that of another operation, is 400 on every operation', async () => {
    const { id } = await server.petstore.createPet({ name: 'Biscuit', categoryId: 7 });
    for (const name of ['offset', 'Limit', 'limit[]', '__proto__', 'constructor', 'petId']) {
      await expectRefused(await server.request(`/v1/pets?limit=2&${name}=1`), name);
      await expectRefused(await server.request(`/v1/pets?${name}=1`, { ...json, body: '{}' }), name);
      await expectRefused(await server.request(`/v1/pets/${id}?${name}=1`), name);
    }
    await expectRefused(await server.request('/v1/pets/1?limit=5'), 'limit');
    await expectRefused(await server.request('/v1/pets?status=sold', { method: 'POST' }), 'status');
  });

  test('any query is a page or a 400; an empty one is a page', async () => {
    const query = fc.array(fc.oneof(fc.constantFrom(...'&=%?+;[]#', 'limit', 'status', '%ff', '%00'), fc.string()));
    await fc.assert(
      fc.asyncProperty(query, async (parts) => {
        const { status } = await server.request(`/v1/pets?${parts.join('')}`);
        expect([200, 400]).toContain(status);
      }),
    );
    for (const query of ['?', '?&', '?&&']) expect((await server.request(`/v1/pets${query}`)).status).toBe(200);
  });
});

test('any petId is an animal or a 404', async () => {
  const petId = fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), nearNumber);
  await fc.assert(
    fc.asyncProperty(petId, async (petId) => {
      // URL normalizes these in any notation.
      fc.pre(!['', '.', '..'].includes(petId));
      const { status } = await server.request(`/v1/pets/${encodeURIComponent(petId)}`);
      expect(status).toBe(/^-?\d+$/.test(petId) && status === 200 ? 200 : 404);
    }),
    { numRuns: 200 },
  );
});

describe('the body', () => {
  // Including lone surrogates.
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const anyText = fc.oneof(
    fc.string(),
    fc.array(unit).map((units) => units.join('')),
    fc.constantFrom('', 'x'.repeat(256), '🐕'.repeat(255), '🐕'.repeat(256), 'a\0b', 'a\udc15b'),
  );
  const anyNumber = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 53, -(2 ** 53), 2 ** 53 - 1, 1e300));
  const fields = {
    name: fc.oneof(anyText, fc.jsonValue()),
    categoryId: fc.oneof(anyNumber, fc.jsonValue()),
    status: fc.oneof(fc.constantFrom('available', 'pending', 'sold', 'Sold'), fc.jsonValue()),
    extra: fc.jsonValue(),
  };

  test('one invalid field is 400, and the message names it', async () => {
    const valid = { name: 'Biscuit', categoryId: 7, status: 'sold' };
    const changed = fc.oneof(
      ...Object.entries(fields).map(([name, value]) =>
        value.map((value) => [name, { ...valid, [name]: value }] as const),
      ),
      fc.constantFrom('name', 'categoryId').map((name) => [name, { ...valid, [name]: undefined }] as const),
    );
    await fc.assert(
      fc.asyncProperty(changed, async ([name, animal]) => {
        const text = JSON.stringify(animal);
        fc.pre(!isAnimal(JSON.parse(text)));
        await expectRefused(await post(text), `body.${name}`);
      }),
      { numRuns: 200 },
    );
    await expectRefused(await post('{}'), 'body.', 'required');
    await expectRefused(await post(JSON.stringify({ ...valid, id: 5 })), 'body.id', 'is unknown');
    await expectRefused(await post(JSON.stringify({ ...valid, name: 7 })), 'body.name', 'string');
    await expectRefused(await post(JSON.stringify({ ...valid, categoryId: 2 ** 53 })), 'at most 9007199254740991');
  });

  test('any JSON is stored exactly if it is a valid animal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.record(fields, { requiredKeys: [] }), fc.jsonValue()), async (value) => {
        const text = JSON.stringify(value);
        const before = await countAnimals(server);
        const response = await post(text);
        expect(response.status).toBe(isAnimal(JSON.parse(text)) ? 201 : 400);
        expect(await countAnimals(server)).toBe(before + (response.status === 201 ? 1 : 0));
      }),
      { numRuns: 200 },
    );
  });

  test.each<[string, number?]>([
    ['50E-1', 5],
    ['0.5e+1', 5],
    ['-0.0', 0],
    ['0e400', 0],
    ['1.00000000000000000000', 1],
    ['9007199254740991.0', Number.MAX_SAFE_INTEGER],
    ['-9.007199254740991e15', Number.MIN_SAFE_INTEGER],
    ['1.00000000000000000001'],
    ['4.9999999999999999999e0'],
    ['-2e-324'],
  ])('%s is the integer %d, or none: nothing is rounded', async (number, integer) => {
    const response = await post(`{"name":"Biscuit","categoryId":${number}}`);
    if (integer === undefined) return expectRefused(response, 'body.categoryId');
    expect(await response.json()).toMatchObject({ categoryId: integer });
  });
});

/** The NewPet of the specification, written independently of the contract. */
function isAnimal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { name, categoryId, status, ...rest } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    name !== '' &&
    [...name].length <= 255 &&
    !name.includes('\0') &&
    !/\p{Surrogate}/u.test(name) &&
    Number.isSafeInteger(categoryId) &&
    (!Object.hasOwn(value, 'status') || ['available', 'pending', 'sold'].includes(status as string)) &&
    Object.keys(rest).length === 0
  );
}

test.each([
  [1, '{}', 'body must not be empty'],
  [3, '{"name":"Biscuit","categoryId":7}', 'body must have at least 3 properties'],
])('a body with fewer than %i fields, where these are required, is 400', async (minProperties, body, message) => {
  const changed = structuredClone<typeof document>(document);
  Object.assign(changed.components.schemas.NewPet, { minProperties });
  const { request } = await temporaryServer({ document: changed });
  expect(await errorOf(await request('/v1/pets', { ...json, body }))).toEqual({
    status: 400,
    code: 'invalid_request',
    message,
  });
});
