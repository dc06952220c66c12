import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRateLimit } from '../src/headers.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

const headers = (limit: string, remaining: string, reset: string) =>
  new Headers({ 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining, 'X-RateLimit-Reset': reset });

test.each([
  new Headers({ 'X-RateLimit-Limit': '60' }),
  headers('60', '', '1795176060'),
  headers('60', '-1', '1795176060'),
  headers('60', '1, 2', '1795176060'),
  headers('60', '1', '9'.repeat(20)),
])('no rate limit if a header is missing or malformed: %o', (headers) => {
  expect(parseRateLimit(headers, now)).toBeUndefined();
});

test('both windows are parsed, their ends relative to the service clock', () => {
  const all = headers('60', '0', '1795176060');
  all.set('RateLimit-Policy', '"minute";q=60;w=60, "day";q=1000;w=86400');
  all.set('RateLimit', '"minute";r=0;t=30, "day";r=941;t=43200');
  expect(parseRateLimit(all, now)?.windows).toEqual({
    minute: { limit: 60, remaining: 0, reset: new Date('2026-11-20T12:00:30Z') },
    day: { limit: 1000, remaining: 941, reset: new Date('2026-11-21T00:00:00Z') },
  });
});

test('a rate limit has integers and valid dates for any headers', () => {
  const value = fc.oneof(
    fc.stringMatching(/^[\x20-\x7e]*$/),
    fc.stringMatching(/^("[a-z_]{1,9}"(;[qrtw]=\d{0,20}){0,3}[, ]?)*$/),
    fc.nat().map(String),
  );
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'];
  fc.assert(
    fc.property(fc.tuple(value, value, value, value, value), (values) => {
      const limit = parseRateLimit(new Headers(names.map((name, index) => [name, values[index] ?? ''])), now);
      for (const window of limit ? [limit, ...Object.values(limit.windows)] : []) {
        expect(Number.isSafeInteger(window.limit) && Number.isSafeInteger(window.remaining)).toBe(true);
        expect(window.reset.getTime()).not.toBeNaN();
      }
    }),
  );
});
