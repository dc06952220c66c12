import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKey, hashKey, isWellFormed } from '../support/runtime.ts';

test('a key is recognizable, fit for a header, unique and stored as its SHA-256', () => {
  const keys = Array.from({ length: 1_000 }, createKey);
  expect(new Set(keys).size).toBe(1_000);
  for (const key of keys) {
    expect([key, isWellFormed(key)]).toEqual([expect.stringMatching(/^bookstore_[\w-]{48}$/), true]);
    expect(hashKey(key)).toEqual(createHash('sha256').update(key).digest());
  }
});

test('a key with a character changed, omitted, added or swapped with the next is invalid', () => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  // New keys are random by themselves.
  const key = fc.constant(null).map(createKey);
  fc.assert(
    fc.property(key, fc.nat({ max: 56 }), visible, (each, at, character) => {
      const [start, old, next = '', rest] = [each.slice(0, at), each[at], each[at + 1], each.slice(at + 1)];
      const mistyped = [start + character + rest, start + rest, start + character + old + rest];
      mistyped.push(start + next + old + rest.slice(1));
      for (const other of mistyped.filter((text) => text !== each))
        expect([other, isWellFormed(other)]).toEqual([other, false]);
    }),
    { numRuns: 1_000 },
  );
});
