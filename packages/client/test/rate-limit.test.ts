import { expect, test } from 'vitest';
import { parseRateLimit } from '../src/rate-limit.ts';

const headers = (limit: string, remaining: string, reset: string) =>
  new Headers({ 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining, 'X-RateLimit-Reset': reset });

test('the headers are read as numbers and a Date', () => {
  expect(parseRateLimit(headers('60', '0', '1795176060'))).toEqual({
    limit: 60,
    remaining: 0,
    reset: new Date('2026-11-20T12:01:00Z'),
  });
});

test.each([
  new Headers({ 'X-RateLimit-Limit': '60' }),
  headers('60', '', '1795176060'),
  headers('60', '-1', '1795176060'),
  headers('60', '1, 2', '1795176060'),
  headers('60', '1', '9'.repeat(20)),
])('with one missing or malformed there is no rate limit: %o', (headers) => {
  expect(parseRateLimit(headers)).toBeUndefined();
});
