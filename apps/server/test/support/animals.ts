import fc from 'fast-check';
import type { DatabaseHandle } from '../../src/database/open.ts';
import type { NewPet, Pet, PetStatus } from '../../src/generated/operations.ts';
import { createPets } from '../../src/pets/create.ts';

/** Arbitraries of valid animals. */

export const statuses: PetStatus[] = ['available', 'pending', 'sold'];

/** A valid character of a name: any code point except NUL and surrogates. */
const character = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((unit) => unit !== '\0'),
  fc.constantFrom(
    'é',
    'e\u0301',
    'ß',
    '李',
    'ע',
    '\u202e',
    '🐕',
    '👩‍🚀',
    '\u{10ffff}',
    '\ufeff',
    '\u2028',
    '"',
    '\\',
    '\n',
    ' ',
  ),
);

/** 1 to 255 code points. */
export const name = fc
  .oneof(
    { weight: 4, arbitrary: fc.array(character, { minLength: 1, maxLength: 20 }) },
    { weight: 1, arbitrary: fc.array(character, { minLength: 200, maxLength: 255, size: 'max' }) },
  )
  .map((characters) => [...characters.join('')].slice(0, 255).join(''));

export const int64 = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);

export const newPet: fc.Arbitrary<NewPet> = fc.record(
  { name, categoryId: int64, status: fc.constantFrom(...statuses) },
  { requiredKeys: ['name', 'categoryId'] },
);

/** Adds an animal directly to the database. */
export async function insertPet(db: DatabaseHandle, newPet: NewPet): Promise<Pet> {
  const [created] = await createPets(db, [{ newPet, apiKeyId: 0 }]);
  return (await created)?.pet as Pet;
}
