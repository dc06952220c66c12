import { Books, NewBook } from '@repo/bookstore/client/generated/schemas';
import { expect, test } from 'vitest';

const check = (schema: typeof NewBook | typeof Books, value: unknown) => schema['~standard'].validate(value);

test('a value that the contract allows is returned as it is', () => {
  const value = { title: '🦉'.repeat(255), storeId: 7 };
  expect(check(NewBook, value)).toEqual({ value });
  expect(check(NewBook, { ...value, format: undefined })).toHaveProperty('value');
});

// The messages are those of the service: see slow/ecosystem.test.ts of the client.
test('a failure within a list has its path', () => {
  expect(check(Books, [{ id: 1, title: 1, storeId: 7 }])).toEqual({
    issues: [{ path: ['0', 'title'], message: 'must be a string' }],
  });
});
