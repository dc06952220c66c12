import { type ApiError, etag, isUnchanged, requireMatch } from '@petstore-platform/server-runtime';
import { expect, test } from 'vitest';

const statusOf = (header: string | undefined, current: string) => {
  try {
    requireMatch(header, current);
    return 204;
  } catch (error) {
    return (error as ApiError).status;
  }
};

test('a tag is a version in quotes, whatever it contains', () => {
  expect([3, 3n, 'a"b c', new Date(0)].map(etag)).toEqual([
    '"3"',
    '"3"',
    '"a%22b%20c"',
    '"1970-01-01T00%3A00%3A00.000Z"',
  ]);
});

test.each<[string | undefined, number]>([
  ['"3"', 204],
  ['"2", "3"', 204],
  ['"2,", "3"', 204],
  [' * ', 204],
  ['"2"', 412],
  ['W/"3"', 412],
  ['3', 412],
  ['', 412],
  [undefined, 428],
])('a change with If-Match %j is %i', (header, status) => {
  expect(statusOf(header, '"3"')).toBe(status);
});

test.each<[string | undefined, string, boolean]>([
  ['"3"', '"3"', true],
  ['W/"3"', '"3"', true],
  ['"3"', 'W/"3"', true],
  ['*', '"3"', true],
  ['"2", W/"3"', '"3"', true],
  ['W/"3", "2"', '"3"', true],
  ['"2", W/"4"', '"3"', false],
  ['"", "3x"', '"3"', false],
  [undefined, '"3"', false],
])('with If-None-Match %j, %s is unchanged: %j', (header, current, unchanged) => {
  expect(isUnchanged(header, current)).toBe(unchanged);
});
