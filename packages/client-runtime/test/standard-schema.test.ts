import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Books, NewBook } from '../src/generated/schemas.ts';
import { isEqual, lengthOf } from '../src/standard-schema.ts';

const check = (schema: typeof NewBook | typeof Books, value: unknown) => schema['~standard'].validate(value);

test('a value that the contract allows is returned as it is', () => {
  const value = { title: '🦉'.repeat(255), storeId: 7 };
  expect(check(NewBook, value)).toEqual({ value });
  expect(check(NewBook, { ...value, format: undefined })).toHaveProperty('value');
});

test('each failure has the message of the service and its path', () => {
  expect(check(NewBook, { title: '', 'a/b~': 1 })).toEqual({
    issues: expect.arrayContaining([
      { path: ['storeId'], message: 'is required' },
      { path: ['a/b~'], message: 'is unknown' },
      { path: ['title'], message: 'must not be empty' },
    ]),
  });
  expect(check(Books, [{ id: 1, title: 1, storeId: 7 }])).toEqual({
    issues: [{ path: ['0', 'title'], message: 'must be a string' }],
  });
  expect(check(NewBook, null)).toEqual({ issues: [{ path: [], message: 'must be an object' }] });
});

test('values are equal as their JSON is, whatever the order of their members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const sorted = (value: unknown) =>
        JSON.stringify(value, (_, part) =>
          part && typeof part === 'object' && !Array.isArray(part)
            ? Object.fromEntries(Object.entries(part).sort())
            : part,
        );
      expect(isEqual(one, structuredClone(one))).toBe(true);
      expect(isEqual(one, other)).toBe(sorted(one) === sorted(other));
      expect(lengthOf('a🦉')).toBe(2);
    }),
  );
});
