import { Books, NewBook } from '@repo/bookstore/client/generated/schemas';
import { expect, test } from 'vitest';

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
