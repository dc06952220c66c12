import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRetryAfter } from '../src/headers.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['0', 0],
  ['30', 30],
  ['864000', 864000],
  ['Fri, 20 Nov 2026 12:01:00 GMT', 60],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['', undefined],
  ['soon', undefined],
  ['2026-11-20', undefined],
  ['tomorrow GMT', undefined],
  [null, undefined],
])('%j is %j seconds', (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds);
});

test('the wait for a date is never too short', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
      fc.nat(),
      (date, now) => {
        const seconds = parseRetryAfter(date.toUTCString(), now) ?? Number.NaN;
        expect(now + seconds * 1000).toBeGreaterThanOrEqual(Math.floor(date.getTime() / 1000) * 1000);
      },
    ),
  );
});
