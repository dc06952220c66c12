import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { document } from '../../src/generated/document.ts';
import { countAnimals, errorOf, startServer, type TestServer, temporaryServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const post = (body: string) =>
  server.request('/v1/pets', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });

/** Asserts a 400 whose message contains these texts. */
async function expectRefused(response: Response, ...named: string[]): Promise<void> {
  const body = await errorOf(response);
  expect(body).toMatchObject({ status: 400, code: 'invalid_request' });
  for (const text of named) expect(body.message).toContain(text);
}

describe('the query', () => {
  test.each([
    '0',
    '101',
    '-1',
    '-0',
    '0x10',
    '1e1',
    '%2B5',
    '+5',
    '',
    '1.0',
    '1.5',
    '%205',
    '5%20',
    '1_0',
    '1,2',
    '５',
    'ten',
    'null',
    'true',
    'NaN',
    'Infinity',
    '9007199254740993',
    '1'.repeat(400),
  ])('limit=%s is 400', async (limit) => {
    await expectRefused(await server.request(`/v1/pets?limit=${limit}`), 'query parameter limit');
  });

  test('limit accepts only decimal digits from 1 to 100', async () => {
    const limit = fc.oneof(fc.integer({ min: -5, max: 200 }).map(String), fc.string(), fc.double().map(String));
    await fc.assert(
      fc.asyncProperty(limit, async (text) => {
        const response = await server.request(`/v1/pets?${new URLSearchParams({ limit: text })}`);
        const valid = /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 100;
        expect(response.status).toBe(valid ? 200 : 400);
        if (!valid) await expectRefused(response, 'query parameter limit');
      }),
    );
  });

  test.each(['', 'Available', 'available%20', 'gone', 'available,sold', 'null', '%00'])(
    'status=%s is 400',
    async (status) => {
      await expectRefused(
        await server.request(`/v1/pets?status=${status}`),
        'query parameter status',
        'available, pending, sold',
      );
    },
  );

  test.each(['limit=1&limit=1', 'limit=1&limit=2', 'status=sold&status=sold', 'cursor=a&cursor=b'])(
    '%s is 400: no parameter may be repeated',
    async (query) => {
      await expectRefused(
        await server.request(`/v1/pets?${query}`),
        `parameter ${query.split('=', 1)}`,
        'more than once',
      );
    },
  );

  test.each(['offset', 'Limit', 'limit[]', '__proto__', 'constructor', 'hasOwnProperty', 'petId'])(
    'an unknown parameter, %s, is 400 on every operation',
    async (name) => {
      const animal = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"name":"x","categoryId":1}',
      };
      const { id } = await server.petstore.createPet({ name: 'Biscuit', categoryId: 7 });
      await expectRefused(await server.request(`/v1/pets?limit=2&${name}=1`), name);
      await expectRefused(await server.request(`/v1/pets?${name}=1`, animal), name);
      await expectRefused(await server.request(`/v1/pets/${id}?${name}=1`), name);
    },
  );

  test('the parameters of one operation are unknown to the others', async () => {
    await expectRefused(await server.request('/v1/pets/1?limit=5'), 'limit');
    await expectRefused(await server.request('/v1/pets?status=sold', { method: 'POST' }), 'status');
  });

  test('any query is a page or a 400', async () => {
    const query = fc.array(fc.oneof(fc.constantFrom(...'&=%?+;[]#', 'limit', 'status', '%ff', '%00'), fc.string()));
    await fc.assert(
      fc.asyncProperty(query, async (parts) => {
        const { status } = await server.request(`/v1/pets?${parts.join('')}`);
        expect([200, 400]).toContain(status);
      }),
    );
  });

  test.each(['?', '?&', '?&&'])('%s is an empty query', async (query) => {
    expect((await server.request(`/v1/pets${query}`)).status).toBe(200);
  });
});

describe('petId', () => {
  test.each([
    'abc',
    '0x1',
    '1.0',
    '1e1',
    '+1',
    '-',
    '--1',
    '%20',
    '%201',
    '1%20',
    '1,0',
    '１',
    '%00',
    '1%00',
    '..%2f1',
    '%2e%2e',
    'null',
    'NaN',
    '9007199254740992',
    '-9007199254740992',
    '9223372036854775807',
    '1'.repeat(500),
    '1'.repeat(5_000),
  ])('%s is 404: there is no such animal', async (petId) => {
    const response = await server.request(`/v1/pets/${petId}`);
    expect(await response.json()).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('is an empty segment at the end of the path: 404', async () => {
    expect((await server.request('/v1/pets/')).status).toBe(404);
  });

  test('any petId is an animal or a 404', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (petId) => {
        // URL normalizes these in any notation.
        fc.pre(petId !== '.' && petId !== '..');
        const { status } = await server.request(`/v1/pets/${encodeURIComponent(petId)}`);
        expect(status).toBe(/^-?\d+$/.test(petId) && status === 200 ? 200 : 404);
      }),
    );
  });
});

describe('the body', () => {
  const valid = { name: 'Biscuit', categoryId: 7, status: 'sold' };

  const name = 'body.name';
  const categoryId = 'body.categoryId';
  const status = 'body.status';
  const invalid: [unknown, ...string[]][] = [
    [{ categoryId: 7 }, name, 'required'],
    [{ name: 'Biscuit' }, categoryId, 'required'],
    [{}, 'body.', 'required'],
    [null, 'body', 'object'],
    [[], 'body', 'object'],
    [[valid], 'body', 'object'],
    ['Biscuit', 'body', 'object'],
    [7, 'body', 'object'],
    [true, 'body', 'object'],
    [{ ...valid, id: 5 }, 'body.id', 'is unknown'],
    [{ ...valid, Name: 'x' }, 'body.Name'],
    [{ ...valid, constructor: 1 }, 'body.constructor'],
    [{ ...valid, '': 1 }, 'body.', 'is unknown'],
    ...[null, 7, true, [], {}, ['a']].map((value): [unknown, ...string[]] => [
      { ...valid, name: value },
      name,
      'string',
    ]),
    [{ ...valid, name: '' }, name],
    [{ ...valid, name: 'x'.repeat(256) }, name],
    [{ ...valid, name: '🐕'.repeat(256) }, name],
    [{ ...valid, name: 'a\0b' }, name],
    [{ ...valid, name: '\ud83d' }, name],
    [{ ...valid, name: 'a\udc15b' }, name],
    ...[null, '5', '', true, [], {}, [5], 1.5, -0.1].map((value): [unknown, ...string[]] => [
      { ...valid, categoryId: value },
      categoryId,
      'integer',
    ]),
    [{ ...valid, categoryId: 2 ** 53 }, categoryId, 'at most 9007199254740991'],
    [{ ...valid, categoryId: -(2 ** 53) }, categoryId, 'at least -9007199254740991'],
    [{ ...valid, categoryId: 1e300 }, categoryId],
    ...[null, '', 'Sold', 'gone', 0, true, [], ['sold']].map((value): [unknown, ...string[]] => [
      { ...valid, status: value },
      status,
    ]),
  ];

  test.each(invalid)('%j is 400, names the field and stores nothing', async (body, ...named) => {
    const before = await countAnimals(server);
    await expectRefused(await post(JSON.stringify(body)), ...named);
    expect(await countAnimals(server)).toBe(before);
  });

  test.each([
    '9007199254740991.4',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1.00000000000000000001',
    '0.99999999999999999999',
    '4.9999999999999999999e0',
    '1e400',
    '-1e400',
    '1e-400',
    '-2e-324',
    '1e308',
    '12345678901234567890',
    '0.1e0',
  ])('%s is no categoryId: it is out of bounds, or would be rounded', async (number) => {
    const before = await countAnimals(server);
    await expectRefused(await post(`{"name":"Biscuit","categoryId":${number}}`), categoryId);
    expect(await countAnimals(server)).toBe(before);
  });

  test.each([
    ['5.0', 5],
    ['5e0', 5],
    ['50E-1', 5],
    ['0.5e+1', 5],
    ['-0', 0],
    ['-0.0', 0],
    ['0e400', 0],
    ['1.00000000000000000000', 1],
    ['9007199254740991.0', Number.MAX_SAFE_INTEGER],
    ['-9.007199254740991e15', Number.MIN_SAFE_INTEGER],
  ])('%s is the integer %d', async (number, integer) => {
    const response = await post(`{"name":"Biscuit","categoryId":${number}}`);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ categoryId: integer });
  });

  test('any JSON is stored exactly if it is a valid animal', async () => {
    // Including lone surrogates.
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const anyText = fc.oneof(
      fc.string(),
      fc.array(unit).map((units) => units.join('')),
    );
    const nearly = fc.record(
      {
        name: fc.oneof(anyText, fc.jsonValue()),
        categoryId: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
        status: fc.oneof(fc.constantFrom('available', 'pending', 'sold'), fc.jsonValue()),
        extra: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(nearly, fc.jsonValue()), async (value) => {
        const text = JSON.stringify(value);
        const before = await countAnimals(server);
        const response = await post(text);
        expect(response.status).toBe(isAnimal(JSON.parse(text)) ? 201 : 400);
        expect(await countAnimals(server)).toBe(before + (response.status === 201 ? 1 : 0));
      }),
      { numRuns: 200 },
    );
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
  const response = await request('/v1/pets', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  expect(await errorOf(response)).toEqual({ status: 400, code: 'invalid_request', message });
});
