import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorOf, sharedServer } from '../support/server.ts';

const server = sharedServer();

const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
const post = (body: string) => server.request('/v1/pets', { ...json, body });

/** Asserts a 400 whose message contains these texts. */
async function expectRefused(response: Response, ...named: string[]): Promise<void> {
  const body = await errorOf(response);
  expect(body).toMatchObject({ status: 400, code: 'invalid_request' });
  for (const text of named) expect(body.message).toContain(text);
}

test('limit is 1 to 100, and status has three values', async () => {
  for (const limit of ['1', '100']) expect((await server.request(`/v1/pets?limit=${limit}`)).status).toBe(200);
  for (const limit of ['0', '101']) await expectRefused(await server.request(`/v1/pets?limit=${limit}`), 'limit');
  for (const status of ['', 'Available', 'available%20', 'gone', 'available,sold', '%00'])
    await expectRefused(await server.request(`/v1/pets?status=${status}`), 'status', 'available, pending, sold');
});

describe('the body', () => {
  // The code units include lone surrogates.
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
