import { encodeCursor } from '@petstore-platform/service/testing';
import fc from 'fast-check';
import type { NewPet, Pet, PetStatus } from '../../src/generated/operations.ts';
import type { Caller, DatabaseHandle } from './runtime.ts';
import { createHandlers } from './runtime.ts';

/** Arbitraries of valid animals. */

export const statuses: PetStatus[] = ['available', 'pending', 'sold'];

/** A valid character of a name: any code point except NUL and surrogates. */
const character = fc.oneof(
  fc
    .integer({ min: 1, max: 0x10ffff })
    .map((code) => String.fromCodePoint(code))
    .filter((text) => text.isWellFormed()),
  fc.constantFrom('e\u0301', '👩‍🚀', ...'éß李ע\u202e🐕\u{10ffff}\ufeff\u2028"\\\n '),
);

/** 1 to 255 code points. */
const name = fc
  .oneof(
    { weight: 4, arbitrary: fc.array(character, { minLength: 1, maxLength: 20 }) },
    { weight: 1, arbitrary: fc.array(character, { minLength: 200, maxLength: 255, size: 'max' }) },
  )
  .map((characters) => [...characters.join('')].slice(0, 255).join(''));

const int64 = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER));

export const newPet: fc.Arbitrary<NewPet> = fc.record(
  { name, categoryId: int64, status: fc.constantFrom(...statuses) },
  { requiredKeys: ['name', 'categoryId'] },
);

/** Adds animals directly to the database, in one statement. @param keys - their idempotency keys */
export async function insertPets(db: DatabaseHandle, animals: NewPet[], apiKeyId = 0, keys?: string[]): Promise<Pet[]> {
  const { createPet } = createHandlers(db);
  const context = { path: '/v1/pets', caller: { id: `key:${apiKeyId}` } as Caller, fingerprint: 'ab' };
  const created = animals.map((body, index) =>
    createPet({ headers: { 'idempotency-key': keys?.[index] }, body }, context),
  );
  return (await Promise.all(created)).map(({ body }) => JSON.parse(String(body)));
}

export async function insertPet(db: DatabaseHandle, newPet: NewPet): Promise<Pet> {
  return (await insertPets(db, [newPet]))[0] as Pet;
}

/** The cursor of the page after an animal. */
export const cursorAfter = (id: number) => encodeCursor('listPets', id);
