import { createHash } from 'node:crypto';
import { hashKey } from '@repo/server-runtime/internal/keys/format';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKey, isWellFormed } from '../support/runtime.ts';

/** An arbitrary of new keys, which are random by themselves. */
const key = fc.constant(null).map(createKey);

describe('a key', () => {
  test('is well-formed, recognizable and fit for a header', () => {
    fc.assert(
      fc.property(key, (each) => {
        expect(isWellFormed(each)).toBe(true);
        expect(each).toMatch(/^bookstore_[\w-]{48}$/);
      }),
    );
  });

  test('is unique', () => {
    expect(new Set(Array.from({ length: 1_000 }, createKey)).size).toBe(1_000);
  });

  test('with a character changed, omitted, added or swapped with the next is invalid', () => {
    const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
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
});

test('the hash is SHA-256 of the whole key', () => {
  fc.assert(
    fc.property(key, (each) => {
      expect(hashKey(each)).toEqual(createHash('sha256').update(each).digest());
    }),
  );
});
